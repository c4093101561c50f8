// SPDX-License-Identifier: MIT
// What the events of a session say, each by itself.
#include "sessions/session/events.h"

#include "sessions/session/session_model.h"

#include <gmock/gmock.h>

namespace kl::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kOpenedData = R"({"start":"transpose/naive","problem":"M=64,N=32","device":"H200","device_uuid":"GPU-1",
    "driver":"580.1","answers":{"why":"slow","odd":7},"claims":[{"source":"a","figure":"2x"},{"source":"b","figure":"3 us","about":"baseline"}],
    "options":{"cumulative":true,"git":false,"other":true}})";

/// Events in order, numbered from 1.
class Folded : public testing::Test {
protected:
    SessionFacts add(const std::string& type, const std::string& data = "{}")
    {
        events.push_back({static_cast<int>(events.size()) + 1, "t", type, data});
        const Result<SessionFacts> facts = foldEvents(events);
        EXPECT_TRUE(facts) << facts.error().message;
        return *facts;
    }
    SessionFacts chosen(const std::string& candidate)
    {
        return add("fix-chosen", R"({"fix":"f1","title":"Tile it","candidate":")" + candidate + "\"}");
    }
    SessionFacts chosenEdit()
    {
        return add("fix-chosen", R"({"fix":"own-edit","title":"Mine","candidate":"transpose/naive","source":{"file":"k.cu","before":"h1",
            "after":"h2","summary":"+1","diff":"d","copy_before":"c1","copy_after":"c2","git":true,"goal":"g"}})");
    }
    std::vector<SessionEvent> events{{1, "t", "opened", kOpenedData}};
};

TEST_F(Folded, OpeningSaysWhatTheSessionIsAbout)
{
    const SessionFacts facts = *foldEvents(events);
    EXPECT_EQ(facts.answers, (std::map<std::string, std::string>{{"why", "slow"}}));
    EXPECT_THAT(facts.claimsMade, ElementsAre(Claim{"a", "2x", "kernel"}, Claim{"b", "3 us", "baseline"}));
    EXPECT_TRUE(facts.cumulative);
    EXPECT_EQ(facts.git, false);
    EXPECT_EQ(toText(facts.start), "transpose/naive");
    EXPECT_EQ(facts.current, facts.start);
    EXPECT_EQ(toText(facts.problem), "M=64,N=32");
    EXPECT_EQ(facts.device, "H200");
    EXPECT_EQ(facts.deviceUuid, "GPU-1");
    EXPECT_EQ(facts.driver, "580.1");
    EXPECT_EQ(facts.lastSeq, 1);
    EXPECT_EQ(facts.conditionsSeq, 0);
}

TEST_F(Folded, WhatIsNoObjectIsNamed)
{
    for (const char* data : {"[]", "7", "{", "\"x\""}) {
        const Result<SessionFacts> facts = foldEvents({{1, "t", "note", data}});
        ASSERT_FALSE(facts) << data;
        EXPECT_EQ(facts.error().code, ErrorCode::badInput);
    }
    EXPECT_EQ(foldEvents({{1, "t", "note", "[]"}}).error().where, "note");
    EXPECT_EQ(foldEvents({{1, "t", "of-a-newer-program", ""}})->lastSeq, 1);
}

TEST_F(Folded, EachRunIsEvidenceOfItsKindByItsNewestEvent)
{
    for (const auto& [type, kind] :
         {std::pair{"smallest-verified", Evidence::smallest}, std::pair{"start-verified", Evidence::startSuite},
          std::pair{"baseline-measured", Evidence::baseline}, std::pair{"profiled", Evidence::profile},
          std::pair{"minimal-verified", Evidence::minimalCase}, std::pair{"candidate-verified", Evidence::candidate}}) {
        EXPECT_FALSE(foldEvents(events)->has(kind)) << type;
        add(type, R"({"run":"old"})");
        const SessionFacts facts = add(type, R"({"run":"new"})");
        EXPECT_EQ(facts.runs.at(kind).text, "new") << type;
        EXPECT_EQ(facts.evidence.at(kind), facts.lastSeq) << type;
    }
}

