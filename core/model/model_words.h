// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/comparison.h"
#include "core/model/environment.h"
#include "core/model/run.h"

#include <array>
#include <string>
#include <utility>

/// The words by which enums of the model are known in JSON, in the database and on the command line.
namespace kl {

constexpr auto enumWords(ResultStatus)
{
    using S = ResultStatus;
    return std::array<std::pair<S, const char*>, 5>{{{S::ok, "ok"},
                                                     {S::computationFailed, "computation_failed"},
                                                     {S::validationFailed, "validation_failed"},
                                                     {S::compilationFailed, "compilation_failed"},
                                                     {S::deviceLimitsExceeded, "device_limits_exceeded"}}};
}
constexpr auto enumWords(CorrectnessResult)
{
    using C = CorrectnessResult;
    return std::array<std::pair<C, const char*>, 11>{{{C::notChecked, "not-checked"},
                                                      {C::correct, "correct"},
                                                      {C::incorrect, "incorrect"},
                                                      {C::incorrectWhenTimed, "incorrect-when-timed"},
                                                      {C::stateful, "stateful"},
                                                      {C::replays, "replays"},
                                                      {C::nonDeterministic, "non-deterministic"},
                                                      {C::belowPhysics, "below-physics"},
                                                      {C::precisionDowngrade, "precision-downgrade"},
                                                      {C::correct, "pass"}, // as 0.1 wrote them
                                                      {C::incorrect, "fail"}}};
}
constexpr auto enumWords(Source)
{
    return std::array<std::pair<Source, const char*>, 3>{{{Source::live, "live"}, {Source::sample, "sample"}, {Source::import, "import"}}};
}
constexpr auto enumWords(Verdict)
{
    using V = Verdict;
    return std::array<std::pair<V, const char*>, 5>{{{V::faster, "faster"},
                                                     {V::slower, "slower"},
                                                     {V::equivalent, "equivalent"},
                                                     {V::inconclusive, "inconclusive"},
                                                     {V::notComparable, "not-comparable"}}};
}
constexpr auto enumWords(Requirement)
{
    return std::array<std::pair<Requirement, const char*>, 2>{{{Requirement::required, "required"}, {Requirement::optional, "optional"}}};
}
constexpr auto enumWords(CheckResult)
{
    using C = CheckResult;
    return std::array<std::pair<C, const char*>, 3>{{{C::pass, "pass"}, {C::fail, "fail"}, {C::skipped, "skipped"}}};
}

/// The word of an enum value as it appears in JSON.
template <class E> const char* toWord(E value)
{
    for (const auto& [item, word] : enumWords(E{}))
        if (item == value)
            return word;
    return "";
}

/// Inverse of toWord; the enum's first value for any other word.
template <class E> E enumFrom(const std::string& word)
{
    for (const auto& [item, text] : enumWords(E{}))
        if (word == text)
            return item;
    return E{};
}

} // namespace kl
