// SPDX-License-Identifier: MIT
#include "sessions/measure/build_recipe.h"

#include "tests/support/snapshot.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace kl {
namespace {

EnvReport checkedHost()
{
    EnvReport report;
    report.checks = {{"torch", Requirement::required, CheckResult::pass, "torch 2.2.1+cu121", "", ""},
                     {"numpy", Requirement::required, CheckResult::fail, "numpy 2.0.1", "", "python3 -m pip install 'numpy<2'"},
                     {"extension-build", Requirement::optional, CheckResult::skipped, "No project file.", "", ""}};
    return report;
}

TEST(BuildRecipe, IsFilledInFromTheCheck)
{
    const std::vector<RecipeStep> steps = buildRecipe(checkedHost(), {{"MAX_JOBS", "4", "compiles on every core", true}});
    const auto with = [&](const std::string& text) {
        return std::ranges::find_if(steps, [&](const RecipeStep& step) { return step.found.find(text) != std::string::npos; });
    };
    ASSERT_NE(with("2.2.1+cu121"), steps.end());
    EXPECT_EQ(with("2.2.1+cu121")->done, true);
    ASSERT_NE(with("numpy 2.0.1"), steps.end());
    EXPECT_EQ(with("numpy 2.0.1")->done, false);
    ASSERT_NE(with("No project file."), steps.end());
    EXPECT_EQ(with("No project file.")->done, std::nullopt) << "what was not tried is not done";
    EXPECT_TRUE(
        std::ranges::any_of(steps, [](const RecipeStep& step) { return step.command.find("export MAX_JOBS=4") != std::string::npos; }));
}

TEST(BuildRecipeTexts, SnapshotOfTheSteps)
{
    test::expectSnapshot("texts/build-recipe.txt", recipeMarkdown(buildRecipe(checkedHost(), {{"MAX_JOBS", "4", "why", true}})));
}

TEST(BuildRecipe, HasABoxForEachStep)
{
    const std::vector<RecipeStep> steps = buildRecipe(checkedHost(), {});
    const std::string text = recipeMarkdown(steps);
    std::size_t boxes = 0;
    std::size_t ticked = 0;
    for (std::size_t at = text.find(". ["); at != std::string::npos; at = text.find(". [", at + 1)) {
        ++boxes;
        ticked += text[at + 3] == 'x';
    }
    EXPECT_EQ(boxes, steps.size());
    EXPECT_EQ(ticked, 1U) << "torch alone passed";
}

TEST(BuildRecipe, AStepIsDoneWhereEachOfItsChecksThatRanPassed)
{
    const std::vector<std::vector<const char*>> ids{{"gpu", "driver"}, {"nvrtc", "cupti"},  {"python", "torch", "torch-cuda"},
                                                    {"numpy"},         {"extension-build"}, {"extension-import", "loader-path"},
                                                    {"smoke-kernel"}};
    const auto check = [](const char* id, CheckResult result) {
        return EnvCheck{id, Requirement::required, result, std::string("found ") + id, "", ""};
    };
    for (const std::vector<const char*>& together : ids)
        for (const char* odd : together)
            for (const auto& [result, done] : {std::pair{CheckResult::fail, false}, std::pair{CheckResult::skipped, together.size() > 1}}) {
                EnvReport report;
                for (const char* id : together)
                    report.checks.push_back(check(id, id == odd ? result : CheckResult::pass));
                int named = 0;
                for (const RecipeStep& step : buildRecipe(report, {}))
                    if (step.found.find(std::string("found ") + odd) != std::string::npos) {
                        ++named;
                        EXPECT_EQ(step.done.value_or(false), done) << odd;
                        for (const char* id : together)
                            EXPECT_NE(step.found.find(std::string("found ") + id), std::string::npos) << id;
                    } else {
                        EXPECT_FALSE(step.done) << step.title << ": nothing of it was checked";
                    }
                EXPECT_EQ(named, 1) << odd;
            }
}

} // namespace
} // namespace kl