TEST_F(Folded, FailedEnvironmentsAreCountedInARow)
{
    const std::string failed = R"({"checks":[{"id":"gpu","requirement":"required","result":"fail","found":"","why":"","fix":""}]})";
    std::string passed = failed;
    passed.replace(passed.find("fail"), 4, "pass");
    EXPECT_EQ(add("environment-checked", failed).failedEnvironments, 1);
    EXPECT_EQ(add("environment-checked", failed).failedEnvironments, 2);
    const SessionFacts facts = add("environment-checked", passed);
    EXPECT_EQ(facts.failedEnvironments, 0);
    EXPECT_EQ(facts.evidence.at(Evidence::environment), 4);
    EXPECT_EQ(facts.environment->checks.at(0).id, "gpu");
    EXPECT_EQ(add("environment-checked", failed).failedEnvironments, 1);
}

TEST_F(Folded, BuildAndMemoryCheckKeepEachFigure)
{
    const SessionFacts facts = add("build-validated", R"({"status":"ok","reason":"r","log":"l","arch":"sm_90","seconds":1.5,"warnings":3,
        "unavailable":"u"})");
    EXPECT_EQ(facts.build, (BuildFacts{"ok", "r", "l", "sm_90", 1.5, 3, "u"}));
    EXPECT_TRUE(facts.has(Evidence::build));
    const SessionFacts checked = add("memory-checked", R"({"source":"h","seen":"s","unavailable":"u","found":2,"complete":true})");
    EXPECT_EQ(checked.memoryCheck, (MemoryCheck{"h", "s", "u", 2, true}));
    EXPECT_EQ(checked.evidence.at(Evidence::memory), 3);
}

TEST_F(Folded, AnotherCandidateTakesTheEvidenceOfTheLastWithIt)
{
    chosen("transpose/tiled");
    add("candidate-verified", R"({"run":"r"})");
    add("memory-checked", R"({"seen":"s"})");
    SessionFacts facts = add("evaluated", R"({"comparison":"c"})");
    EXPECT_EQ(facts.comparison.text, "c");
    EXPECT_EQ(facts.fix, "f1");
    EXPECT_EQ(facts.fixTitle, "Tile it");
    EXPECT_EQ(facts.fixSeq, 2);
    EXPECT_EQ(toText(*facts.candidate), "transpose/tiled");
    facts = chosen("transpose/padded");
    EXPECT_EQ(facts.fixSeq, 6);
    EXPECT_EQ(facts.comparison.text, "");
    EXPECT_FALSE(facts.memoryCheck);
    EXPECT_THAT(facts.evidence, IsEmpty());
    EXPECT_THAT(facts.runs, IsEmpty());
    EXPECT_THAT(facts.tried, IsEmpty()) << "it was not reverted";
}

TEST_F(Folded, ACandidateCheckedAgainIsNotEvaluatedYet)
{
    chosen("transpose/tiled");
    add("candidate-verified", R"({"run":"r"})");
    add("evaluated", R"({"comparison":"c"})");
    EXPECT_TRUE(add("minimal-verified", R"({"run":"m"})").has(Evidence::evaluation));
    const SessionFacts facts = add("candidate-verified", R"({"run":"r2"})");
    EXPECT_FALSE(facts.has(Evidence::evaluation));
    EXPECT_EQ(facts.comparison.text, "");
}

TEST_F(Folded, AnEditHasItsFilesAndItsGoal)
{
    SessionFacts facts = add("edit-begun", R"({"file":"k.cu","before":"h1","copy":"c","git":true,"fix":"f","goal":"g"})");
    EXPECT_EQ(facts.editing, (BegunEdit{"k.cu", "h1", "c", true, "f", "g"}));
    facts = chosenEdit();
    EXPECT_FALSE(facts.editing);
    EXPECT_EQ(facts.sourceChange, (SourceChange{"k.cu", "h1", "h2", "+1", "d", "c1", "c2", true, "g"}));
    facts = add("reverted", R"({"copy":"c3","restored":"c4"})");
    EXPECT_TRUE(facts.reverted);
    EXPECT_THAT(facts.tried, IsEmpty()) << "the same variant can be edited again";
    EXPECT_EQ(facts.decision, (LastDecision{4, false, "", "c3", "c4"}));
}

TEST_F(Folded, ARevertedCandidateWasTried)
{
    chosen("transpose/tiled");
    const SessionFacts facts = add("reverted");
    EXPECT_TRUE(facts.reverted);
    EXPECT_FALSE(facts.kept);
    EXPECT_THAT(facts.tried, ElementsAre(Address{"transpose", "tiled", {}}));
    EXPECT_EQ(facts.decision, (LastDecision{3, false, "", "", ""}));
    EXPECT_FALSE(chosen("transpose/padded").reverted);
}

