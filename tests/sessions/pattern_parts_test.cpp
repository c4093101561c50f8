// SPDX-License-Identifier: MIT
// What patterns save, which of them suit, and what a session teaches, from views that are written down here.
#include "core/base/format.h"
#include "core/codec/json.h"
#include "core/diagnosis/classes.h"
#include "sessions/patterns/add_pattern.h"
#include "sessions/patterns/pattern_body.h"
#include "sessions/patterns/pattern_flow.h"
#include "sessions/patterns/pattern_library.h"
#include "sessions/patterns/savings.h"
#include "sessions/patterns/session_lesson.h"
#include "sessions/patterns/slug.h"
#include "sessions/patterns/suggest.h"
#include "sessions/patterns/totals.h"
#include "tests/sessions/text_lines.h"
#include "tests/support/snapshot.h"
#include "tests/support/store_support.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Ne;
using ::testing::Not;
using ::testing::SizeIs;

TEST(PatternReturns, InvestmentsGiveTheReturnOfWhatIsKnown)
{
    std::vector<PatternReturn> rows(3);
    rows[0].slug = "a";
    rows[0].measuredMinutes = 30;
    rows[0].quotedMinutes = 60;
    rows[1].slug = "b";
    rows[1].measuredMinutes = 100;
    rows[1].quotedDollars = 3;
    rows[1].derivedMinutes = 7;
    rows[2].slug = "c";
    rows[2].quotedMinutes = 40;
    addInvestments(rows, {{"a", "N", 10.0, 20.0}, {"c", "N+1", 15.0, 30.0}, {"d", "N+2", 1.0, 1.0}});
    EXPECT_EQ(rows[0].learnedIn, "N");
    EXPECT_EQ(rows[0].investedLow, 10);
    EXPECT_EQ(rows[0].investedHigh, 20);
    EXPECT_EQ(rows[0].measuredReturn, 1.5) << "of the higher figure";
    EXPECT_EQ(rows[0].quotedReturn, 3);
    EXPECT_FALSE(rows[1].investedHigh || rows[1].measuredReturn);
    EXPECT_FALSE(rows[2].measuredReturn);
    const PatternReturn total = computeTotal(rows);
    EXPECT_EQ(total.measuredMinutes, 130);
    EXPECT_EQ(total.quotedMinutes, 100);
    EXPECT_EQ(total.derivedMinutes, 7);
    EXPECT_EQ(total.quotedDollars, 3);
    EXPECT_EQ(total.investedLow, 25);
    EXPECT_EQ(total.investedHigh, 50);
    EXPECT_DOUBLE_EQ(*total.measuredReturn, 30.0 / 50) << "what b saved has no investment";
    EXPECT_EQ(total.quotedReturn, 2);
    EXPECT_FALSE(computeTotal({}).measuredReturn);
}

TEST(PatternReturns, QuotedDollarsAreAddedToTheQuotedTime)
{
    const auto rows = patternReturns({{"a", "", "A"}}, {{"1", "a", "s", "t", 30.0, 120.0, 5.0, false, ""}}, 60);
    EXPECT_EQ(rows[0].measuredValue, 30);
    EXPECT_EQ(rows[0].quotedValue, 125);
    EXPECT_EQ(rows[0].title, "A");
}

/// Of an untimed stage, of no stage, and one that was measured.
std::vector<MeasuredSaving> computeExampleSavings()
{
    const auto timed = [](const char* id, double minutes, std::vector<std::pair<std::string, std::string>> applied = {}) {
        return PhaseTimes{id, "optimize", {{"profile", minutes}}, std::move(applied)};
    };
    return computeMeasuredSavings(
        {timed("a", 30), timed("b", 50), timed("c", 34, {{"p", "fix"}}), timed("d", 10, {{"p", "profile"}, {"q", ""}})});
}

