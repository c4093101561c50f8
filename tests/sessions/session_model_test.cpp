// SPDX-License-Identifier: MIT
// What follows from a session's facts: stale evidence, checklist, calculators, outcome, times, drafts; each from a view made by hand.
#include "sessions/session/session_model.h"

#include "core/base/format.h"
#include "sessions/session/checklist.h"
#include "sessions/session/kernel_figures.h"
#include "sessions/session/log_cadence.h"
#include "sessions/session/session_document.h"
#include "sessions/session/session_outcome.h"
#include "sessions/session/stale_evidence.h"
#include "tests/sessions/modeled_session.h"

#include <algorithm>
#include <chrono>
#include <gmock/gmock.h>
#include <string>
#include <vector>

namespace kl::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST_F(ModeledSession, TheChecklistIsTickedByEvidenceElseByANote)
{
    SessionView& view = model.view;
    const auto item = [&](std::string_view id) {
        evaluate();
        const std::vector<ChecklistItem> items = makeChecklist(model);
        return *std::ranges::find(items, id, &ChecklistItem::id);
    };
    const auto state = [&](std::string_view id) { return std::string(toString(item(id).state)); };
    for (const char* done : {"clean-build", "dependencies", "loads", "smoke", "compared", "launch-overhead", "G1", "G5"})
        EXPECT_EQ(state(done), "done") << done;
    for (const std::string_view open : {std::string_view("verbose-build"), std::string_view("warnings"), std::string_view(kHistoryItem)})
        EXPECT_EQ(state(open), "open") << open;
    EXPECT_EQ(item("clean-build").evidence, "run:r1") << "it compiled for its first run";
    EXPECT_EQ(item("launch-overhead").evidence, "run:r2");
    EXPECT_FALSE(item("smoke").next) << "done";
    view.build = BuildFacts{"ok", "", "log", "sm_90", 1, 2, ""};
    view.evidence[Evidence::build] = 3;
    EXPECT_EQ(item("clean-build").evidence, "event:3");
    EXPECT_EQ(state("verbose-build"), "done");
    EXPECT_EQ(item("verbose-build").evidence, "artifact:log");
    EXPECT_EQ(state("warnings"), "failed");
    view.build->warnings = 0;
    EXPECT_EQ(state("warnings"), "done");
    view.build->status = "compilation_failed";
    view.build->reason = "an error";
    EXPECT_EQ(state("clean-build"), "failed");
    EXPECT_EQ(item("clean-build").found, "an error");
    view.build->unavailable = "not recorded";
    EXPECT_EQ(state("warnings"), "open");
    EXPECT_EQ(state("verbose-build"), "open");
    EXPECT_EQ(state("clean-build"), "done") << "the run proves it";
    view.smallestRun->correctness.unwritten = 1;
    EXPECT_EQ(state("smoke"), "failed");
    view.smallestRun->correctness.unwritten = 0;
    view.smallestRun->correctness.nonfinite = 1;
    EXPECT_EQ(state("smoke"), "failed");
    view.smallestRun->correctness.result = CorrectnessResult::incorrect;
    EXPECT_EQ(state("compared"), "failed");
    view.smallestRun->status = ResultStatus::validationFailed;
    EXPECT_EQ(state("loads"), "done") << "it launched";
    view.smallestRun->status = ResultStatus::computationFailed;
    EXPECT_EQ(state("loads"), "failed");
    view.smallestRun->correctness = {};
    EXPECT_EQ(state("smoke"), "open");
    view.smallestRun->status = ResultStatus::compilationFailed;
    EXPECT_EQ(state("clean-build"), "failed");
    view.baselineRun->timing->gpu.median = 9'999;
    EXPECT_EQ(state("launch-overhead"), "failed") << "below ten microseconds";
    view.environment->checks[0].result = CheckResult::fail;
    EXPECT_EQ(state("dependencies"), "failed");
    EXPECT_EQ(state("G1"), "failed");
    EXPECT_TRUE(item("dependencies").next);
    view.ticks = {{"smoke", "seen"}, {"loads", "odd"}};
    EXPECT_EQ(state("smoke"), "done");
    EXPECT_TRUE(item("smoke").byNote);
    EXPECT_EQ(state("loads"), "failed") << "a note does not overrule evidence";
    EXPECT_EQ(item("loads").note, "odd");
    view.historySeq = 4;
    view.historyFound = "abc";
    EXPECT_EQ(state(kHistoryItem), "done");
    EXPECT_EQ(item(kHistoryItem).evidence, "event:4");
    view.waivers["G1"] = {"known", 9};
    EXPECT_EQ(state("G1"), "done");
    EXPECT_EQ(item("G1").note, "known");
    EXPECT_TRUE(item("G1").byNote);
}

