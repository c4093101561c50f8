// SPDX-License-Identifier: MIT
#include "sessions/session/session_template.h"

#include "core/base/try.h"
#include "core/codec/fields.h"
#include "sessions/session/checks.h"

#include <algorithm>
#include <cmath>
#include <fmt/ranges.h>
#include <set>

namespace kl::inline session {
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
    v("steps", p.steps);
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

/// What a step of a phase gathers, by the word of its action; unset for a word that names no such action.
std::optional<Evidence> findStepEvidence(const std::string& step)
{
    const std::optional<SessionAction> action = parseAction(step);
    return action ? findActionEvidence(*action) : std::nullopt;
}

std::string joinActions()
{
    std::string text;
    for (const EvidenceKind& row : evidenceTable())
        text += (text.empty() ? "" : ", ") + std::string(toString(row.action));
    return text;
}

std::string findThresholdFault(const SessionTemplate& t)
{
    for (const auto& [name, value] : t.thresholds)
        if (!std::isfinite(value) || value < 0)
            return fmt::format("thresholds.{} must be 0 or more", name);
    return t.idleAfterMinutes <= 0 ? "idle_after_minutes must be above 0" : "";
}

std::string findGateFault(const SessionTemplate& t)
{
    for (const SessionTemplate::Phase& phase : t.phases)
        for (const std::string& gate : phase.gates)
            if (!t.gate(gate))
                return fmt::format("phase \"{}\" names the unknown gate \"{}\"", phase.id, gate);
    std::set<std::string> gates;
    const std::vector<std::string>& known = listKnownChecks();
    for (const SessionTemplate::Gate& gate : t.gates) {
        if (gate.id.empty() || !gates.insert(gate.id).second)
            return gate.id.empty() ? "a gate has no id" : fmt::format("gate \"{}\" appears twice", gate.id);
        if (gate.checks.empty())
            return fmt::format("gate \"{}\" has no checks", gate.id);
        for (const std::string& check : gate.checks)
            if (std::find(known.begin(), known.end(), check) == known.end())
                return fmt::format("gate \"{}\" names the unknown check \"{}\"; known: {}", gate.id, check, fmt::join(known, ", "));
        const auto closes = [&](const SessionTemplate::Phase& phase) {
            return std::find(phase.gates.begin(), phase.gates.end(), gate.id) != phase.gates.end();
        };
        if (std::count_if(t.phases.begin(), t.phases.end(), closes) != 1)
            return fmt::format("gate \"{}\" must close exactly one phase", gate.id);
    }
    return {};
}

std::string findPhaseFault(const SessionTemplate& t, const SessionTemplate::Phase& phase)
{
    if (phase.budgetMinutes <= 0)
        return fmt::format("phase \"{}\" needs a budget above 0", phase.id);
    for (const std::string& step : phase.steps)
        if (!findStepEvidence(step))
            return fmt::format("phase \"{}\" names the unknown step \"{}\"; known: {}", phase.id, step, joinActions());
    const bool last = &phase == &t.phases.back();
    if (t.listEvidence(phase).empty() != last)
        return last ? fmt::format("the last phase, \"{}\", documents the session and cannot have gates or steps", phase.id)
                    : fmt::format("phase \"{}\" needs a gate or a step; only the last phase may have neither", phase.id);
    return {};
}

/// Phases in order gather their evidence in the method's order: what a later kind rests on is there by then.
std::string findOrderFault(const SessionTemplate& t)
{
    std::optional<Evidence> before;
    for (const SessionTemplate::Phase& phase : t.phases)
        for (const Evidence kind : t.listEvidence(phase)) {
            if (before && kind <= *before)
                return fmt::format("phase \"{}\": {} comes before {} in the method, and each may appear once", phase.id,
                                   lookUpRow(kind).title, lookUpRow(*before).title);
            before = kind;
        }
    const auto needs = [&](Evidence what, Evidence first) {
        return t.asksFor(what) && !t.asksFor(first) ? fmt::format("{} needs {}", lookUpRow(what).title, lookUpRow(first).title)
                                                    : std::string();
    };
    using enum Evidence;
    for (const auto& [what, first] :
         {std::pair{baseline, smallest}, std::pair{profile, baseline}, std::pair{memory, candidate}, std::pair{evaluation, candidate},
          std::pair{evaluation, profile}, std::pair{minimalCase, failingCase}, std::pair{minimalCase, candidate},
          std::pair{hypothesis, failingCase}, std::pair{instrument, failingCase}, std::pair{analysis, failingCase}})
        if (std::string wrong = needs(what, first); !wrong.empty())
            return wrong;
    if (t.asksFor(evaluation) && !t.lookUpGate(evaluation))
        return "the step \"evaluate\" needs a gate that judges it, with the check \"improvement\"";
    if (t.asksFor(candidate) && !t.asksFor(evaluation) && !t.asksFor(failingCase))
        return "a changed kernel must be evaluated: add the check \"improvement\", or the step \"find-failing\" to debug it";
    return {};
}

/// What is wrong with a template, or nothing.
std::string fault(const SessionTemplate& t)
{
    if (t.kind.empty() || t.phases.empty() || t.gates.empty())
        return "kind, phases and gates are required";
    for (const std::string& wrong : {findThresholdFault(t), findGateFault(t)})
        if (!wrong.empty())
            return wrong;
    std::set<std::string> phases;
    double sum = 0;
    for (const SessionTemplate::Phase& phase : t.phases) {
        if (phase.id.empty() || phase.id == "done" || !phases.insert(phase.id).second)
            return phase.id.empty() ? "a phase has no id"
                                    : fmt::format("phase \"{}\" {}", phase.id,
                                                  phase.id == "done" ? "is a reserved name: it means the end" : "appears twice");
        if (std::string wrong = findPhaseFault(t, phase); !wrong.empty())
            return wrong;
        sum += phase.budgetMinutes;
    }
    if (sum > t.budgetMinutes)
        return fmt::format("the phases take {} minutes, more than budget_minutes {}", sum, t.budgetMinutes);
    return findOrderFault(t);
}

/// An unknown field is usually a typo.
std::string unknownField(const Json& json)
{
    const auto look = [](const Json& object, std::initializer_list<const char*> known, const std::string& path) {
        for (const auto& [key, value] : object.items())
            if (std::find(known.begin(), known.end(), key) == known.end())
                return fmt::format("there is no field \"{}{}\"; known: {}", path, key, fmt::join(known, ", "));
        return std::string();
    };
    std::string wrong =
        look(json, {"schema", "kind", "title", "budget_minutes", "idle_after_minutes", "thresholds", "questions", "phases", "gates"}, "");
    for (std::size_t i = 0; wrong.empty() && i < json["phases"].size(); ++i)
        wrong = look(json["phases"][i], {"id", "title", "purpose", "budget_minutes", "gates", "steps", "patterns"},
                     fmt::format("phases[{}].", i));
    for (std::size_t i = 0; wrong.empty() && i < json["gates"].size(); ++i)
        wrong = look(json["gates"][i], {"id", "title", "question", "rule", "checks"}, fmt::format("gates[{}].", i));
    return wrong;
}

} // namespace