TEST(MeasuredSavings, SayHowTheyWereMeasuredOrWhatIsMissing)
{
    const auto savings = computeExampleSavings();
    ASSERT_THAT(savings, SizeIs(3));
    EXPECT_EQ(savings[0].session, "c");
    EXPECT_FALSE(savings[0].minutes);
    EXPECT_THAT(savings[0].why, HasSubstr("fix"));
    EXPECT_EQ(savings[1].phase, "");
    EXPECT_FALSE(savings[1].minutes);
    EXPECT_THAT(savings[1].why, AllOf(Not(IsEmpty()), Ne(savings[0].why)));
    EXPECT_EQ(savings[2].pattern, "p");
    EXPECT_EQ(savings[2].phase, "profile");
    EXPECT_EQ(savings[2].minutes, 24) << "applied in another phase of c";
    EXPECT_THAT(savings[2].why, AllOf(HasSubstr(formatMinutes(10)), HasSubstr(formatMinutes(34)), HasSubstr(" 3 ")));
}

TEST(MeasuredSavings, SnapshotOfTheWords)
{
    std::string text;
    for (const MeasuredSaving& saving : computeExampleSavings())
        text += saving.session + ' ' + saving.pattern + " | " + saving.why + '\n';
    test::expectSnapshot("texts/measured-savings.txt", text);
}

TEST(Slug, HasAtMostFortyEightCharacters)
{
    EXPECT_EQ(makeSlug(std::string(48, 'x')), std::string(48, 'x'));
    EXPECT_EQ(makeSlug(std::string(49, 'X')), std::string(48, 'x'));
    EXPECT_EQ(makeSlug(std::string(47, 'x') + " y"), std::string(47, 'x')) << "no hyphen at its end";
    EXPECT_EQ(makeSlug("-a--b-"), "a-b");
}

TEST(PatternFlow, BoxesShowWhatIsKnownAndTakeTheirBranch)
{
    FlowFacts facts;
    const auto box = [&](const char* id) {
        const PatternFlow flow = patternFlow(facts);
        return *std::ranges::find(flow.nodes, id, &FlowNode::id);
    };
    EXPECT_EQ(box("environment").fact, "");
    facts.environment = false;
    const FlowNode failed = box("environment");
    EXPECT_EQ(failed.state, FlowState::now);
    EXPECT_NE(failed.fact, "");
    facts.environment = true;
    EXPECT_EQ(box("environment").state, FlowState::done);
    EXPECT_THAT(box("environment").fact, AllOf(Not(IsEmpty()), Ne(failed.fact)));
    facts.speedup = 1.25;
    EXPECT_EQ(box("baseline").fact, formatRatio(1.25));
    facts.classId = "sync-bound";
    EXPECT_EQ(box("success").state, FlowState::done) << "it was profiled all the same";
    EXPECT_EQ(box("tree").fact, "sync-bound");
    EXPECT_EQ(box("latency").state, FlowState::now);
    EXPECT_EQ(box("memory").state, FlowState::skipped);
    EXPECT_EQ(box("fix").state, FlowState::ahead);
    facts.changed = true;
    facts.fix = "tiled";
    EXPECT_EQ(box("latency").state, FlowState::done);
    EXPECT_EQ(box("fix").fact, "tiled");
    EXPECT_EQ(box("fix").state, FlowState::done);
    facts.gain = Ratio{1.5, 1.1, 1.9};
    EXPECT_EQ(box("again").fact, formatRatio(1.5));
    EXPECT_EQ(box("keep").state, FlowState::skipped);
    EXPECT_EQ(box("revert").state, FlowState::now);
    facts.outcome = "kept";
    EXPECT_EQ(box("keep").state, FlowState::done) << "what was decided counts";
    facts.incorrect = true;
    EXPECT_EQ(box("debug").state, FlowState::now);
    EXPECT_EQ(box("tree").state, FlowState::ahead);
    EXPECT_STREQ(bottleneckGroup("atomics"), "latency");
    EXPECT_STREQ(bottleneckGroup("divergence"), "compute");
    EXPECT_STREQ(bottleneckGroup("host-bound"), "launch");
    EXPECT_STREQ(bottleneckGroup("register-spills"), "memory");
}

