// SPDX-License-Identifier: MIT
#include "sessions/session/events.h"

#include "core/base/try.h"
#include "core/codec/json_read.h"
#include "core/codec/run_codec.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

namespace kl::inline session {
namespace {

Address address(const Json& data, const char* key)
{
    const Result<Address> parsed = parseAddress(textAt(data, key));
    return parsed ? *parsed : Address{};
}

void noteEvidence(SessionFacts& facts, Evidence kind, int seq)
{
    facts.evidence[kind] = seq;
    facts.documented = false; // older events do not have it
}

Claim decodeClaim(const Json& data)
{
    Claim claim{textAt(data, "source"), textAt(data, "figure"), textAt(data, "about")};
    if (claim.about.empty())
        claim.about = "kernel";
    return claim;
}

void takeConditions(SessionFacts& facts, const Json& data)
{
    facts.device = textAt(data, "device");
    facts.deviceUuid = textAt(data, "device_uuid");
    facts.driver = textAt(data, "driver");
}

void setOption(SessionFacts& facts, const std::string& name, bool on)
{
    if (name == "cumulative")
        facts.cumulative = on;
    else if (name == "git")
        facts.git = on;
}

void applyOpened(SessionFacts& facts, const Json& data)
{
    if (data.contains("answers") && data["answers"].is_object())
        for (const auto& [key, value] : data["answers"].items())
            if (value.is_string())
                facts.answers[key] = value.get<std::string>();
    if (data.contains("claims") && data["claims"].is_array())
        for (const Json& claim : data["claims"])
            facts.claimsMade.push_back(decodeClaim(claim));
    if (data.contains("options") && data["options"].is_object())
        for (const auto& [name, value] : data["options"].items())
            setOption(facts, name, value.is_boolean() && value.get<bool>());
    facts.start = address(data, "start");
    if (const Result<Params> problem = parseParams(textAt(data, "problem")))
        facts.problem = *problem;
    takeConditions(facts, data);
}

void applyChecked(SessionFacts& facts, const Json& data, int seq)
{
    const Result<EnvReport> report = envFromJson(data);
    if (!report)
        return;
    facts.environment = *report;
    facts.failedEnvironments = passes(*report) ? 0 : facts.failedEnvironments + 1;
    noteEvidence(facts, Evidence::environment, seq);
}

void applyBuilt(SessionFacts& facts, const Json& data, int seq)
{
    facts.build = BuildFacts{textAt(data, "status"),
                             textAt(data, "reason"),
                             textAt(data, "log"),
                             textAt(data, "arch"),
                             numberAt(data, "seconds").value_or(0),
                             static_cast<int>(numberAt(data, "warnings").value_or(0)),
                             textAt(data, "unavailable")};
    noteEvidence(facts, Evidence::build, seq);
}

void applyMemoryChecked(SessionFacts& facts, const Json& data, int seq)
{
    MemoryCheck check{textAt(data, "source"), textAt(data, "seen"), textAt(data, "unavailable")};
    check.found = static_cast<int>(numberAt(data, "found").value_or(0));
    check.complete = truthAt(data, "complete");
    facts.memoryCheck = std::move(check);
    noteEvidence(facts, Evidence::memory, seq);
}

/// The current iteration; a new one if none is open.
DebugIteration& iteration(SessionFacts& facts)
{
    if (!facts.iterationOpen) {
        facts.iterations.push_back({static_cast<int>(facts.iterations.size()) + 1});
        facts.iterationOpen = true;
    }
    return facts.iterations.back();
}

void applyDebugged(SessionFacts& facts, Evidence kind, const Json& data, int seq)
{
    DebugIteration& row = iteration(facts);
    if (kind == Evidence::hypothesis) {
        row.believed = textAt(data, "text");
    } else if (kind == Evidence::instrument) {
        row.instrument = textAt(data, "text");
    } else if (kind == Evidence::analysis) {
        row.analysis = textAt(data, "text");
    } else {
        row.seen = textAt(data, "seen");
        row.evidence = "run:" + textAt(data, "run");
        facts.runs[kind].text = textAt(data, "run");
        const Result<Params> problem = parseParams(textAt(data, "problem"));
        facts.failingProblem = problem && !problem->empty() ? std::optional(*problem) : std::nullopt;
    }
    noteEvidence(facts, kind, seq);
}

/// The current change is dropped or finished; its evidence no longer counts.
void dropCandidate(SessionFacts& facts)
{
    facts.decision.reset();
    facts.editing.reset();
    facts.candidate.reset();
    facts.sourceChange.reset();
    facts.fix.clear();
    facts.comparison = {};
    facts.memoryCheck.reset();
    facts.documented = false;
    std::erase_if(facts.evidence, [](const auto& item) { return aboutCandidate(item.first); });
    std::erase_if(facts.runs, [](const auto& item) { return aboutCandidate(item.first); });
}

void applyIterationClosed(SessionFacts& facts, const Json& data)
{
    DebugIteration& row = iteration(facts);
    row.learned = textAt(data, "learned");
    row.result = textAt(data, "result");
    facts.iterationOpen = false;
    if (facts.candidate && !facts.sourceChange)
        facts.tried.push_back(*facts.candidate);
    dropCandidate(facts);
    std::erase_if(facts.evidence, [](const auto& item) { return aboutIteration(item.first); });
}

void applyEditBegun(SessionFacts& facts, const Json& data)
{
    dropCandidate(facts);
    facts.reverted = false;
    facts.editing = BegunEdit{textAt(data, "file"), textAt(data, "before"), textAt(data, "copy"),
                              truthAt(data, "git"), textAt(data, "fix"),    textAt(data, "goal")};
}

void applyFixChosen(SessionFacts& facts, const Json& data, int seq)
{
    dropCandidate(facts);
    facts.fix = textAt(data, "fix");
    facts.fixTitle = textAt(data, "title");
    facts.fixSeq = seq;
    facts.candidate = address(data, "candidate");
    facts.reverted = false;
    if (const auto source = data.find("source"); source != data.end() && source->is_object())
        facts.sourceChange = SourceChange{textAt(*source, "file"),       textAt(*source, "before"), textAt(*source, "after"),
                                          textAt(*source, "summary"),    textAt(*source, "diff"),   textAt(*source, "copy_before"),
                                          textAt(*source, "copy_after"), truthAt(*source, "git"),   textAt(*source, "goal")};
    if (facts.iterationOpen)
        facts.iterations.back().fix = facts.fixTitle;
}

void applyParked(SessionFacts& facts, const Json& data)
{
    ParkedStep step{address(data, "from"), address(data, "to"), textAt(data, "title"), {textAt(data, "comparison")}, {},
                    facts.sourceChange};
    step.ratio = {numberAt(data, "ratio").value_or(1), numberAt(data, "low").value_or(1), numberAt(data, "high").value_or(1)};
    if (facts.parked.empty())
        facts.startProfile = facts.runs[Evidence::profile];
    facts.parked.push_back(std::move(step));
    dropCandidate(facts);
}

void applyKept(SessionFacts& facts, const Json& data, int seq)
{
    facts.kept = true;
    facts.commit = textAt(data, "commit");
    if (!facts.commit.empty())
        facts.git = true; // one request for a commit sets the option
    facts.decision = LastDecision{seq, true, facts.commit, {}, {}};
    if (const Address variant = address(data, "variant"); !variant.family.empty())
        facts.candidate = variant;
}

/// Drops the candidate; without one, the parked steps. Parked steps survive a dropped candidate.
void applyReverted(SessionFacts& facts, const Json& data, int seq)
{
    const LastDecision decision{seq, false, {}, textAt(data, "copy"), textAt(data, "restored")};
    if (facts.candidate && !facts.sourceChange)
        facts.tried.push_back(*facts.candidate);
    if (facts.editing || (facts.candidate && !facts.parked.empty())) {
        dropCandidate(facts);
        facts.decision = decision;
        return;
    }
    facts.decision = decision;
    if (!facts.parked.empty())
        facts.runs[Evidence::profile] = facts.startProfile; // the start is current again, with its evidence
    facts.parked.clear();
    facts.reverted = true;
}

void applyFinished(SessionFacts& facts, const Json& data)
{
    facts.finished = true;
    facts.outcome = textAt(data, "outcome");
    facts.finishedSpeedup = numberAt(data, "speedup");
    facts.finishedMinutes = numberAt(data, "minutes");
}

/// Evidence that is one run.
void applyMeasured(SessionFacts& facts, Evidence kind, const Json& data, int seq)
{
    facts.runs[kind].text = textAt(data, "run");
    noteEvidence(facts, kind, seq);
    if (kind == Evidence::candidate) { // times measured before the newest correctness check do not count
        facts.comparison = {};
        facts.evidence.erase(Evidence::evaluation);
    }
}

void applyGathered(SessionFacts& facts, Evidence kind, const Json& data, int seq)
{
    if (kind == Evidence::environment) {
        applyChecked(facts, data, seq);
    } else if (kind == Evidence::build) {
        applyBuilt(facts, data, seq);
    } else if (kind == Evidence::memory) {
        applyMemoryChecked(facts, data, seq);
    } else if (kind == Evidence::evaluation) {
        facts.comparison.text = textAt(data, "comparison");
        noteEvidence(facts, kind, seq);
    } else if (aboutIteration(kind)) {
        applyDebugged(facts, kind, data, seq);
    } else {
        applyMeasured(facts, kind, data, seq);
    }
}

void applyRemarked(SessionFacts& facts, const std::string& type, const Json& data, int seq)
{
    using namespace event;
    if (type == kWaived) {
        facts.waivers[textAt(data, "gate")] = {textAt(data, "reason"), seq};
    } else if (type == kNote) {
        facts.notes.push_back(textAt(data, "text"));
    } else if (type == kWritten) {
        facts.written[textAt(data, "question")] = textAt(data, "text");
    } else if (type == kPatternApplied) {
        const std::string slug = textAt(data, "slug");
        if (std::find(facts.patternsApplied.begin(), facts.patternsApplied.end(), slug) == facts.patternsApplied.end())
            facts.patternsApplied.push_back(slug);
    } else if (type == kClaimAdded) {
        facts.claimsMade.push_back(decodeClaim(data));
    } else if (type == kOptionSet) {
        setOption(facts, textAt(data, "name"), truthAt(data, "value"));
    } else if (type == kConditionsChanged) {
        takeConditions(facts, data);
        facts.conditionsSeq = seq;
        facts.conditionsChanged = textAt(data, "what");
        facts.documented = false;
    } else if (type == kStalled) {
        facts.stalls.push_back(textAt(data, "text"));
    } else if (type == kTicked) {
        if (const std::string note = textAt(data, "note"); note.empty())
            facts.ticks.erase(textAt(data, "item"));
        else
            facts.ticks[textAt(data, "item")] = note;
    } else if (type == kHistoryLooked) {
        facts.historySeq = seq;
        facts.historyFound = textAt(data, "found");
    } else if (type == kRefusedAttempt) {
        ++facts.refusals;
    }
}

void applySanitized(SessionFacts& facts, const Json& data)
{
    std::string& all = iteration(facts).sanitizer;
    if (const std::string seen = textAt(data, "seen"); all.find(seen) == std::string::npos)
        all += (all.empty() ? "" : " ") + seen;
    facts.documented = false;
    for (const Json& check : data.value("checks", Json::array())) {
        const std::string tool = textAt(check, "tool");
        if (!check.contains("findings") || check["findings"].empty() || std::ranges::count(facts.foundBy, tool) > 0)
            continue;
        facts.foundBy.push_back(tool);
        facts.memoryCheck.reset(); // it lacks this tool
        facts.evidence.erase(Evidence::memory);
    }
}

void apply(SessionFacts& facts, const std::string& type, const Json& data, int seq)
{
    using namespace event;
    if (const std::optional<Evidence> kind = findEventEvidence(type)) {
        applyGathered(facts, *kind, data, seq);
    } else if (type == kOpened) {
        applyOpened(facts, data);
    } else if (type == kEditBegun) {
        applyEditBegun(facts, data);
    } else if (type == kSanitized) {
        applySanitized(facts, data);
    } else if (type == kUndone) {
        facts.documented = false;
    } else if (type == kFixChosen) {
        applyFixChosen(facts, data, seq);
    } else if (type == kIterationClosed) {
        applyIterationClosed(facts, data);
    } else if (type == kParked) {
        applyParked(facts, data);
    } else if (type == kKept) {
        applyKept(facts, data, seq);
    } else if (type == kReverted) {
        applyReverted(facts, data, seq);
    } else if (type == kDocumented) {
        facts.documented = true;
        facts.artifact = textAt(data, "artifact");
        facts.retrospective = textAt(data, "retrospective");
    } else if (type == kFinished) {
        applyFinished(facts, data);
    } else {
        applyRemarked(facts, type, data, seq);
    }
}

} // namespace

Result<SessionFacts> foldEvents(const std::vector<SessionEvent>& events)
{
    std::vector<Json> read;
    std::set<int> undone; // a decision that was undone never was
    for (const SessionEvent& item : events) {
        KL_ASSIGN(Json data, parseJson(item.dataJson.empty() ? "{}" : item.dataJson, fmt::format("event {} ({})", item.seq, item.type)));
        if (!data.is_object())
            return Error{.code = ErrorCode::badInput,
                         .message = fmt::format("Event {} ({}) is not an object.", item.seq, item.type),
                         .hint = "Check the database.",
                         .where = item.type}
                .leadTo({StepId::checkDatabase});
        if (item.type == event::kUndone)
            undone.insert(static_cast<int>(numberAt(data, "of").value_or(0)));
        read.push_back(std::move(data));
    }
    SessionFacts facts;
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (!undone.contains(events[i].seq))
            apply(facts, events[i].type, read[i], events[i].seq);
        facts.lastSeq = events[i].seq;
    }
    facts.current = facts.parked.empty() ? facts.start : facts.parked.back().to;
    return facts;
}

} // namespace kl::inline session