TEST_F(ModeledSession, TheCalculatorsTakeTheNewestRunOfTheCurrentVariant)
{
    SessionView& view = model.view;
    EXPECT_EQ(gatherFigures(model)->run, "r3") << "the profile";
    view.profileRun->kernel.variant = "padded";
    EXPECT_EQ(gatherFigures(model)->run, "r2");
    view.baselineRun->launches = {{"small", 16, 256, 32, 0, 1024, 0}, {"large", 16, 64, 40, 0, 1024, 2048}};
    KernelFigures figures = *gatherFigures(model);
    EXPECT_EQ(figures.smem, 3072) << "of several launches, that with the most";
    EXPECT_EQ(figures.registers, 40);
    EXPECT_EQ(figures.threads, 64);
    EXPECT_EQ(figures.cost->kernelUs, 20);
    EXPECT_FALSE(figures.launchMeasured);
    EXPECT_EQ(figures.cost->launchUs, 5) << "the documents' figure";
    view.baselineRun->timing->host = 27'000;
    EXPECT_TRUE(gatherFigures(model)->launchMeasured);
    EXPECT_EQ(gatherFigures(model)->cost->launchUs, 7);
    view.baselineRun->timing->host = 20'000;
    EXPECT_FALSE(gatherFigures(model)->launchMeasured) << "no time is left for the launch";
    for (std::optional<RunRecord>* run : {&view.smallestRun, &view.baselineRun})
        (*run)->launches.clear();
    figures = *gatherFigures(model);
    EXPECT_FALSE(figures.compiled);
    EXPECT_EQ(figures.run, "");
    EXPECT_EQ(figures.gpu, "") << "none is known";
    EXPECT_FALSE(figures.fit);
    view.device = "NVIDIA H200";
    EXPECT_TRUE(gatherFigures(model)->fit->fits);
    EXPECT_FALSE(gatherFigures(model)->occupancy) << "registers are not known";
    view.baselineRun.reset();
    EXPECT_FALSE(gatherFigures(model)->cost);
    model.catalog = nullptr;
    EXPECT_FALSE(gatherFigures(model));
}

TEST_F(ModeledSession, EvidenceIsStaleByWhatChangedSince)
{
    using enum Evidence;
    SessionView& view = model.view;
    const auto stale = [&] {
        std::vector<Evidence> kinds;
        for (const auto& [kind, why] : staleEvidence(view, catalog)) {
            EXPECT_FALSE(why.empty());
            kinds.push_back(kind);
        }
        return kinds;
    };
    EXPECT_THAT(stale(), IsEmpty());
    view.candidateRun->sourceHash = "other";
    EXPECT_THAT(stale(), ElementsAre(candidate, memory, evaluation)) << "what rests on it, too";
    EXPECT_EQ(staleEvidence(view, catalog).at(memory), staleEvidence(view, catalog).at(candidate)) << "for the same reason";
    view.memoryCheck->sourceHash = "other";
    EXPECT_THAT(stale(), ElementsAre(candidate, memory, evaluation));
    view.candidateRun->sourceHash = "";
    view.memoryCheck->sourceHash = "";
    EXPECT_THAT(stale(), IsEmpty()) << "an old record has no hash";
    view.candidateRun->sourceHash = findSourceHash(*view.candidate);
    EXPECT_THAT(stale(), ElementsAre(memory)) << "the check was of another text";
    view.memoryCheck->sourceHash = view.candidateRun->sourceHash;
    view.baselineRun->sourceHash = "other";
    EXPECT_THAT(stale(), ElementsAre(baseline));
    view.header.source = Source::sample;
    EXPECT_THAT(stale(), IsEmpty()) << "a recording does not change";
    view.header.source = Source::live;
    view.baselineRun->sourceHash = findSourceHash(view.start);
    view.current = {"transpose", "tiled", {}};
    EXPECT_THAT(stale(), ElementsAre(profile)) << "it is of the variant before";
    view.current = view.start;
    view.conditionsSeq = 7;
    view.conditionsChanged = "another driver";
    view.evidence[hypothesis] = view.evidence[instrument] = view.evidence[analysis] = 2;
    EXPECT_THAT(stale(), ElementsAre(environment, smallest, baseline, profile)) << "what was measured before";
    EXPECT_EQ(staleEvidence(view, catalog).at(smallest), "another driver");
    view.finished = true;
    EXPECT_THAT(stale(), IsEmpty());
}