TEST(PatternFlow, SnapshotOfTheBoxes)
{
    FlowFacts facts;
    const auto passed = [&](bool environment) {
        facts.environment = environment;
        return std::to_string(environment) + " | " + patternFlow(facts).nodes.front().fact + '\n';
    };
    std::string text = passed(false) + passed(true);
    SessionView view;
    view.candidate = Address{"transpose", "tiled", {}};
    view.sourceChange.emplace();
    text += "fix | " + flowFacts(view).fix + '\n';
    const PatternFlow flow = patternFlow(facts);
    for (const FlowNode& node : flow.nodes)
        text += node.id + " | " + node.title + '\n';
    for (const FlowEdge& edge : flow.edges)
        text += edge.from + ' ' + edge.to + " | " + edge.label + '\n';
    test::expectSnapshot("texts/pattern-flow.txt", text);
}

TEST(PatternFlow, FactsAreThoseOfTheRunsThatCount)
{
    RunRecord run = support::profiledRun("r", "naive", "2026-01-01", 100);
    const FlowFacts ofRun = flowFacts(run);
    EXPECT_EQ(ofRun.environment, true);
    EXPECT_FALSE(ofRun.incorrect);
    EXPECT_EQ(ofRun.speedup, 0.25);
    EXPECT_EQ(ofRun.classId, "uncoalesced");
    run.correctness.result = CorrectnessResult::replays;
    EXPECT_TRUE(flowFacts(run).incorrect);
    SessionView view;
    EXPECT_EQ(flowFacts(view), FlowFacts{});
    view.environment = EnvReport{{{"gpu", Requirement::required, CheckResult::fail, {}, {}, {}}}, {}, {}};
    EXPECT_EQ(flowFacts(view).environment, false);
    view.smallestRun = support::timedRun("s", "naive", "2026-01-01", 100);
    view.smallestRun->status = ResultStatus::validationFailed;
    EXPECT_TRUE(flowFacts(view).incorrect);
    view.candidateRun = support::timedRun("c", "tiled", "2026-01-01", 100);
    EXPECT_FALSE(flowFacts(view).incorrect) << "the candidate is what counts";
    view.candidateRun->status = ResultStatus::validationFailed;
    EXPECT_TRUE(flowFacts(view).incorrect);
    view.candidate = Address{"transpose", "tiled", {}};
    view.parked.push_back({{}, {}, {}, {}, {2, 1.5, 2.5}, {}});
    view.evaluation.emplace().ratio = Ratio{1.5, 1.25, 1.75};
    view.outcome = "reverted";
    const FlowFacts facts = flowFacts(view);
    EXPECT_EQ(facts.fix, "tiled");
    EXPECT_DOUBLE_EQ(facts.gain->value, 3);
    EXPECT_DOUBLE_EQ(facts.gain->low, 1.875) << "with what was parked";
    EXPECT_EQ(facts.outcome, "reverted");
    EXPECT_TRUE(facts.changed);
    view.sourceChange.emplace();
    EXPECT_THAT(flowFacts(view).fix, AllOf(Not(IsEmpty()), Ne("tiled"))) << "an edit is not a variant";
}

/// A library with a pattern per occasion, slug = occasion.
PatternLibrary occasionLibrary()
{
    PatternLibrary library;
    for (const std::string& when : occasions()) {
        Pattern pattern;
        pattern.slug = when;
        pattern.title = "On " + when;
        pattern.kind = "operational";
        pattern.when = when;
        library.patterns.push_back(pattern);
    }
    library.byClass["dram-bound"] = {"finding"};
    return library;
}

std::vector<std::string> suitable(const SessionView& view)
{
    const PatternLibrary library = occasionLibrary();
    std::vector<std::string> slugs;
    for (const Suggestion& suggestion : suggestionsFor(library, library.patterns, view))
        slugs.push_back(suggestion.slug + (suggestion.applied ? " (applied)" : ""));
    return slugs;
}

