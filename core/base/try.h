// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <type_traits>
#include <utility>

namespace kl {

/// Where the value of a Result is that lives on, e.g. a library that is loaded once: KL_ASSIGN of the Result itself would copy it.
///
///     KL_ASSIGN(const CuptiApi* api, pointerTo(CuptiApi::load()));
template <class T> Result<const T*> pointerTo(const Result<T>& kept)
{
    return kept ? Result<const T*>(&*kept) : Result<const T*>(kept.error());
}
template <class T> Result<const T*> pointerTo(const Result<T>&& passing) = delete;

} // namespace kl

/// Leaves the enclosing function with the Error of a `Status` expression. A `Result` has a value that would be dropped at once, be it a
/// lock: KL_ASSIGN it.
///
///     KL_TRY(checkWritable(path));
#define KL_TRY(...)                                                                                                                        \
    do {                                                                                                                                   \
        auto klOutcome = (__VA_ARGS__);                                                                                                    \
        static_assert(std::is_same_v<decltype(klOutcome), ::kl::Status>, "KL_ASSIGN the value");                                           \
        if (!klOutcome)                                                                                                                    \
            return std::move(klOutcome).error();                                                                                           \
    } while (false)

/// Leaves the enclosing function with the Error of a `Result` expression, else moves its value into `target`: a declaration or a variable.
///
///     KL_ASSIGN(const auto run, store.run(id));
///     KL_ASSIGN(answer.device, deviceNamed(word));
#define KL_ASSIGN(target, ...) KL_ASSIGN_AT(__COUNTER__, target, __VA_ARGS__)

#define KL_ASSIGN_AT(number, target, ...) KL_ASSIGN_NAMED(number, target, __VA_ARGS__)
#define KL_ASSIGN_NAMED(number, target, ...)                                                                                               \
    auto klResult##number = (__VA_ARGS__);                                                                                                 \
    if (!klResult##number)                                                                                                                 \
        return std::move(klResult##number).error();                                                                                        \
    target = *std::move(klResult##number)