TEST_F(ModeledSession, WhileTheFilesHoldAnEditItsStartIsNotStale)
{
    using enum Evidence;
    SessionView& view = model.view;
    for (std::optional<RunRecord>* run : {&view.smallestRun, &view.baselineRun, &view.profileRun})
        (*run)->sourceHash = "before";
    view.sourceChange = SourceChange{"k.cu", "before", "after", "", "", "", "", false, ""};
    view.candidate = view.current;
    view.candidateRun->kernel = view.current;
    view.candidateRun->sourceHash = view.memoryCheck->sourceHash = findSourceHash(view.current);
    EXPECT_THAT(staleEvidence(view, catalog), IsEmpty());
    view.sourceChange->before = "another";
    EXPECT_TRUE(staleEvidence(view, catalog).contains(profile));
    view.sourceChange.reset();
    EXPECT_TRUE(staleEvidence(view, catalog).contains(baseline)) << "without the edit the text is another";
    view.editing = BegunEdit{"k.cu", "before", "", false, "", ""};
    EXPECT_FALSE(staleEvidence(view, catalog).contains(baseline));
    view.editing.reset();
    ParkedStep step{view.start, view.start, "",
                    {},         {},         SourceChange{"k.cu", "before", findSourceHash(view.start), "", "", "", "", false, ""}};
    view.parked = {step};
    const auto stale = staleEvidence(view, catalog);
    EXPECT_FALSE(stale.contains(baseline)) << "it is of the start";
    EXPECT_TRUE(stale.contains(profile)) << "the parked edit is to be profiled";
    view.parked[0].to = {"transpose", "padded", {}};
    EXPECT_TRUE(staleEvidence(view, catalog).contains(baseline)) << "the edit was of another variant";
}

TEST_F(ModeledSession, AnEditHasMovedWhereTheFileIsNotAsItWasTaken)
{
    SessionView& view = model.view;
    EXPECT_FALSE(model.editMoved()) << "there is none";
    view.sourceChange = SourceChange{"k.cu", "before", findSourceHash(view.current), "", "", "", "", false, ""};
    EXPECT_FALSE(model.editMoved());
    view.sourceChange->after = "other";
    EXPECT_TRUE(model.editMoved());
    view.kept = true;
    EXPECT_FALSE(model.editMoved()) << "decided";
    view.kept = false;
    ParkedStep step{view.start, view.start, "", {}, {}, view.sourceChange};
    view.sourceChange.reset();
    view.parked = {step};
    EXPECT_FALSE(model.editMoved()) << "the candidate is a variant";
    view.candidate.reset();
    EXPECT_TRUE(model.editMoved());
    view.parked[0].source->after = findSourceHash(view.current);
    EXPECT_FALSE(model.editMoved());
}

