// SPDX-License-Identifier: MIT
#include "tests/support/store_support.h"

#include "sessions/patterns/pattern_library.h"
#include "sessions/patterns/totals.h"

#include <algorithm>
#include <gmock/gmock.h>

namespace kl {
namespace {

using support::openStore;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

const PatternLibrary& library()
{
    static const Result<PatternLibrary> loaded = PatternLibrary::loadEmbedded();
    return *loaded;
}

const Pattern& pattern(const std::string& slug)
{
    const auto& all = library().patterns;
    const auto found = std::find_if(all.begin(), all.end(), [&](const Pattern& p) { return p.slug == slug; });
    EXPECT_NE(found, all.end()) << slug;
    return *found;
}

TEST(PatternLibrary, CarriesTheFactsOfTheNotes)
{
    ASSERT_TRUE(PatternLibrary::loadEmbedded());
    const std::vector<std::pair<std::string, std::pair<std::string, double>>> facts{
        {"baseline-first", {"1", 60}},           {"profile-before-optimize", {"2", 90}},
        {"static-assertions", {"3", 30}},        {"explicit-instantiation", {"4", 45}},
        {"preemptible-detection", {"5", 20}},    {"bisect-over-archaeology", {"6", 55}},
        {"single-compilation-unit", {"8", 40}},  {"environment-validation", {"9", 50}},
        {"profiling-decision-tree", {"10", 30}}, {"validate-without-exception", {"10", 60}}};
    for (const auto& [slug, fact] : facts) {
        EXPECT_EQ(pattern(slug).label, fact.first) << slug;
        EXPECT_EQ(pattern(slug).quotedMinutes, fact.second) << slug;
        EXPECT_EQ(pattern(slug).kind, "operational") << slug;
    }
    EXPECT_EQ(pattern("iterative-debugging-loop").quotedMinutes, 120);
    EXPECT_EQ(pattern("iterative-debugging-loop").quotedMinutesHigh, 240);
    EXPECT_FALSE(pattern("communication-cadence").quotedMinutes);
    EXPECT_FALSE(pattern("keep-gpu-running").quotedMinutes);
    EXPECT_EQ(pattern("keep-gpu-running").quotedDollars, 0.5);
}

TEST(PatternLibrary, KeepsThePlannedAndTheExpertOnesApart)
{
    EXPECT_EQ(pattern("ci-cd-pipeline").label, "planned 11");
    EXPECT_EQ(pattern("multi-gpu").kind, "planned");
    int expert = 0;
    for (const Pattern& p : library().patterns)
        if (p.kind == "expert") {
            ++expert;
            EXPECT_FALSE(p.quotedMinutes) << p.slug << ": the October 2025 documents claim no minutes";
        }
    EXPECT_EQ(expert, 8);
    EXPECT_EQ(std::count_if(library().patterns.begin(), library().patterns.end(), [](const Pattern& p) { return p.kind == "operational"; }),
              13);
}

TEST(PatternLibrary, KeepsBothCountsWhereTheNotesDisagree)
{
    EXPECT_EQ(std::count_if(library().totals.begin(), library().totals.end(), [](const QuotedTotal& t) { return t.what == "library"; }), 2);
    EXPECT_EQ(library().totals.front().low, 480);
    EXPECT_EQ(library().totals.front().high, 600);
    EXPECT_FALSE(library().notes.empty());
}

TEST(PatternLibrary, WhichPatternWhen)
{
    EXPECT_THAT(patternsFor(library(), occasion::kSessionStart), Contains("validate-without-exception"));
    EXPECT_EQ(patternsFor(library(), occasion::kSessionStart)[0], "environment-validation");
    EXPECT_EQ(patternsFor(library(), occasion::kSessionStart)[1], "baseline-first");
    EXPECT_THAT(patternsFor(library(), occasion::kSpeedupBelow1), ElementsAre("profile-before-optimize", "profiling-decision-tree"));
    EXPECT_EQ(patternsFor(library(), occasion::kReMeasure)[0], "baseline-first");
    EXPECT_THAT(patternsFor(library(), occasion::kKeep), Not(Contains("multi-gpu")));
}

TEST(PatternLibrary, AFindingBringsWhatBelongsToItsClass)
{
    EXPECT_THAT(patternsFor(library(), occasion::kFinding, "launch-overhead"),
                ElementsAre("profile-before-optimize", "launch-overhead-apart"));
    EXPECT_THAT(patternsFor(library(), occasion::kFinding, "uncoalesced"), ElementsAre("profile-before-optimize"));
    EXPECT_TRUE(patternsFor(library(), "no-such-occasion").empty());
}

TEST(PatternLibrary, RefusesADoubledSlugAndADanglingReference)
{
    const auto twice =
        PatternLibrary::parse(R"({"patterns": [{"slug":"a","title":"A","kind":"own"},{"slug":"a","title":"B","kind":"own"}]})", "x.json");
    ASSERT_FALSE(twice);
    EXPECT_EQ(twice.error().code, ErrorCode::badInput);
    EXPECT_NE(twice.error().message.find("\"a\""), std::string::npos);
    EXPECT_EQ(PatternLibrary::parse(R"({"patterns": [], "findings": {"balanced": ["b"]}})", "x.json").error().code, ErrorCode::badInput);
    EXPECT_EQ(PatternLibrary::parse(R"({"patterns": [{"slug": 3}]})", "x.json").error().code, ErrorCode::badInput);
    EXPECT_EQ(PatternLibrary::parse("{", "x.json").error().where, "x.json");
}

TEST(PatternSeeding, TwiceWritesOnce)
{
    const auto store = openStore(":memory:");
    ASSERT_TRUE(seedPatterns(*store, library()));
    const std::int64_t before = store->dataVersion();
    ASSERT_TRUE(seedPatterns(*store, library()));
    EXPECT_EQ(store->dataVersion(), before);
    EXPECT_EQ(*store->patterns(), library().patterns);
}

TEST(PatternSeeding, LeavesTheUsersOwnAlone)
{
    const auto store = openStore(":memory:");
    const Pattern own{"baseline-first", "", "My wording", "own", "p", "a", "", {}, {}, {}, "me"};
    ASSERT_TRUE(store->savePattern(own));
    ASSERT_TRUE(seedPatterns(*store, library()));
    EXPECT_EQ(store->patterns()->front(), own);
}

TEST(PatternReturns, NeverMixQuotedMeasuredAndDerived)
{
    const std::vector<Pattern> patterns{{"a", "", "A"}, {"b", "", "B"}};
    const std::vector<PatternApplication> uses{{"1", "a", "s", "t", 12.0, 60.0, {}, false, ""},
                                               {"2", "a", "s", "t", {}, 60.0, {}, false, ""},
                                               {"3", "a", "s", "t", {}, 64.0, {}, true, ""},
                                               {"4", "gone", "s", "t", {}, {}, 0.5, false, ""}};
    const auto rows = patternReturns(patterns, uses, 30);
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[0].applications, 3);
    EXPECT_EQ(rows[0].measuredMinutes, 12);
    EXPECT_EQ(rows[0].quotedMinutes, 120);
    EXPECT_EQ(rows[0].derivedMinutes, 64);
    EXPECT_EQ(rows[0].measuredValue, 6);
    EXPECT_EQ(rows[0].quotedValue, 60);
    EXPECT_EQ(rows[1].applications, 0);
    EXPECT_FALSE(rows[1].measuredMinutes);
    EXPECT_EQ(rows[2].slug, "gone");
    EXPECT_EQ(rows[2].quotedValue, 0.5);
    const PatternReturn total = computeTotal(rows);
    EXPECT_EQ(total.applications, 4);
    EXPECT_EQ(total.measuredMinutes, 12);
    EXPECT_EQ(total.quotedMinutes, 120);
    EXPECT_EQ(total.quotedValue, 60.5);
}

TEST(PatternReturns, WithoutARateThereIsNoValue)
{
    const auto rows = patternReturns({{"a", "", "A"}}, {{"1", "a", "s", "t", 12.0, {}, {}, false, ""}}, {});
    EXPECT_FALSE(rows[0].measuredValue);
    EXPECT_EQ(returnOnInvestment(38.5, 5), 7.7);
    EXPECT_FALSE(returnOnInvestment(38.5, 0));
    EXPECT_FALSE(returnOnInvestment({}, 5));
}

TEST(PatternSeeding, RenewsShippedPatternsAndKeepsWhatElseIsThere)
{
    const auto store = openStore(":memory:");
    Pattern old = library().patterns.front();
    old.title = "Of an earlier version";
    old.quotedMinutes = 999;
    ASSERT_TRUE(store->savePattern(old));
    const Pattern other{"my-lesson", "", "Mine", "own", "p", "a", "finding", {}, {}, {}, "me"};
    ASSERT_TRUE(store->savePattern(other));
    ASSERT_TRUE(seedPatterns(*store, library()));
    const std::vector<Pattern> now = *store->patterns();
    EXPECT_EQ(now.size(), library().patterns.size() + 1);
    for (const Pattern& pattern : library().patterns)
        EXPECT_EQ(std::ranges::count(now, pattern), 1) << pattern.slug;
    EXPECT_EQ(std::ranges::count(now, other), 1);
}

TEST(PatternSeeding, EachPatternIsOfTheLibrarysOrigin)
{
    for (const Pattern& pattern : library().patterns)
        EXPECT_EQ(pattern.origin, library().origin) << pattern.slug;
    EXPECT_FALSE(library().origin.empty());
    for (const std::string& when : occasions())
        for (const std::string& slug : patternsFor(library(), when, "uncoalesced"))
            EXPECT_EQ(std::ranges::count(library().patterns, slug, &Pattern::slug), 1) << when << ' ' << slug;
}

} // namespace
} // namespace kl
