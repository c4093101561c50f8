// SPDX-License-Identifier: MIT
#include "core/base/resource.h"
#include "core/base/try.h"
#include "core/codec/fields.h"
#include "sessions/learning/fix_case.h"

#include <cmath>

namespace kl::inline learning {

template <class V> void fields(V& v, FixOutcome& o)
{
    v("to", o.to);
    v("kind", o.kind);
    v("gain", o.gain);
}

template <class V> void fields(V& v, FixTrust& t)
{
    v("confidence", t.confidence);
    v("estimate", t.estimate);
}

template <class V> void fields(V& v, FixState& s)
{
    v("family", s.family);
    v("kernel", s.kernel);
    v("problem", s.problem);
    v("device", s.device);
    v("class", s.classId);
    v("estimate", s.estimate);
    v("features", s.features);
    v("trust", s.trust);
    v("outcomes", s.outcomes);
}

namespace {

constexpr const char* kShipped = "resources/fix-cases.json";

struct StateFile {
    std::vector<std::string> features;
    std::vector<FixState> states;
};
template <class V> void fields(V& v, StateFile& f)
{
    v("features", f.features);
    v("states", f.states);
}

/// Four digits cover the precision of a measurement.
double roundDigits(double value)
{
    return std::round(value * 1e4) / 1e4;
}

FixState roundDigits(FixState state)
{
    if (state.estimate)
        state.estimate = roundDigits(*state.estimate);
    for (auto& [kind, trust] : state.trust)
        trust = {roundDigits(trust.confidence), trust.estimate ? std::optional(roundDigits(*trust.estimate)) : std::nullopt};
    for (std::optional<double>& value : state.features)
        if (value)
            value = roundDigits(*value);
    for (FixOutcome& outcome : state.outcomes)
        outcome.gain = roundDigits(outcome.gain);
    return state;
}

} // namespace

Result<std::vector<FixState>> parseStates(std::string_view text, std::string_view where)
{
    KL_ASSIGN(const Json json, parseJson(text, where));
    KL_ASSIGN(StateFile file, fromJson<StateFile>(json, where));
    const auto expected = caseFeatures();
    const bool same = std::equal(expected.begin(), expected.end(), file.features.begin(), file.features.end());
    for (const FixState& state : file.states)
        if (!same || state.features.size() != expected.size())
            return Error{.code = ErrorCode::badInput,
                         .message = fmt::format("{}: the features are not the ones that this version compares.", where),
                         .hint = "Write the file again.",
                         .where = "features"}
                .leadTo({StepId::writeFixCases, {{StepArgument::file, std::string(where)}}});
    return std::move(file.states);
}

Result<std::vector<FixState>> loadShippedStates()
{
    const Result<std::string_view> text = resource(kShipped);
    return text ? parseStates(*text, kShipped) : Result<std::vector<FixState>>(text.error());
}

std::string statesToText(const std::vector<FixState>& states)
{
    const auto features = caseFeatures();
    std::string text = "{\n\"schema\": 1,\n\"features\": " + Json(std::vector<std::string>(features.begin(), features.end())).dump() +
                       ",\n\"states\": [\n";
    for (const FixState& state : states)
        text += toJson(roundDigits(state)).dump() + (&state == &states.back() ? "\n" : ",\n");
    return text + "]\n}\n";
}

} // namespace kl::inline learning