TEST_F(Folded, KeepingWithACommitSetsTheOptionForLater)
{
    chosen("transpose/tiled");
    SessionFacts facts = add("kept", R"({"variant":"transpose/tiled"})");
    EXPECT_TRUE(facts.kept);
    EXPECT_EQ(facts.git, false);
    EXPECT_EQ(facts.decision, (LastDecision{3, true, "", "", ""}));
    add("undone", R"({"of":3})");
    facts = add("kept", R"({"variant":"transpose/padded","commit":"abc"})");
    EXPECT_EQ(facts.git, true);
    EXPECT_EQ(facts.commit, "abc");
    EXPECT_EQ(facts.decision, (LastDecision{5, true, "abc", "", ""}));
    EXPECT_EQ(toText(*facts.candidate), "transpose/padded");
}

TEST_F(Folded, WhatWasUndoneNeverWas)
{
    chosen("transpose/tiled");
    add("documented", R"({"artifact":"a"})");
    add("kept", R"({"variant":"transpose/tiled"})");
    const SessionFacts facts = add("undone", R"({"of":4})");
    EXPECT_FALSE(facts.kept);
    EXPECT_FALSE(facts.decision);
    EXPECT_FALSE(facts.documented) << "the report is about what was decided";
    EXPECT_EQ(facts.lastSeq, 5);
    EXPECT_EQ(toText(*facts.candidate), "transpose/tiled");
}

TEST_F(Folded, ParkedStepsAreTheNewStartAndSurviveADroppedCandidate)
{
    add("profiled", R"({"run":"of-start"})");
    chosen("transpose/tiled");
    SessionFacts facts =
        add("parked", R"({"from":"transpose/naive","to":"transpose/tiled","title":"T","comparison":"c","ratio":1.1,"low":1.05,
        "high":1.2})");
    ASSERT_EQ(facts.parked.size(), 1U);
    EXPECT_EQ(facts.parked[0], (ParkedStep{{"transpose", "naive", {}}, {"transpose", "tiled", {}}, "T", {"c"}, Ratio{1.1, 1.05, 1.2}, {}}));
    EXPECT_EQ(toText(facts.current), "transpose/tiled");
    EXPECT_FALSE(facts.candidate);
    add("profiled", R"({"run":"of-tiled"})");
    chosen("transpose/padded");
    facts = add("parked", R"({"from":"transpose/tiled","to":"transpose/padded"})");
    EXPECT_EQ(facts.parked[1].ratio, (Ratio{1, 1, 1})) << "where none is recorded";
    EXPECT_EQ(facts.startProfile.text, "of-start") << "of the first step's start";
    EXPECT_EQ(toText(facts.current), "transpose/padded");
    chosen("transpose/vector");
    facts = add("reverted");
    EXPECT_EQ(facts.parked.size(), 2U);
    EXPECT_FALSE(facts.reverted) << "only the candidate was dropped";
    EXPECT_FALSE(facts.candidate);
    EXPECT_TRUE(facts.decision);
    EXPECT_EQ(facts.runs.at(Evidence::profile).text, "of-tiled");
    facts = add("reverted");
    EXPECT_THAT(facts.parked, IsEmpty());
    EXPECT_TRUE(facts.reverted);
    EXPECT_EQ(facts.current, facts.start);
    EXPECT_EQ(facts.runs.at(Evidence::profile).text, "of-start");
}

TEST_F(Folded, AParkedEditKeepsItsChange)
{
    chosenEdit();
    const SessionFacts facts = add("parked", R"({"from":"transpose/naive","to":"transpose/naive"})");
    ASSERT_EQ(facts.parked.size(), 1U);
    EXPECT_EQ(facts.parked[0].source->after, "h2");
    EXPECT_FALSE(facts.sourceChange);
}

