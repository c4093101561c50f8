// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

/// Leaves the enclosing function with the Error of a `Status` or `Result` expression; on success the value, if any, is dropped.
///
///     KL_TRY(checkWritable(path));
#define KL_TRY(...)                                                                                                                        \
    do {                                                                                                                                   \
        if (auto klOutcome = (__VA_ARGS__); !klOutcome)                                                                                    \
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