TEST_F(ModeledSession, OutcomesAreWordsOfTheHistory)
{
    using enum Evidence;
    evaluate();
    EXPECT_EQ(nameOutcome(model), "nothing to fix");
    model.view.profileRun->diagnosis->finding.fixes = {{"tile", "", "", 0, "transpose/tiled"}};
    EXPECT_EQ(nameOutcome(model), "abandoned");
    model.view.reverted = true;
    EXPECT_EQ(nameOutcome(model), "reverted");
    model.view.kept = true;
    EXPECT_EQ(nameOutcome(model), "kept");
    model.view.kept = model.view.reverted = false;
    for (const auto& [kind, word] : {std::pair{"baseline", "baseline measured"}, std::pair{"profile", "profiled"}}) {
        model.plan = shipped(kind);
        evaluate();
        EXPECT_EQ(nameOutcome(model), word);
        model.view.gates.back().progress = GateProgress::stale;
        EXPECT_EQ(nameOutcome(model), "abandoned");
    }
    model.plan = shipped("debug");
    EXPECT_EQ(nameOutcome(model), "abandoned");
    model.view.evidence[failingCase] = 5;
    EXPECT_EQ(nameOutcome(model), "nothing to fix");
    model.view.failingProblem = model.view.problem;
    EXPECT_EQ(nameOutcome(model), "abandoned");
}

TEST(LogCadence, IsDueAfterThreeMinutesOfWorkAndNotInAPause)
{
    SessionView view;
    const TimePoint start = *parseIsoTime("2026-01-01T00:00:00.000Z");
    const auto due = [&](int seconds) { return logDueSince(view, start + std::chrono::seconds(seconds)); };
    EXPECT_FALSE(due(600)) << "there is no log";
    view.events = {{1, "2025-12-31T00:00:00.000Z", "opened", "{}"}, {2, "2026-01-01T00:00:00.000Z", "note", "{}"}};
    EXPECT_FALSE(due(180));
    EXPECT_DOUBLE_EQ(due(186).value_or(0), 3.1);
    EXPECT_TRUE(due(120 * 60));
    EXPECT_FALSE(due(120 * 60 + 1));
    view.finished = true;
    EXPECT_FALSE(due(186));
    view.finished = false;
    view.events.back().at = "odd";
    EXPECT_FALSE(due(186));
}

TEST_F(ModeledSession, TheFixIsTimedFromItsChoiceToItsDecision)
{
    SessionView& view = model.view;
    const auto at = [](int minute) { return "2026-01-01T00:" + std::string(minute < 10 ? "0" : "") + std::to_string(minute) + ":00.000Z"; };
    const auto minutes = [&] {
        std::vector<double> all;
        for (const FixPart& part : fixParts(view))
            all.push_back(part.minutes.value_or(-1));
        return all;
    };
    view.candidateRun->workerSeconds = 120;
    view.events = {{1, at(0), "opened", "{}"}, {2, at(1), "kept", "{}"}, {3, at(5), "fix-chosen", "{}"}};
    EXPECT_THAT(minutes(), ElementsAre(-1, -1, -1, -1, -1));
    EXPECT_EQ(fixPartsText(view), "");
    view.events.push_back({4, at(25), "candidate-verified", R"({"build_seconds":180})"});
    EXPECT_THAT(minutes(), ElementsAre(15, 3, 2, -1, -1)) << "less its build and its run";
    view.events.push_back({5, at(35), "evaluated", "{}"});
    EXPECT_THAT(minutes(), ElementsAre(15, 3, 2, 10, -1));
    view.events.push_back({6, at(39), "parked", "{}"});
    EXPECT_THAT(minutes(), ElementsAre(15, 3, 2, 10, 4));
    view.events[1].type = "edit-begun";
    EXPECT_THAT(minutes(), ElementsAre(19, 3, 2, 10, 4)) << "an edit begins before it is taken";
    view.header.source = Source::sample;
    EXPECT_THAT(minutes(), ElementsAre(21, 3, 0, 10, 4)) << "nothing ran";
    view.header.source = Source::live;
    view.candidateRun->workerSeconds = 3600;
    EXPECT_THAT(minutes(), ElementsAre(0, 3, 24, 10, 4)) << "no longer than all of it";
    view.minimalRun = view.candidateRun;
    view.minimalRun->workerSeconds = 60;
    view.events[3].type = "minimal-verified";
    EXPECT_THAT(minutes(), ElementsAre(20, 3, 1, 10, 4));
    std::vector<double> planned;
    for (const FixPart& part : fixParts(view))
        planned.push_back(part.planned);
    EXPECT_THAT(planned, ElementsAre(45, 5, 15, 20, 5));
    view.events = {{1, at(0), "opened", "{}"}};
    EXPECT_THAT(fixParts(view), IsEmpty());
}

