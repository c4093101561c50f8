// SPDX-License-Identifier: MIT
// What plans and prompts say of a session that went on.
#include "core/base/format.h"
#include "sessions/patterns/pattern_library.h"
#include "sessions/report/report.h"
#include "tests/sessions/engine_support.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace kl::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

const ReportModel::Section& plannedSection(const Report& report, const std::string& title)
{
    for (const ReportModel::Section& section : report.model.sections)
        if (section.title.starts_with(title))
            return section;
    throw std::runtime_error("no section " + title);
}

TEST_F(EngineTest, APlanOffersTheFixesOnceThereIsAProfile)
{
    const SessionId id = open();
    const std::string fix = unwrap(engine.view(id)).phases.at(3).title;
    EXPECT_THAT(plannedSection(unwrap(sessionPlan(*store, catalog, id)), fix).tables, SizeIs(1)) << "nothing was found yet";
    const SessionView view = stepUntil(id, SessionAction::chooseFix);
    const Report report = unwrap(sessionPlan(*store, catalog, id));
    const ReportModel::Section& section = plannedSection(report, fix);
    ASSERT_THAT(section.tables, SizeIs(2));
    ASSERT_FALSE(section.tables[1].rows.empty());
    const std::vector<Fix>& fixes = view.profileRun->diagnosis->finding.fixes;
    const auto ready = std::ranges::find_if(fixes, [](const Fix& one) { return !one.variant.empty(); });
    ASSERT_NE(ready, fixes.end());
    EXPECT_THAT(section.tables[1].rows[0][0], HasSubstr(ready->title));
    EXPECT_EQ(section.tables[1].rows[0][1], ready->why.empty() ? std::string(kNoValue) : ready->why);
    for (const auto& [row, minutes] : {std::pair{0, 45}, std::pair{1, 5}, std::pair{2, 15}, std::pair{3, 20}, std::pair{4, 5}})
        EXPECT_EQ(section.tables[0].rows.at(static_cast<std::size_t>(row)).at(1), formatMinutes(minutes)) << row;
}

TEST_F(EngineTest, APlanHasTheAdviceOfThePatternsThatAreThere)
{
    const SessionId id = open();
    const SessionView view = unwrap(engine.view(id));
    const auto paragraphs = [&] {
        std::size_t count = 0;
        for (const ReportModel::Section& section : unwrap(sessionPlan(*store, catalog, id)).model.sections)
            count += section.paragraphs.size();
        return count;
    };
    const std::size_t before = paragraphs();
    ASSERT_TRUE(seedPatterns(*store, unwrap(PatternLibrary::loadEmbedded())));
    std::size_t named = 0;
    for (const PhaseView& phase : view.phases)
        named += phase.patterns.size();
    EXPECT_GT(named, 0U);
    EXPECT_EQ(paragraphs(), before + named);
}

TEST_F(EngineTest, APlanNamesWhereTheSessionStarts)
{
    const SessionId id = open("transpose/padded");
    const Report report = unwrap(sessionPlan(*store, catalog, id));
    EXPECT_THAT(report.model.subtitle, HasSubstr("transpose/padded"));
    EXPECT_THAT(report.model.subtitle, HasSubstr(toText(unwrap(catalog.family("transpose"))->problems.front())));
    EXPECT_THAT(report.model.subtitle, HasSubstr("optimize"));
    EXPECT_EQ(report.model.tone, "neutral");
    const ReportModel::Table& questions = report.model.sections.at(0).tables.at(0);
    EXPECT_EQ(questions.rows.size(), unwrap(engine.view(id)).questions.size());
    EXPECT_EQ(sessionPlan(*store, catalog, {"none"}).error().code, ErrorCode::notFound);
}

TEST_F(EngineTest, APromptOfARevertedChangeNamesItAsTried)
{
    gpu.kernels["transpose/tiled"] = {500'000, 50'000, true, "", 40};
    const SessionId id = open();
    const SessionView view = stepTo(id, "done");
    ASSERT_EQ(view.outcome, "reverted");
    const Report report = unwrap(expertPrompt(*store, catalog, id, {}));
    const std::vector<std::string>& state = plannedSection(report, "Current state").paragraphs;
    EXPECT_THAT(state, Contains(testing::EndsWith(": transpose/tiled.")));
    EXPECT_THAT(state.at(1), HasSubstr("transpose/naive")) << "what is current";
    EXPECT_THAT(state.at(1), Not(HasSubstr("transpose/tiled")));
    EXPECT_EQ(Json::parse(report.json)["session"], "N+1");
    EXPECT_EQ(Json::parse(report.json)["from"], id.text);
    const Report reported = unwrap(sessionReport(*store, catalog, id));
    EXPECT_EQ(reported.model.tone, "bad");
    EXPECT_THAT(reported.model.verdict, HasSubstr("transpose/tiled"));
    EXPECT_THAT(reported.model.verdict, HasSubstr("transpose/naive"));
    EXPECT_EQ(reported.model.figures.at(1).label == "Improvement", false) << "nothing was gained";
    EXPECT_EQ(reported.csv.rows.at(0).at(8), "reverted");
}

TEST_F(EngineTest, APromptHasEachGateThresholdAndPhaseOfItsPlan)
{
    const SessionId id = open();
    const SessionView view = unwrap(engine.view(id));
    const ReportModel::Section section = plannedSection(unwrap(expertPrompt(*store, catalog, id, {})), "Gates and thresholds");
    ASSERT_THAT(section.tables, SizeIs(3));
    ASSERT_EQ(section.tables[0].rows.size(), view.gates.size());
    for (std::size_t i = 0; i < view.gates.size(); ++i) {
        EXPECT_EQ(section.tables[0].rows[i][0], view.gates[i].id + ' ' + view.gates[i].title);
        EXPECT_EQ(section.tables[0].rows[i][2], view.gates[i].rule);
    }
    ASSERT_EQ(section.tables[2].rows.size(), view.phases.size());
    for (std::size_t i = 0; i < view.phases.size(); ++i)
        EXPECT_EQ(section.tables[2].rows[i],
                  (std::vector<std::string>{view.phases[i].title, formatMinutes(view.phases[i].budgetMinutes), view.phases[i].purpose}));
    const auto& thresholds = section.tables[1].rows;
    const auto keep = std::ranges::find(thresholds, "keep_improvement_min", [](const auto& row) { return row.front(); });
    ASSERT_NE(keep, thresholds.end());
    EXPECT_EQ((*keep)[1], formatNumber(0.2));
}

} // namespace
} // namespace kl::test