TEST_F(Folded, AnIterationCollectsWhatIsLearnedAndTheNextBeginsEmpty)
{
    add("hypothesis", R"({"text":"an index"})");
    add("instrumented", R"({"text":"a print"})");
    add("failing-case-found", R"({"run":"r","problem":"M=1,N=2","seen":"NaN"})");
    add("sanitized", R"({"seen":"First."})");
    add("sanitized", R"({"seen":"Second."})");
    add("sanitized", R"({"seen":"First."})");
    add("analysed", R"({"text":"off by one"})");
    SessionFacts facts = chosen("transpose/tiled");
    ASSERT_EQ(facts.iterations.size(), 1U);
    EXPECT_TRUE(facts.iterationOpen);
    EXPECT_EQ(facts.iterations[0],
              (DebugIteration{1, "an index", "a print", "NaN", "First. Second.", "off by one", "Tile it", "", "", "run:r"}));
    EXPECT_EQ(toText(*facts.failingProblem), "M=1,N=2");
    EXPECT_EQ(facts.runs.at(Evidence::failingCase).text, "r");
    add("minimal-verified", R"({"run":"m"})");
    facts = add("iteration-closed", R"({"learned":"not that","result":"still wrong"})");
    EXPECT_FALSE(facts.iterationOpen);
    EXPECT_EQ(facts.iterations[0].learned, "not that");
    EXPECT_EQ(facts.iterations[0].result, "still wrong");
    EXPECT_THAT(facts.tried, ElementsAre(Address{"transpose", "tiled", {}}));
    EXPECT_FALSE(facts.candidate);
    EXPECT_THAT(facts.evidence, IsEmpty());
    facts = add("hypothesis", R"({"text":"a barrier"})");
    ASSERT_EQ(facts.iterations.size(), 2U);
    EXPECT_EQ(facts.iterations[1], (DebugIteration{.number = 2, .believed = "a barrier"}));
    EXPECT_FALSE(add("failing-case-found", R"({"run":"r","problem":null,"seen":"all pass"})").failingProblem);
}

TEST_F(Folded, AClosedIterationOfAnEditTriedNoVariant)
{
    add("hypothesis", R"({"text":"an index"})");
    chosenEdit();
    EXPECT_THAT(add("iteration-closed", R"({"learned":"no"})").tried, IsEmpty());
    add("hypothesis", R"({"text":"another"})");
    EXPECT_THAT(add("iteration-closed", R"({"learned":"no"})").tried, IsEmpty()) << "nothing was tried at all";
}

TEST_F(Folded, AToolThatFoundAnErrorHasToPassFromThenOn)
{
    chosen("transpose/tiled");
    EXPECT_TRUE(add("memory-checked", R"({"seen":"s","complete":true})").has(Evidence::memory));
    EXPECT_TRUE(
        add("sanitized", R"({"seen":"a","checks":[{"tool":"racecheck","findings":[]},{"tool":"synccheck"}]})").has(Evidence::memory))
        << "nothing was found";
    const std::string found = R"({"seen":"b","checks":[{"tool":"racecheck","findings":[{}]},{"tool":"initcheck","findings":[{}]}]})";
    SessionFacts facts = add("sanitized", found);
    EXPECT_THAT(facts.foundBy, ElementsAre("racecheck", "initcheck"));
    EXPECT_FALSE(facts.memoryCheck);
    EXPECT_FALSE(facts.has(Evidence::memory));
    add("memory-checked", R"({"seen":"s","complete":true})");
    facts = add("sanitized", found);
    EXPECT_THAT(facts.foundBy, ElementsAre("racecheck", "initcheck")) << "each once";
    EXPECT_TRUE(facts.has(Evidence::memory)) << "the check has run these tools";
}

TEST_F(Folded, RemarksArePutWhereTheyBelong)
{
    add("waived", R"({"gate":"G1","reason":"old"})");
    add("waived", R"({"gate":"G1","reason":"new"})");
    add("note", R"({"text":"n1"})");
    add("note", R"({"text":"n2"})");
    add("written", R"({"question":"next","text":"w1"})");
    add("written", R"({"question":"next","text":"w2"})");
    add("pattern-applied", R"({"slug":"p"})");
    add("pattern-applied", R"({"slug":"p"})");
    add("claim-added", R"({"source":"c","figure":"4x"})");
    add("option-set", R"({"name":"cumulative","value":false})");
    add("option-set", R"({"name":"git","value":true})");
    add("stalled", R"({"text":"silent"})");
    add("ticked", R"({"item":"smoke","note":"fine"})");
    add("ticked", R"({"item":"loads","note":"yes"})");
    add("ticked", R"({"item":"loads","note":""})");
    add("history-looked", R"({"found":"abc"})");
    add("refused-attempt");
    add("progress", R"({"text":"half"})");
    const SessionFacts facts = add("refused-attempt");
    EXPECT_EQ(facts.waivers.at("G1").reason, "new");
    EXPECT_EQ(facts.waivers.at("G1").seq, 3);
    EXPECT_THAT(facts.notes, ElementsAre("n1", "n2"));
    EXPECT_EQ(facts.written.at("next"), "w2");
    EXPECT_THAT(facts.patternsApplied, ElementsAre("p"));
    EXPECT_EQ(facts.claimsMade.back(), (Claim{"c", "4x", "kernel"}));
    EXPECT_FALSE(facts.cumulative);
    EXPECT_EQ(facts.git, true);
    EXPECT_THAT(facts.stalls, ElementsAre("silent"));
    EXPECT_EQ(facts.ticks, (std::map<std::string, std::string>{{"smoke", "fine"}}));
    EXPECT_EQ(facts.historySeq, 17);
    EXPECT_EQ(facts.historyFound, "abc");
    EXPECT_EQ(facts.refusals, 2);
}