TEST_F(ModeledSession, TheDocumentIsDraftedFromWhatHappened)
{
    SessionView& view = model.view;
    evaluate();
    const auto draft = [&](const char* question) { return draftAnswer(view, question); };
    EXPECT_EQ(draft("root-cause"), view.profileRun->diagnosis->finding.title);
    EXPECT_EQ(draft("worked"), "");
    EXPECT_EQ(draft("failed"), "");
    EXPECT_EQ(draft("expert"), "");
    view.profileRun->diagnosis->finding.fixes = {{"f1", "First fix"}, {"f2", "Second fix"}};
    EXPECT_THAT(draft("next"), HasSubstr("First fix"));
    view.fix = "f1";
    EXPECT_THAT(draft("next"), HasSubstr("Second fix"));
    view.kept = true;
    view.profileRun->diagnosis->secondary = {{"a", "First finding"}, {"b", "Second finding"}};
    EXPECT_THAT(draft("next"), HasSubstr("First finding"));
    EXPECT_THAT(draft("worked"), HasSubstr("transpose/tiled"));
    EXPECT_THAT(draft("worked"), HasSubstr("1.30"));
    view.patternsApplied = {"baseline-first"};
    EXPECT_THAT(draft("worked"), HasSubstr("baseline-first"));
    view.tried = {{"transpose", "padded", {}}};
    view.gates[2].result = GateResult::fail;
    EXPECT_THAT(draft("failed"), HasSubstr("transpose/padded"));
    EXPECT_THAT(draft("failed"), HasSubstr("G3"));
    EXPECT_THAT(draft("failed"), testing::Not(HasSubstr("G4")));
    view.waivers["G5"] = {"simple", 3};
    view.refusals = 1;
    EXPECT_THAT(draft("expert"), HasSubstr("G5 (simple)"));
    const std::string one = draft("expert");
    view.refusals = 2;
    EXPECT_NE(draft("expert"), one);
    view.phases[3].elapsedMinutes = view.phases[3].budgetMinutes;
    EXPECT_THAT(draft("expert"), testing::Not(HasSubstr(view.phases[3].title)));
    view.phases[3].elapsedMinutes += 1;
    EXPECT_THAT(draft("expert"), HasSubstr(view.phases[3].title));
    view.iterations = {{.number = 1, .believed = "An index.", .analysis = "old", .learned = "No."},
                       {.number = 2, .believed = "A bound.", .analysis = "new", .learned = "Yes."},
                       {.number = 3}};
    EXPECT_EQ(draft("root-cause"), "new") << "the newest analysis";
    EXPECT_THAT(draft("failed"), HasSubstr("An index. No."));
    view.iterations.pop_back();
    EXPECT_THAT(draft("failed"), testing::Not(HasSubstr("A bound."))) << "the last one worked";
    view.written["next"] = "Rest.";
    const std::vector<DocumentAnswer> answers = composeDocument(view);
    ASSERT_EQ(answers.size(), 5U);
    EXPECT_EQ(answers[4].text, "Rest.");
    EXPECT_FALSE(answers[4].drafted);
    EXPECT_TRUE(answers[0].drafted);
    EXPECT_EQ(answers[0].text, "new");
    view.profileRun.reset();
    view.why = "Go on.";
    EXPECT_EQ(draft("next"), "Go on.");
    view.finished = true;
    EXPECT_EQ(draft("next"), "");
    EXPECT_EQ(documentQuestion("failed")->id, "failed");
    EXPECT_EQ(documentQuestion("mood"), nullptr);
}

} // namespace
} // namespace kl::test
