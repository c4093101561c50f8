// SPDX-License-Identifier: MIT
#include "sessions/engine/events.h"

#include "core/codec/run_codec.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

std::string word(const Json& data, const char* key)
{
    const auto found = data.find(key);
    return found != data.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<double> number(const Json& data, const char* key)
{
    const auto found = data.find(key);
    return found != data.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

Address address(const Json& data, const char* key)
{
    const Result<Address> parsed = parseAddress(word(data, key));
    return parsed ? *parsed : Address{};
}

/// New evidence for a gate overtakes a waiver that was given before it.
void evidenceFor(SessionFacts& facts, const char* gate, int seq)
{
    facts.evidence[gate] = seq;
    facts.documented = false; // what was written before does not know of it
    facts.waivers.erase(gate);
}

void opened(SessionFacts& facts, const Json& data)
{
    if (data.contains("answers") && data["answers"].is_object())
        for (const auto& [key, value] : data["answers"].items())
            if (value.is_string())
                facts.answers[key] = value.get<std::string>();
    facts.start = address(data, "start");
    if (const Result<Params> problem = parseParams(word(data, "problem")))
        facts.problem = *problem;
    facts.device = word(data, "device");
    facts.deviceUuid = word(data, "device_uuid");
}

void checked(SessionFacts& facts, const Json& data, int seq)
{
    const Result<EnvReport> report = envFromJson(data);
    if (!report)
        return;
    facts.environment = *report;
    facts.failedEnvironments = passes(*report) ? 0 : facts.failedEnvironments + 1;
    evidenceFor(facts, "G1", seq);
}

void fixChosen(SessionFacts& facts, const Json& data)
{
    facts.fix = word(data, "fix");
    facts.fixTitle = word(data, "title");
    facts.candidate = address(data, "candidate");
    facts.candidateRun = {};
    facts.evaluation = {};
    facts.reverted = false;
    facts.documented = false;
    for (const char* gate : {"G4", "G5"}) {
        facts.evidence.erase(gate);
        facts.waivers.erase(gate);
    }
}

void finished(SessionFacts& facts, const Json& data)
{
    facts.finished = true;
    facts.outcome = word(data, "outcome");
    facts.speedup = number(data, "speedup");
    facts.minutes = number(data, "minutes");
}

void apply(SessionFacts& facts, const std::string& type, const Json& data, int seq)
{
    using namespace event;
    const auto run = [&](RunId& id, const char* gate) {
        id.text = word(data, "run");
        evidenceFor(facts, gate, seq);
    };
    if (type == kOpened) {
        opened(facts, data);
    } else if (type == kEnvironmentChecked) {
        checked(facts, data, seq);
    } else if (type == kSmallestVerified) {
        run(facts.smallestRun, "G2");
    } else if (type == kBaselineMeasured) {
        run(facts.baselineRun, "G2");
    } else if (type == kProfiled) {
        run(facts.profileRun, "G3");
    } else if (type == kFixChosen) {
        fixChosen(facts, data);
    } else if (type == kCandidateVerified) {
        run(facts.candidateRun, "G4");
        facts.evaluation = {}; // times measured before the newest correctness check do not count
        facts.evidence.erase("G5");
    } else if (type == kEvaluated) {
        facts.evaluation.text = word(data, "comparison");
        evidenceFor(facts, "G5", seq);
    } else if (type == kKept) {
        facts.kept = true;
    } else if (type == kReverted) {
        facts.reverted = true;
        if (facts.candidate)
            facts.tried.push_back(*facts.candidate);
    } else if (type == kDocumented) {
        facts.documented = true;
        facts.artifact = word(data, "artifact");
        facts.retrospective = word(data, "retrospective");
    } else if (type == kFinished) {
        finished(facts, data);
    } else if (type == kWaived) {
        facts.waivers[word(data, "gate")] = {word(data, "reason"), seq};
    } else if (type == kNote) {
        facts.notes.push_back(word(data, "text"));
    } else if (type == kPatternApplied) {
        const std::string slug = word(data, "slug");
        if (std::find(facts.patterns.begin(), facts.patterns.end(), slug) == facts.patterns.end())
            facts.patterns.push_back(slug);
    } else if (type == kRefusedAttempt) {
        ++facts.refusals;
    }
}

} // namespace

const std::vector<std::string>& eventTypes()
{
    using namespace event;
    static const std::vector<std::string> types{
        kOpened, kEnvironmentChecked, kSmallestVerified, kBaselineMeasured, kProfiled, kFixChosen, kCandidateVerified, kEvaluated,
        kKept,   kReverted,           kDocumented,       kFinished,         kWaived,   kNote,      kPatternApplied,    kRefusedAttempt};
    return types;
}

std::string phaseOfEvent(const std::string& type)
{
    using namespace event;
    static const std::map<std::string, std::string> phases{{kEnvironmentChecked, "environment"},
                                                           {kSmallestVerified, "baseline"},
                                                           {kBaselineMeasured, "baseline"},
                                                           {kProfiled, "profile"},
                                                           {kFixChosen, "fix"},
                                                           {kCandidateVerified, "fix"},
                                                           {kEvaluated, "evaluate"},
                                                           {kKept, "evaluate"},
                                                           {kReverted, "evaluate"},
                                                           {kDocumented, "document"},
                                                           {kFinished, "document"}};
    const auto found = phases.find(type);
    return found == phases.end() ? std::string() : found->second;
}

Result<SessionFacts> foldEvents(const std::vector<SessionEvent>& events)
{
    SessionFacts facts;
    for (const SessionEvent& item : events) {
        const Result<Json> data =
            parseJson(item.dataJson.empty() ? "{}" : item.dataJson, fmt::format("event {} ({})", item.seq, item.type));
        if (!data)
            return data.error();
        if (!data->is_object())
            return Error{ErrorCode::badInput,
                         fmt::format("Event {} ({}) is not an object.", item.seq, item.type),
                         "Check the database with kloop db check.",
                         item.type,
                         {}};
        apply(facts, item.type, *data, item.seq);
        facts.lastSeq = item.seq;
    }
    return facts;
}

} // namespace kl
