// SPDX-License-Identifier: MIT
#include "sessions/store/search_records.h"

#include "sessions/store/search_times.h"
#include "tests/support/store_support.h"

#include <gmock/gmock.h>

namespace kl {
namespace {

using support::openStore;
using testing::ElementsAre;
using testing::IsEmpty;

/// Nothing in it is as by default.
SearchRecord fullSearch(const std::string& id, const std::string& kernel, const std::string& at)
{
    SearchRecord r;
    r.id = id;
    r.startedAt = at;
    r.state = SearchStage::timed;
    r.device = "NVIDIA H200";
    r.deviceUuid = "GPU-1";
    r.driver = "580.1";
    r.arch = "sm_90";
    r.host = "farm-7";
    r.kernel = kernel;
    r.fixed = "STAGES=2";
    r.problem = "N=64";
    r.sourceHash = "hash";
    r.objective = "energy";
    r.strategy = "portfolio";
    r.protocol = "notes";
    r.seed = 7;
    r.width = 3;
    r.references = {{"GPU-1", "farm-7", 1000, 0.01, 1755.0, 0.5}};
    r.total = 96;
    r.gates = {{"occupancy", 4}};
    r.rejected = {{"WARPS=16", "spills", "it spills"}};
    r.twins = {{"WARPS=2", "WARPS=4"}};
    r.compileSeconds = 1.5;
    r.seconds = 2.5;
    r.left = 5;
    SearchTrial trial{"WARPS=4", 900.0, 0.25, "why", "GPU-1", 3, 4, true, true, 905.0, {{"registers", 32}}, {{"dram__bytes.sum", 8}}};
    r.trials = {trial, SearchTrial{.tunables = "WARPS=8", .why = "failed"}};
    SearchBest best{"attention/fused@WARPS=4", "WARPS=4", "run-1", 890, 0.2, "cmp-1", Ratio{1.2, 1.1, 1.3}, {}, "run-2", "Memory bound."};
    best.confirmed = Confirmation{
        "SDPA", "2.6", 100, 10, 890, 1800, Ratio{2, 1.9, 2.1}, Ratio{2.01, 1.8, 2.2}, 1.5, TargetVerdict::met, "It is faster."};
    r.best = best;
    r.wrong = {"attention/fused@WARPS=1: wrong"};
    return r;
}

TEST(SearchRecords, EveryFieldComesBackFromItsJson)
{
    SearchRecord record = fullSearch("id", "attention/fused", "2026-01");
    EXPECT_EQ(*searchRecordFromJson(searchRecordToJson(record), "here"), record);
    EXPECT_EQ(*searchRecordFromJson(searchRecordToJson({}), "here"), SearchRecord{});
    const Json json = searchRecordToJson(record);
    EXPECT_EQ(json.begin().key(), "schema");
    for (const auto& [key, value] : json.items())
        EXPECT_TRUE(!value.is_null() && value != Json("") && value != Json(0)) << key;
    for (const auto& [stage, word] : {std::pair{SearchStage::measuring, "measuring"}, std::pair{SearchStage::stopped, "stopped"},
                                      std::pair{SearchStage::timed, "timed"}, std::pair{SearchStage::finished, "finished"}}) {
        record.state = stage;
        EXPECT_EQ(searchRecordToJson(record)["state"], word);
    }
    for (const auto& [verdict, word] :
         {std::pair{TargetVerdict::met, "met"}, std::pair{TargetVerdict::missed, "missed"},
          std::pair{TargetVerdict::inconclusive, "inconclusive"}, std::pair{TargetVerdict::noRival, "no-rival"}}) {
        record.best->confirmed->verdict = verdict;
        EXPECT_EQ(searchRecordToJson(record)["best"]["confirmation"]["verdict"], word);
    }
}

TEST(SearchRecords, WhatIsNoRecordIsBadInput)
{
    Json other = searchRecordToJson(fullSearch("id", "attention/fused", "2026-01"));
    other["schema"] = "kernelloop.search-record/2";
    for (const Json& json : {other, Json::array(), Json::object(), Json("text")}) {
        const auto record = searchRecordFromJson(json, "search-record/x");
        ASSERT_FALSE(record) << json.dump();
        EXPECT_EQ(record.error().code, ErrorCode::badInput);
        EXPECT_EQ(record.error().where, "search-record/x");
    }
}

TEST(SearchRecords, AreListedByKernelNewestFirstAndDamagedOnesNamed)
{
    const auto store = openStore(":memory:");
    for (const auto& [id, kernel, at] : {std::tuple{"aa1", "attention/fused", "2026-02"}, std::tuple{"aa2", "attention/fused2", "2026-03"},
                                         std::tuple{"bb1", "attention2/fused", "2026-01"}}) {
        const auto [name, content] = makeArtifact(fullSearch(id, kernel, at));
        EXPECT_EQ(name, std::string("search-record/") + id);
        ASSERT_TRUE(store->saveArtifact(name, content));
    }
    ASSERT_TRUE(store->saveArtifact("search-record/cc", "{}"));
    ASSERT_TRUE(store->saveArtifact("search-recorded", "{}"));
    const auto ids = [&](const std::string& kernel) {
        std::vector<std::string> damaged;
        std::string all;
        const auto records = searchRecords(*store, kernel, &damaged);
        for (const SearchRecord& record : *records)
            all += record.id + ' ';
        EXPECT_THAT(damaged, ElementsAre("search-record/cc"));
        return all;
    };
    EXPECT_EQ(ids(""), "aa2 aa1 bb1 ");
    EXPECT_EQ(ids("attention"), "aa2 aa1 ");
    EXPECT_EQ(ids("attention/fused"), "aa1 ");
    EXPECT_EQ(ids("copy"), "");

    EXPECT_EQ(*searchRecord(*store, "bb"), fullSearch("bb1", "attention2/fused", "2026-01"));
    EXPECT_EQ(searchRecord(*store, "aa1")->id, "aa1");
    EXPECT_EQ(searchRecord(*store, "").error().code, ErrorCode::badInput);
    EXPECT_EQ(searchRecord(*store, "cc").error().code, ErrorCode::badInput);
    const auto several = searchRecord(*store, "aa");
    EXPECT_EQ(several.error().code, ErrorCode::badInput);
    EXPECT_EQ(several.error().where, "aa");
    const auto none = searchRecord(*store, "zz");
    EXPECT_EQ(none.error().code, ErrorCode::notFound);
    EXPECT_EQ(none.error().where, "zz");
}

TEST(SearchTimes, AreKeptByDeviceKernelAndProblem)
{
    const auto store = openStore(":memory:");
    const std::map<std::string, double> ns{{"attention/fused", 1000.5}, {"attention/fused@WARPS=2", 1e-3}};
    ASSERT_TRUE(saveSearchTimes(*store, {"H200", "attention/fused", "N=64", ns}));
    EXPECT_EQ(*loadSearchTimes(*store, "H200", "attention/fused", "N=64"), ns);
    for (const auto& [device, kernel, problem] : {std::tuple{"A100", "attention/fused", "N=64"}, std::tuple{"H200", "attention", "N=64"},
                                                  std::tuple{"H200", "attention/fused", "N=6"}})
        EXPECT_THAT(*loadSearchTimes(*store, device, kernel, problem), IsEmpty());
    const std::string name = "search-times/H200/attention/fused/N=64";
    for (const char* text :
         {R"({"schema":"kernelloop.search-times/1"})", R"({"schema":"kernelloop.search-times/1","ns":[]})",
          R"({"schema":"kernelloop.search-times/1","ns":{"a":0}})", R"({"schema":"kernelloop.search-times/1","ns":{"a":"x"}})",
          R"({"schema":"kernelloop.search-times/1","ns":{"a":null}})"}) {
        ASSERT_TRUE(store->saveArtifact(name, text));
        const auto times = loadSearchTimes(*store, "H200", "attention/fused", "N=64");
        ASSERT_FALSE(times) << text;
        EXPECT_EQ(times.error().code, ErrorCode::badInput) << text;
        EXPECT_EQ(times.error().where, name);
    }
    ASSERT_TRUE(store->saveArtifact(name, R"({"schema":"kernelloop.search-times/1","ns":{}})"));
    EXPECT_TRUE(loadSearchTimes(*store, "H200", "attention/fused", "N=64")->empty());
}

} // namespace
} // namespace kl
