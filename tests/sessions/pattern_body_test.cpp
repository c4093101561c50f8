// SPDX-License-Identifier: MIT
#include "sessions/patterns/pattern_body.h"

#include "sessions/patterns/add_pattern.h"
#include "sessions/patterns/pattern_library.h"
#include "tests/support/store_support.h"

namespace kl {
namespace {

using support::openStore;

TEST(PatternBody, EveryShippedPatternHasOneWithReasonsAndSteps)
{
    const auto store = openStore(":memory:");
    const Result<PatternLibrary> library = PatternLibrary::loadEmbedded();
    ASSERT_TRUE(library);
    for (const Pattern& pattern : library->patterns) {
        const Result<PatternBody> body = patternBody(*store, pattern.slug);
        ASSERT_TRUE(body) << body.error().message;
        EXPECT_FALSE(body->why.empty()) << pattern.slug;
        EXPECT_FALSE(body->evidence.empty()) << pattern.slug;
        EXPECT_FALSE(body->steps.empty()) << pattern.slug;
        EXPECT_FALSE(body->checklist.empty()) << pattern.slug;
    }
    EXPECT_FALSE(patternBody(*store, "single-compilation-unit")->after.empty());
    EXPECT_EQ(patternBody(*store, "iterative-debugging-loop")->steps.size(), 7U);
    EXPECT_EQ(*patternBody(*store, "nothing"), PatternBody{});
}

TEST(PatternBody, OnesOwnIsWrittenEditedAndRetired)
{
    const auto store = openStore(":memory:");
    ASSERT_TRUE(seedPatterns(*store, *PatternLibrary::loadEmbedded()));
    ASSERT_TRUE(addPattern(*store, {"mine", "", "Mine", "own", "p", "a"}));
    ASSERT_TRUE(editPatternBody(*store, "mine", {"because", "1.3×", {"one", "two"}, "", "", "", {}}));
    ASSERT_TRUE(editPatternBody(*store, "mine", {"", "1.4×", {}, "", "", "", {"done"}}));
    EXPECT_EQ(*patternBody(*store, "mine"), (PatternBody{"because", "1.4×", {"one", "two"}, "", "", "", {"done"}}));
    EXPECT_FALSE(isRetired(*store, "mine"));
    ASSERT_TRUE(retirePattern(*store, "mine", true));
    EXPECT_TRUE(isRetired(*store, "mine"));
    ASSERT_TRUE(retirePattern(*store, "mine", false));
    EXPECT_FALSE(isRetired(*store, "mine"));
    EXPECT_EQ(editPatternBody(*store, "baseline-first", {"x", "", {}, "", "", "", {}}).error().code, ErrorCode::badInput);
    EXPECT_EQ(retirePattern(*store, "nothing", true).error().code, ErrorCode::notFound);
}

} // namespace
} // namespace kl