TEST(Suggestions, AreAppliedInAnOpenSessionAndShownAnywhere)
{
    SessionView view;
    const auto steps = [&] {
        const PatternLibrary library = occasionLibrary();
        const std::vector<Suggestion> found = suggestionsFor(library, library.patterns, view);
        EXPECT_EQ(found.size(), 1U);
        return found.empty() ? std::vector<NextStep>() : found.front().next;
    };
    ASSERT_EQ(steps().size(), 1U);
    EXPECT_EQ(steps()[0].id, StepId::showPattern);
    EXPECT_EQ(steps()[0].at(StepArgument::pattern), "session-start");
    EXPECT_EQ(steps()[0].at(StepArgument::session), "");
    view.header.id.text = "s1";
    view.header.source = Source::sample;
    ASSERT_EQ(steps().size(), 2U);
    EXPECT_EQ(steps()[0].id, StepId::applyPattern);
    EXPECT_EQ(steps()[0].at(StepArgument::pattern), "session-start");
    EXPECT_EQ(steps()[0].at(StepArgument::session), "s1");
    EXPECT_EQ(steps()[0].at(StepArgument::source), "sample");
    EXPECT_EQ(steps()[1].id, StepId::showPattern);
    view.patternsApplied = {"session-start"};
    ASSERT_EQ(steps().size(), 1U) << "once per session";
    view.patternsApplied.clear();
    view.finished = true;
    ASSERT_EQ(steps().size(), 1U) << "it is over";
    EXPECT_EQ(steps()[0].id, StepId::showPattern);
}

TEST(Suggestions, FollowWhatHappened)
{
    SessionView view;
    EXPECT_THAT(suitable(view), ElementsAre("session-start"));
    view.environment.emplace();
    EXPECT_THAT(suitable(view), IsEmpty());
    view.baselineRun = support::timedRun("b", "naive", "2026-01-01", 100);
    view.baselineRun->speedup = 1;
    EXPECT_THAT(suitable(view), IsEmpty());
    view.baselineRun->speedup = 0.99;
    EXPECT_THAT(suitable(view), ElementsAre("speedup-below-1"));
    view.profileRun = support::profiledRun("p", "naive", "2026-01-01", 100);
    EXPECT_THAT(suitable(view), IsEmpty()) << "nothing is listed for its class";
    view.profileRun->diagnosis->finding.classId = "dram-bound";
    EXPECT_THAT(suitable(view), ElementsAre("finding"));
    view.candidate = Address{"transpose", "tiled", {}};
    view.patternsApplied = {"re-measure"};
    EXPECT_THAT(suitable(view), ElementsAre("finding", "re-measure (applied)"));
    view.candidateRun = support::timedRun("c", "tiled", "2026-01-01", 100);
    view.candidateRun->status = ResultStatus::validationFailed;
    EXPECT_THAT(suitable(view), ElementsAre("wrong-result", "finding", "re-measure (applied)"));
    view.candidateRun->status = ResultStatus::compilationFailed;
    EXPECT_THAT(suitable(view), ElementsAre("build-failure", "finding", "re-measure (applied)"));
    view.candidateRun->status = ResultStatus::ok;
    view.outcome = "kept";
    EXPECT_THAT(suitable(view), ElementsAre("finding", "keep"));
    view.outcome = "reverted";
    EXPECT_THAT(suitable(view), ElementsAre("finding"));
    PhaseView phase;
    phase.id = "fix";
    phase.patterns = {"long-work", "finding", "unknown"};
    view.phases = {phase};
    EXPECT_THAT(suitable(view), ElementsAre("finding")) << "another phase";
    view.phase = "fix";
    EXPECT_THAT(suitable(view), ElementsAre("finding", "long-work")) << "each once, of those that are known";
    view = {};
    view.environment.emplace();
    view.smallestRun = support::timedRun("s", "naive", "2026-01-01", 100);
    view.smallestRun->status = ResultStatus::compilationFailed;
    EXPECT_THAT(suitable(view), ElementsAre("build-failure"));
}