TEST_F(Folded, OtherConditionsReplaceTheDevice)
{
    add("documented");
    const SessionFacts facts = add("conditions-changed", R"({"device":"A100","device_uuid":"GPU-2","driver":"581","what":"another GPU"})");
    EXPECT_EQ(facts.device + facts.deviceUuid + facts.driver, "A100GPU-2581");
    EXPECT_EQ(facts.conditionsSeq, 3);
    EXPECT_EQ(facts.conditionsChanged, "another GPU");
    EXPECT_FALSE(facts.documented);
}

TEST_F(Folded, AReportIsAboutTheEvidenceOfItsTime)
{
    for (const char* later : {"profiled", "hypothesis", "sanitized", "fix-chosen", "edit-begun", "parked", "iteration-closed"}) {
        const SessionFacts facts = add("documented", R"({"artifact":"a","retrospective":"r"})");
        EXPECT_TRUE(facts.documented);
        EXPECT_EQ(facts.artifact, "a");
        EXPECT_EQ(facts.retrospective, "r");
        EXPECT_FALSE(add(later).documented) << later;
    }
    add("documented");
    EXPECT_TRUE(add("note", R"({"text":"x"})").documented);
    const SessionFacts facts = add("finished", R"({"outcome":"kept","speedup":1.5,"minutes":12})");
    EXPECT_TRUE(facts.finished);
    EXPECT_EQ(facts.outcome, "kept");
    EXPECT_EQ(facts.finishedSpeedup, 1.5);
    EXPECT_EQ(facts.finishedMinutes, 12);
}

TEST(SessionParts, SeveralEditsAreOneFromTheFirstTextToTheLast)
{
    const SourceChange first{"k.cu", "h1", "h2", "+1", "d", "c1", "c2", true, "g"};
    const SourceChange second{"k.cu", "h2", "h3", "+2", "e", "c2", "c3", false, ""};
    ParkedStep edit;
    edit.source = first;
    EXPECT_FALSE(wholeEdit({ParkedStep{}}, {}));
    EXPECT_EQ(wholeEdit({edit, ParkedStep{}}, {}), first);
    EXPECT_EQ(wholeEdit({ParkedStep{}}, second), second);
    const SourceChange whole = *wholeEdit({edit}, second);
    EXPECT_EQ(whole, (SourceChange{"k.cu", "h1", "h3", "+1", "d", "c1", "c3", false, "g"})) << "in git only if both are";
    edit.ratio = {1.1, 1.05, 1.2};
    EXPECT_EQ(computeProduct({edit}, {}), edit.ratio);
    EXPECT_EQ(computeProduct({}, Ratio{2, 1.5, 3}), (Ratio{2, 1.5, 3}));
    EXPECT_EQ(computeProduct({}, {}), (Ratio{1, 1, 1}));
}

TEST(SessionGain, IsOfAKeptChangeWithWhatIsParkedBelow)
{
    SessionView view;
    view.evaluation.emplace();
    view.evaluation->ratio = Ratio{1.5, 1.4, 1.6};
    EXPECT_FALSE(computeGain(view)) << "not kept";
    view.kept = true;
    EXPECT_EQ(computeGain(view), 1.5);
    view.parked.push_back({});
    view.parked.back().ratio = {2, 2, 2};
    EXPECT_EQ(computeGain(view), 3);
    view.evaluation.reset();
    EXPECT_EQ(computeGain(view), 2);
    view.parked.clear();
    EXPECT_FALSE(computeGain(view));
}

} // namespace
} // namespace kl::test
