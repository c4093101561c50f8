// SPDX-License-Identifier: MIT
#include "core/device/metric_sections.h"

#include "core/base/resource.h"
#include "core/codec/json.h"
#include "core/device/metric_catalog.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

namespace kl {
namespace {

TEST(MetricSections, EachHasItsWordsAndMetricsOnce)
{
    ASSERT_GE(metricSections().size(), 10u);
    std::set<std::string> names;
    for (const MetricSection& section : metricSections()) {
        EXPECT_FALSE(section.title.empty()) << section.id;
        EXPECT_TRUE(section.help.ends_with('.')) << section.id;
        EXPECT_FALSE(section.metrics.empty()) << section.id;
        EXPECT_EQ(std::set<std::string>(section.metrics.begin(), section.metrics.end()).size(), section.metrics.size()) << section.id;
        EXPECT_TRUE(names.insert(section.id).second) << section.id;
        for (const std::string& alias : section.aliases)
            EXPECT_TRUE(names.insert(alias).second) << alias;
    }
}

TEST(MetricSections, WarpStateHoldsEveryStallReason)
{
    const auto metrics = listSectionMetrics({"WarpState"});
    ASSERT_TRUE(metrics.ok());
    for (const StallReason& reason : stallReasons())
        EXPECT_NE(std::ranges::find(*metrics, stallMetric(reason).text()), metrics->end()) << reason.id;
}

TEST(MetricSections, AreFoundByAliasInAnyCase)
{
    EXPECT_EQ(*listSectionMetrics({"memoryworkloadanalysis"}), *listSectionMetrics({"MemoryWorkload"}));
}

TEST(MetricSections, TogetherHoldEachMetricOnce)
{
    const auto both = listSectionMetrics({"SpeedOfLight", "Roofline"});
    ASSERT_TRUE(both.ok());
    EXPECT_EQ(std::ranges::count(*both, "gpu__time_duration.sum"), 1);
    const auto all = listSectionMetrics({"all"});
    ASSERT_TRUE(all.ok());
    EXPECT_GT(all->size(), both->size());
    EXPECT_EQ(std::set<std::string>(all->begin(), all->end()).size(), all->size());
}

TEST(MetricSections, AnUnknownOneIsAUsageErrorWithTheNearest)
{
    const auto none = listSectionMetrics({"Ocupancy"});
    ASSERT_FALSE(none.ok());
    EXPECT_EQ(none.error().code, ErrorCode::usage);
    EXPECT_NE(none.error().message.find("Ocupancy"), std::string::npos);
    const std::string all = listSectionMetrics({"zzzzzzzz"}).error().hint; // nothing is near
    ASSERT_TRUE(none.error().hint.ends_with(all)) << none.error().hint;
    const std::string guess = none.error().hint.substr(0, none.error().hint.size() - all.size());
    EXPECT_NE(guess.find("Occupancy"), std::string::npos) << guess;
    EXPECT_EQ(guess.find("Roofline"), std::string::npos) << guess;
}

TEST(MetricSections, DamagedDataNamesTheSection)
{
    const auto broken = parseSections(R"({"sections": [{"id": "A", "aliases": [], "title": "a", "help": "a."}]})", "here.json");
    ASSERT_FALSE(broken.ok());
    EXPECT_EQ(broken.error().code, ErrorCode::badInput);
    EXPECT_NE(broken.error().message.find("Section 1"), std::string::npos);
    EXPECT_NE(broken.error().message.find("metrics"), std::string::npos);
    EXPECT_EQ(broken.error().where, "here.json");
}

TEST(MetricSections, BelongToAllChipsOrToThoseWhoseNamesBeginSo)
{
    MetricSection section;
    EXPECT_TRUE(section.isOn("GA100"));
    section.chips = {"GH", "GB"};
    EXPECT_TRUE(section.isOn("GB202"));
    EXPECT_FALSE(section.isOn("GA100"));
    EXPECT_FALSE(section.isOn(""));
    const auto read = parseSections(
        R"({"sections": [{"id": "A", "aliases": ["B"], "title": "a", "help": "h.", "metrics": ["m"], "chips": ["GH"]}]})", "x");
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(read->at(0).chips, std::vector<std::string>{"GH"});
    EXPECT_EQ(read->at(0).help, "h.");
}

TEST(MetricSections, AreInTheOrderOfTheirNamesAndAllIsAWordInAnyCase)
{
    EXPECT_EQ(*listSectionMetrics({"ALL"}), *listSectionMetrics({"all"}));
    EXPECT_EQ(listSectionMetrics({"Roofline", "Occupancy"})->front(), listSectionMetrics({"Roofline"})->front());
    EXPECT_EQ(listSectionMetrics({"Occupancy", "Roofline"})->front(), listSectionMetrics({"Occupancy"})->front());
    EXPECT_TRUE(listSectionMetrics({})->empty());
    for (const MetricSection& section : metricSections())
        for (const std::string& alias : section.aliases)
            EXPECT_EQ(*listSectionMetrics({alias}), section.metrics) << alias;
}

TEST(MetricSections, AnUnknownOneLeadsToTheListOfMetrics)
{
    const auto none = listSectionMetrics({"Occupancy", "zzzzzzzz"});
    ASSERT_FALSE(none.ok());
    EXPECT_EQ(none.error().where, "--sections");
    ASSERT_EQ(none.error().next.size(), 1U);
    EXPECT_EQ(none.error().next[0].id, StepId::listMetrics);
    EXPECT_NE(none.error().hint.find("Roofline"), std::string::npos) << "all that there are";
    EXPECT_EQ(none.error().hint, listSectionMetrics({"qqqqqqqq"}).error().hint) << "nothing is near: no name is guessed";
    const auto second = parseSections(R"({"sections": [{"id": "A", "aliases": [], "title": "a", "help": "a.", "metrics": ["m"]},
                                                       {"id": "B", "aliases": 7, "title": "b", "help": "b.", "metrics": []}]})",
                                      "here.json");
    EXPECT_NE(second.error().message.find("Section 2"), std::string::npos) << second.error().message;
    EXPECT_EQ(parseSections("{}", "here.json").error().code, ErrorCode::badInput);
}

TEST(MetricSections, AreThoseOfTheFile)
{
    const Json file = Json::parse(*resource("resources/sections.json"));
    ASSERT_EQ(file.at("sections").size(), metricSections().size());
    std::size_t limited = 0;
    for (std::size_t i = 0; i < metricSections().size(); ++i) {
        const Json& row = file["sections"][i];
        const MetricSection& section = metricSections()[i];
        EXPECT_EQ(section.id, row.at("id").get<std::string>());
        EXPECT_EQ(section.title, row.at("title").get<std::string>()) << section.id;
        EXPECT_EQ(section.help, row.at("help").get<std::string>()) << section.id;
        EXPECT_EQ(Json(section.aliases), row.at("aliases")) << section.id;
        EXPECT_EQ(Json(section.metrics), row.at("metrics")) << section.id;
        EXPECT_EQ(Json(section.chips), row.value("chips", Json::array())) << section.id;
        limited += section.chips.empty() ? 0 : 1;
    }
    EXPECT_GT(limited, 0U) << "some are of certain chips";
}

} // namespace
} // namespace kl
