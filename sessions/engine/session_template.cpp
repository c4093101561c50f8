// SPDX-License-Identifier: MIT
#include "sessions/engine/session_template.h"

#include "core/base/resource.h"
#include "core/codec/fields.h"
#include "sessions/gates/checks.h"

#include <algorithm>
#include <fmt/ranges.h>
#include <set>

namespace kl {
template <class V> void fields(V& v, SessionTemplate::Question& q)
{
    v("id", q.id);
    v("text", q.text);
}
template <class V> void fields(V& v, SessionTemplate::Phase& p)
{
    v("id", p.id);
    v("title", p.title);
    v("purpose", p.purpose);
    v("budget_minutes", p.budgetMinutes);
    v("gates", p.gates);
    v("patterns", p.patterns);
}
template <class V> void fields(V& v, SessionTemplate::Gate& g)
{
    v("id", g.id);
    v("title", g.title);
    v("question", g.question);
    v("rule", g.rule);
    v("checks", g.checks);
}
template <class V> void fields(V& v, SessionTemplate& t)
{
    v("kind", t.kind);
    v("title", t.title);
    v("budget_minutes", t.budgetMinutes);
    v("idle_after_minutes", t.idleAfterMinutes);
    v("thresholds", t.thresholds);
    v("questions", t.questions);
    v("phases", t.phases);
    v("gates", t.gates);
}

namespace {

constexpr std::string_view kFolder = "sessions/templates/";

/// What is wrong with a template, or nothing.
std::string fault(const SessionTemplate& t)
{
    if (t.kind.empty() || t.phases.empty() || t.gates.empty())
        return "kind, phases and gates must be there";
    for (const char* name :
         {"speedup_min", "speedup_high", "speedup_success", "speedup_next_bottleneck", "keep_improvement_min", "peak_memory_max"})
        if (!t.thresholds.contains(name))
            return fmt::format("thresholds.{} is missing", name);
    if (t.idleAfterMinutes <= 0)
        return "idle_after_minutes must be above 0";
    std::set<std::string> gates;
    const std::vector<std::string>& known = knownChecks();
    for (const SessionTemplate::Gate& gate : t.gates) {
        if (!gates.insert(gate.id).second)
            return fmt::format("gate \"{}\" stands twice", gate.id);
        if (gate.checks.empty())
            return fmt::format("gate \"{}\" has no checks", gate.id);
        for (const std::string& check : gate.checks)
            if (std::find(known.begin(), known.end(), check) == known.end())
                return fmt::format("gate \"{}\" names the unknown check \"{}\"; known are {}", gate.id, check, fmt::join(known, ", "));
    }
    std::set<std::string> phases;
    double sum = 0;
    for (const SessionTemplate::Phase& phase : t.phases) {
        if (!phases.insert(phase.id).second)
            return fmt::format("phase \"{}\" stands twice", phase.id);
        if (phase.budgetMinutes <= 0)
            return fmt::format("phase \"{}\" needs a budget above 0", phase.id);
        sum += phase.budgetMinutes;
        for (const std::string& gate : phase.gates)
            if (!gates.contains(gate))
                return fmt::format("phase \"{}\" names the unknown gate \"{}\"", phase.id, gate);
    }
    if (sum > t.budgetMinutes)
        return fmt::format("the phases take {} minutes, more than budget_minutes {}", sum, t.budgetMinutes);
    return {};
}

} // namespace

double SessionTemplate::threshold(const std::string& name) const
{
    const auto found = thresholds.find(name);
    return found == thresholds.end() ? 0 : found->second;
}

const SessionTemplate::Gate* SessionTemplate::gate(const std::string& id) const
{
    const auto found = std::find_if(gates.begin(), gates.end(), [&](const Gate& gate) { return gate.id == id; });
    return found == gates.end() ? nullptr : &*found;
}

const SessionTemplate::Phase* SessionTemplate::phaseOfGate(const std::string& id) const
{
    for (const Phase& phase : phases)
        if (std::find(phase.gates.begin(), phase.gates.end(), id) != phase.gates.end())
            return &phase;
    return nullptr;
}

Result<SessionTemplate> parseTemplate(std::string_view json, std::string_view where)
{
    const Result<Json> parsed = parseJson(json, where);
    if (!parsed)
        return parsed.error();
    Result<SessionTemplate> read = fromJson<SessionTemplate>(*parsed, where);
    if (!read)
        return read.error();
    if (const std::string wrong = fault(*read); !wrong.empty())
        return Error{
            ErrorCode::badInput, fmt::format("{}: {}.", where, wrong), "Correct the template and try again.", std::string(where), {}};
    return read;
}

std::vector<std::string> templateKinds()
{
    std::vector<std::string> kinds;
    for (const std::string& path : resourcesUnder(kFolder))
        if (path.ends_with(".json"))
            kinds.push_back(path.substr(kFolder.size(), path.size() - kFolder.size() - 5));
    return kinds;
}

Result<std::string> templateText(const std::string& kind)
{
    const Result<std::string_view> text = resource(std::string(kFolder) + kind + ".json");
    if (!text)
        return Error{ErrorCode::badInput,
                     fmt::format("There is no session kind \"{}\".", kind),
                     fmt::format("Kinds: {}.", fmt::join(templateKinds(), ", ")),
                     kind,
                     {}};
    return std::string(*text);
}

} // namespace kl