TEST(Suggestions, OutsideOfASessionFollowTheOccasionAndThePhase)
{
    const PatternLibrary library = occasionLibrary();
    std::vector<Pattern> patterns = library.patterns;
    Pattern own;
    own.slug = "mine";
    own.kind = "own";
    own.when = "keep";
    patterns.push_back(own);
    const auto shows = [](const char* slug) { return std::vector<NextStep>{{StepId::showPattern, {{StepArgument::pattern, slug}}, {}}}; };
    EXPECT_EQ(suggestionsOn(library, patterns, "keep"),
              (std::vector<Suggestion>{{"keep", "keep", false, shows("keep")}, {"mine", "keep", false, shows("mine")}}))
        << "there is no session to apply it in";
    const std::vector<Suggestion> onFinding = suggestionsOn(library, patterns, "finding", "dram-bound");
    ASSERT_THAT(onFinding, SizeIs(1));
    EXPECT_THAT(onFinding[0].why, HasSubstr(std::string(classTitle("dram-bound"))));
    EXPECT_EQ(onFinding[0], (Suggestion{"finding", onFinding[0].why, false, shows("finding")}));
    const auto unknown = suggestionsInPhase(library, patterns, "optimize", "no-such");
    EXPECT_EQ(unknown.error().code, ErrorCode::notFound);
    EXPECT_THAT(unknown.error().hint, HasSubstr("baseline"));
    EXPECT_FALSE(suggestionsInPhase(library, patterns, "no-such-kind", "baseline"));
    const PatternLibrary shipped = *PatternLibrary::loadEmbedded();
    const auto baseline = suggestionsInPhase(shipped, shipped.patterns, "optimize", "baseline");
    ASSERT_TRUE(baseline) << baseline.error().message;
    ASSERT_FALSE(baseline->empty());
    EXPECT_EQ(baseline->front().slug, "baseline-first");
}

TEST(Lessons, AreWhatTheEngineerWroteElseTheDraft)
{
    SessionView view;
    view.header.id = {"s"};
    view.header.name = "N+6";
    view.header.objective = "make it fast";
    view.why = "measure first";
    const Pattern bare = draftLesson(view);
    EXPECT_THAT(bare.title, HasSubstr("N+6"));
    EXPECT_EQ(bare.slug, makeSlug(bare.title));
    EXPECT_EQ(bare.problem, "make it fast");
    EXPECT_EQ(bare.advice, "measure first");
    EXPECT_EQ(bare.when, "session-start");
    EXPECT_EQ(bare.learnedIn, "s");
    EXPECT_EQ(bare.kind, "own");
    view.retrospective = "padding helped";
    EXPECT_EQ(draftLesson(view).advice, "padding helped");
    view.written = {{"root-cause", "rows collide"}, {"expert", "look at the banks"}};
    EXPECT_EQ(draftLesson(view).problem, "rows collide");
    EXPECT_EQ(draftLesson(view).advice, "look at the banks");
    view.written["worked"] = "one word of padding.";
    EXPECT_EQ(draftLesson(view).advice, "one word of padding. look at the banks");
    const auto store = support::openStore(":memory:");
    const Pattern saved = *saveLesson(*store, view);
    EXPECT_EQ(saved.slug, bare.slug);
    view.written["worked"] = "two words.";
    view.header.name = "renamed";
    const Pattern again = *saveLesson(*store, view);
    EXPECT_EQ(again.slug, saved.slug) << "in its place";
    EXPECT_EQ(again.title, saved.title);
    EXPECT_THAT(again.advice, HasSubstr("two words."));
    view.header.id = {"other"};
    view.header.name = "N+6";
    EXPECT_EQ(saveLesson(*store, view)->slug, bare.slug + "-2");
    EXPECT_THAT(*store->patterns(), SizeIs(2));
    EXPECT_EQ(lessonIn(*store->patterns(), {"s"})->slug, saved.slug);
    EXPECT_EQ(lessonIn(*store->patterns(), {"none"}), std::nullopt);
}

constexpr const char* kBlankPatterns[] = {R"({"slug": "", "title": "A", "kind": "own"})", R"({"slug": "a", "title": "", "kind": "own"})",
                                          R"({"slug": "a", "title": "A", "kind": ""})"};

