// SPDX-License-Identifier: MIT
#include "sessions/learning/history_parts.h"
#include "sessions/learning/mistake_count.h"
#include "sessions/learning/mistakes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kl {
namespace {

using ::testing::ElementsAre;

TracedEvent event(const std::string& type, std::map<std::string, std::string> words = {}, double minutes = 0)
{
    TracedEvent made;
    made.type = type;
    made.words = std::move(words);
    made.minutes = minutes;
    return made;
}

TracedEvent refusedBy(const std::string& rule, const std::string& action, const std::string& message = "no")
{
    return event("refused-attempt", {{"rule", rule}, {"action", action}, {"message", message}});
}

TracedEvent checkedEnvironment(const std::string& result)
{
    return event("environment-checked", {{"checks.0.id", "gpu"},
                                         {"checks.0.requirement", "required"},
                                         {"checks.0.result", result},
                                         {"checks.1.id", "disk"},
                                         {"checks.1.requirement", "optional"},
                                         {"checks.1.result", "fail"}});
}

TracedEvent withRun(const std::string& type, ResultStatus status)
{
    TracedEvent made = event(type);
    made.run = RunOutcome{status, CorrectnessResult::notChecked, "NVIDIA H200", ""};
    return made;
}

SessionTrace trace(std::vector<TracedEvent> events)
{
    SessionTrace made;
    made.header.source = Source::live;
    made.events = std::move(events);
    return made;
}

/// "id count/caught" of each.
std::vector<std::string> found(std::vector<TracedEvent> events)
{
    std::vector<std::string> texts;
    for (const Mistake& item : findMistakes(trace(std::move(events))))
        texts.push_back(item.id + ' ' + std::to_string(item.count) + '/' + std::to_string(item.caught));
    return texts;
}

TEST(Mistakes, ACleanSessionMakesNone)
{
    EXPECT_TRUE(found({event("opened", {{"answers.target-gpu", "NVIDIA H200"}, {"device", "NVIDIA H200"}}), checkedEnvironment("pass"),
                       withRun("smallest-verified", ResultStatus::ok), event("baseline-measured"), event("profiled"),
                       event("fix-chosen", {{"changes.0", "naive → tiled"}}), event("reverted"), event("finished")})
                    .empty());
}

TEST(Mistakes, AnUnvalidatedBuild)
{
    EXPECT_THAT(found({refusedBy("G1", "verify-smallest")}), ElementsAre("unvalidated-build 1/1"));
    EXPECT_THAT(found({event("waived", {{"gate", "G1"}, {"reason", "later"}})}), ElementsAre("unvalidated-build 1/0"));
    EXPECT_THAT(found({checkedEnvironment("fail"), withRun("smallest-verified", ResultStatus::compilationFailed)}),
                ElementsAre("unvalidated-build 1/0"));
    EXPECT_TRUE(found({checkedEnvironment("pass"), withRun("smallest-verified", ResultStatus::compilationFailed)}).empty())
        << "a build that fails in a checked environment is another matter; an optional check does not count";
    EXPECT_TRUE(found({event("waived", {{"gate", "G5"}, {"reason", "small"}})}).empty());
}

TEST(Mistakes, SharedMemoryFoundLate)
{
    EXPECT_THAT(found({refusedBy("shared-memory-first", "choose-fix"), withRun("candidate-verified", ResultStatus::deviceLimitsExceeded)}),
                ElementsAre("shared-memory-after-compile 2/1"));
}

TEST(Mistakes, ChangesMadeBlindly)
{
    EXPECT_THAT(found({refusedBy("profile-before-optimizing", "choose-fix"), refusedBy("stop-below-half", "choose-fix")}),
                ElementsAre("tiles-shrunk-without-profile 2/2"));
    EXPECT_EQ(blindOptimizations(trace({refusedBy("profile-before-optimizing", "choose-fix"), refusedBy("stop-below-half", "choose-fix"),
                                        refusedBy("one-variable", "choose-fix")})),
              2);
    TracedEvent slower = event("evaluated");
    slower.ratio = Ratio{0.75, 0.7, 0.8};
    EXPECT_THAT(found({slower, event("kept")}), ElementsAre("tiles-shrunk-without-profile 1/0")) << "0.12 became 0.09";
    slower.ratio = Ratio{0.99, 0.95, 1.03};
    EXPECT_TRUE(found({slower, event("kept")}).empty()) << "not shown to be slower";
}

TEST(Mistakes, ClaimsTakenAsReal)
{
    EXPECT_THAT(found({checkedEnvironment("pass"), refusedBy("baseline-first", "profile")}), ElementsAre("claims-taken-as-real 1/1"));
    EXPECT_TRUE(found({checkedEnvironment("pass"), event("baseline-measured"), refusedBy("baseline-first", "profile")}).empty())
        << "the same rule refuses another device";
    EXPECT_TRUE(found({checkedEnvironment("pass"), refusedBy("baseline-first", "verify-smallest")}).empty()) << "and before that, too";
    const TracedEvent claim = event("opened", {{"claims.0.source", "README"}, {"claims.0.figure", "1.36 ms"}});
    EXPECT_THAT(found({claim, event("finished")}), ElementsAre("claims-taken-as-real 1/0"));
    EXPECT_TRUE(found({claim, event("baseline-measured"), event("finished")}).empty());
    EXPECT_THAT(found({event("baseline-measured"), event("claim-added", {{"source", "talk"}}), event("finished")}),
                ElementsAre("claims-taken-as-real 1/0"));
    EXPECT_TRUE(found({claim}).empty()) << "there is still time";
}

TEST(Mistakes, ADesignForAnotherGpu)
{
    EXPECT_THAT(found({event("opened", {{"answers.target-gpu", "an H100 in the cloud"}, {"device", "NVIDIA L4"}})}),
                ElementsAre("scaled-down-design 1/0"));
    EXPECT_TRUE(found({event("opened", {{"answers.target-gpu", "whatever is there"}, {"device", "NVIDIA L4"}})}).empty());
}

TEST(Mistakes, LargeSizeFirstAndTwoVariables)
{
    EXPECT_THAT(found({refusedBy("smallest-first", "measure-baseline")}), ElementsAre("large-size-first 1/1"));
    EXPECT_THAT(found({refusedBy("one-variable", "choose-fix", "x changes 2 variables at once: a; b.")}), ElementsAre("two-variables 1/1"));
    EXPECT_THAT(found({refusedBy("one-variable", "choose-fix", "x changes 2 things at once: a; b.")}), ElementsAre("two-variables 1/1"))
        << "as stored by 0.1";
    EXPECT_THAT(found({event("fix-chosen"), refusedBy("one-variable", "choose-fix")}), ElementsAre("two-variables 1/1"));
    EXPECT_TRUE(found({event("fix-chosen"), event("reverted"), refusedBy("one-variable", "choose-fix", "tried already")}).empty());
    EXPECT_TRUE(found({refusedBy("one-variable", "keep")}).empty());
}

TEST(WrongPaths, AreRevertedChangesAndRoundsThatWereGivenUp)
{
    const auto paths = historyRow(trace({event("opened"), event("fix-chosen", {{"title", "Wider loads"}, {"candidate", "k/v"}}, 10),
                                         event("reverted", {}, 40), event("fix-chosen", {{"candidate", "k/w"}}, 50), event("kept", {}, 60),
                                         event("hypothesis", {{"text", "The index wraps."}}, 70), event("analysed", {}, 75),
                                         event("iteration-closed", {}, 82), event("hypothesis", {{"text", "The mask."}}, 90)}),
                                  {})
                           .wrongPaths;
    ASSERT_EQ(paths.size(), 2U) << "what was kept, or is still being looked at, is none";
    EXPECT_EQ(paths[0], (WrongPath{"Wider loads (k/v)", 30}));
    EXPECT_EQ(paths[1], (WrongPath{"The index wraps.", 12}));
}

TEST(Mistakes, RepeatsAreCountedOverSessionsButNotOverReplayedOnes)
{
    std::vector<HistoryRow> rows(4);
    rows[0].mistakes = {{"two-variables", 1, 0, 0, ""}};
    rows[1].mistakes = {{"two-variables", 2, 2, 0, ""}};
    rows[1].replayed = true;
    rows[2].mistakes = {{"two-variables", 3, 1, 0, ""}, {"large-size-first", 2, 2, 0, ""}};
    rows[3].mistakes = {{"two-variables", 1, 1, 0, ""}};
    markRepeated(rows);
    EXPECT_EQ(rows[0].mistakes[0].before, 0);
    EXPECT_EQ(rows[1].mistakes[0].before, 1);
    EXPECT_EQ(rows[2].mistakes[0].before, 1);
    EXPECT_EQ(rows[3].mistakes[0].before, 4);
    const HistoryTotals totals = computeTotals(rows);
    EXPECT_EQ(totals.mistakes, 7);
    EXPECT_EQ(totals.repeated, 3 + 1 + 1) << "the second of a kind in one session repeats the first";
}

TEST(MistakeCounts, AddSessionsUpAndLeaveReplayedOnesOut)
{
    History history;
    history.rows.resize(3);
    history.rows[0].mistakes = {{"a", 2, 1, 0, ""}, {"b", 5, 5, 0, ""}};
    history.rows[1].mistakes = {{"a", 1, 0, 2, ""}};
    history.rows[2].mistakes = {{"a", 7, 7, 3, ""}};
    history.rows[2].replayed = true;
    EXPECT_EQ(mistakeCount(history, "a"), (MistakeCount{3, 1}));
    EXPECT_EQ(mistakeCount(history, "b"), (MistakeCount{5, 5}));
    EXPECT_EQ(mistakeCount(history, "c"), MistakeCount{});
}

} // namespace
} // namespace kl