std::string unknownThreshold(const SessionTemplate& plan)
{
    for (const auto& [name, value] : plan.thresholds)
        if (std::ranges::find(kThresholds, name, &Threshold::name) == std::end(kThresholds))
            return name;
    return {};
}

double SessionTemplate::threshold(std::string_view name) const
{
    const auto found = thresholds.find(std::string(name));
    return found != thresholds.end() ? found->second : std::ranges::find(kThresholds, name, &Threshold::name)->otherwise;
}

const SessionTemplate::Gate* SessionTemplate::gate(const std::string& id) const
{
    const auto found = std::find_if(gates.begin(), gates.end(), [&](const Gate& gate) { return gate.id == id; });
    return found == gates.end() ? nullptr : &*found;
}

std::vector<Evidence> SessionTemplate::listEvidence(const Gate& gate) const
{
    std::vector<Evidence> kinds;
    for (const std::string& check : gate.checks)
        if (const Evidence item = findCheckEvidence(check); std::find(kinds.begin(), kinds.end(), item) == kinds.end())
            kinds.push_back(item);
    std::sort(kinds.begin(), kinds.end());
    return kinds;
}

std::vector<Evidence> SessionTemplate::listEvidence(const Phase& phase) const
{
    std::set<Evidence> kinds;
    for (const std::string& step : phase.steps)
        if (const std::optional<Evidence> item = findStepEvidence(step))
            kinds.insert(*item);
    for (const std::string& id : phase.gates)
        if (const Gate* found = gate(id))
            for (const Evidence item : listEvidence(*found))
                kinds.insert(item);
    return {kinds.begin(), kinds.end()};
}

namespace {

bool asks(const SessionTemplate::Gate& gate, Evidence evidence)
{
    return std::ranges::any_of(gate.checks, [evidence](const std::string& check) { return findCheckEvidence(check) == evidence; });
}

bool asks(const SessionTemplate& plan, const SessionTemplate::Phase& phase, Evidence evidence)
{
    return std::ranges::any_of(phase.steps, [evidence](const std::string& step) { return findStepEvidence(step) == evidence; }) ||
           std::ranges::any_of(phase.gates, [&](const std::string& id) {
               const SessionTemplate::Gate* found = plan.gate(id);
               return found != nullptr && asks(*found, evidence);
           });
}

} // namespace

bool SessionTemplate::asksFor(Evidence evidence) const
{
    return lookUpPhase(evidence) != nullptr;
}

const SessionTemplate::Gate* SessionTemplate::lookUpGate(Evidence evidence) const
{
    const auto found = std::ranges::find_if(gates, [evidence](const Gate& gate) { return asks(gate, evidence); });
    return found == gates.end() ? nullptr : &*found;
}

const SessionTemplate::Phase* SessionTemplate::lookUpPhase(Evidence evidence) const
{
    const auto found = std::ranges::find_if(phases, [&](const Phase& phase) { return asks(*this, phase, evidence); });
    return found == phases.end() ? nullptr : &*found;
}

namespace {

struct OldCheck {
    std::string_view before;
    std::string_view now;
};

/// Names until 0.2.0, in the templates of sessions and of people's own kinds.
constexpr OldCheck kOldChecks[]{{"smallest-right", "smallest-correct"},
                                {"kernel-right", "kernel-correct"},
                                {"start-right", "start-correct"},
                                {"suite-right", "suite-correct"},
                                {"both-right", "both-correct"}};

void renameOldChecks(SessionTemplate& plan)
{
    for (SessionTemplate::Gate& gate : plan.gates)
        for (std::string& check : gate.checks)
            if (const auto old = std::ranges::find(kOldChecks, std::string_view(check), &OldCheck::before); old != std::end(kOldChecks))
                check = old->now;
}

} // namespace

Result<SessionTemplate> parseTemplate(std::string_view json, std::string_view where)
{
    KL_ASSIGN(const Json parsed, parseJson(json, where));
    KL_ASSIGN(SessionTemplate read, fromJson<SessionTemplate>(parsed, where));
    renameOldChecks(read);
    std::string wrong = fault(read);
    if (wrong.empty())
        wrong = unknownField(parsed);
    if (!wrong.empty())
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{}: {}.", where, wrong),
                     .hint = "Correct the template and try again.",
                     .where = std::string(where)};
    return read;
}

} // namespace kl::inline session