/// Of a file with these patterns, which is at fault.
Error libraryError(const std::string& patterns, const std::string& rest = {})
{
    const auto read = PatternLibrary::parse(R"({"origin": "notes", "patterns": [)" + patterns + "]" + rest + "}", "f");
    EXPECT_FALSE(read) << patterns;
    return read ? Error() : read.error();
}

TEST(PatternLibraryErrors, SnapshotOfEachFault)
{
    std::string text;
    for (const char* blank : kBlankPatterns)
        text += test::errorLine(blank, libraryError(blank));
    const std::string pattern = R"({"slug": "a", "title": "A", "kind": "own"})";
    text += test::errorLine("listed twice", libraryError(pattern + ',' + pattern));
    text += test::errorLine("of no pattern", libraryError(pattern, R"(, "findings": {"x": ["b"]})"));
    test::expectSnapshot("errors/pattern-library.txt", text);
}

TEST(PatternLibraries, NameWhatIsWrongInTheirFile)
{
    for (const char* blank : kBlankPatterns) {
        const Error error = libraryError(blank);
        EXPECT_EQ(error.code, ErrorCode::badInput) << blank;
        EXPECT_EQ(error.where, "f") << blank;
        EXPECT_THAT(error.message, Not(HasSubstr("\""))) << "there is nothing to name: " << blank;
    }
    const auto read = PatternLibrary::parse(
        R"({"origin": "notes", "patterns": [{"slug": "a", "label": "1", "title": "A", "kind": "planned", "when": "keep",
        "problem": "p", "advice": "b", "quoted_minutes": 1, "quoted_minutes_high": 2, "quoted_dollars": 3}],
        "findings": {"x": ["a"]}, "notes": [{"text": "n"}], "totals": [{"what": "w", "low": 1, "high": 2, "text": "t"}]})",
        "f");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->patterns.at(0), (Pattern{"a", "1", "A", "planned", "p", "b", "keep", 1.0, 2.0, 3.0, "notes", ""}));
    EXPECT_THAT(read->notes, ElementsAre("n"));
    EXPECT_EQ(read->totals.at(0).high, 2);
    EXPECT_THAT(patternsFor(*read, "keep"), IsEmpty()) << "it is planned";
    EXPECT_THAT(patternsFor(*read, "finding", "x"), ElementsAre("profile-before-optimize", "a"));
}

TEST(PatternBody, EachFieldIsReplacedByItsOwn)
{
    const auto store = support::openStore(":memory:");
    ASSERT_TRUE(addPattern(*store, {"mine", "", "Mine", "own", "p", "a"}));
    const PatternBody whole{"why", "evidence", {"step"}, "before", "after", "example", {"item"}};
    ASSERT_TRUE(editPatternBody(*store, "mine", whole));
    EXPECT_EQ(*patternBody(*store, "mine"), whole);
    EXPECT_EQ(bodyToJson(whole), (Json{{"why", "why"},
                                       {"evidence", "evidence"},
                                       {"steps", {"step"}},
                                       {"before", "before"},
                                       {"after", "after"},
                                       {"example", "example"},
                                       {"checklist", {"item"}}}));
    ASSERT_TRUE(setPatternBody(*store, "mine", {.why = "other"}));
    EXPECT_EQ(*patternBody(*store, "mine"), (PatternBody{.why = "other"}));
    ASSERT_TRUE(setPatternBody(*store, "mine", {}));
    EXPECT_EQ(*patternBody(*store, "mine"), PatternBody{});
    EXPECT_EQ(setPatternBody(*store, "gone", whole).error().code, ErrorCode::notFound);
    Pattern costly{"costly", "", "Costly", "own", "p", "a"};
    costly.quotedMinutes = -1;
    EXPECT_EQ(addPattern(*store, costly).error().where, "costly");
    costly.quotedMinutes.reset();
    costly.quotedDollars = -1;
    EXPECT_EQ(addPattern(*store, costly).error().code, ErrorCode::badInput);
}

} // namespace
} // namespace kl
