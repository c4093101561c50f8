// SPDX-License-Identifier: MIT
// JSON of older versions, of other programs and of nobody: what is read of it, and how it is refused.
#include "core/codec/json.h"
#include "core/codec/run_codec.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>

namespace kl {
namespace {

TEST(JsonFaults, HaveTheirLineAndColumn)
{
    const auto locateError = [](const std::string& text) {
        const Result<Json> json = parseJson(text, "file.json");
        EXPECT_FALSE(json) << text;
        EXPECT_EQ(json.error().code, ErrorCode::badInput);
        return json.error().detail.substr(0, json.error().detail.find(':'));
    };
    EXPECT_EQ(locateError("{\n  \"a\": x}"), "line 2, column 8");
    EXPECT_EQ(locateError("[1,\n2,\n]"), "line 3, column 1");
    EXPECT_EQ(locateError("[1,]"), "line 1, column 4");
    EXPECT_EQ(locateError("\xef\xbb\xbf[1,]"), "line 1, column 4") << "a mark of UTF-8 is not shown";
    EXPECT_EQ(locateError("\n" + std::string(300, '[')), "line 2, column 257") << "more brackets than may be";
}

TEST(OlderRuns, CountersWithoutACollectionAndSeriesInsideTheTimingAreRead)
{
    RunRecord run;
    run.kernel = *parseAddress("copy/strided");
    run.timing.emplace();
    run.timing->gpu = {2, 1, 3, 2};
    run.timing->samples = {1, 3};
    run.timing->clocks = {1980.0, std::nullopt};
    run.timing->hotSamples = {5};
    run.timing->hostSamples = {7, 8};
    run.metrics.emplace();
    run.metrics->values = {{"a.sum", 1.0}, {"b.sum", std::nullopt}};
    run.metrics->missing = {{"b.sum", "why"}};
    run.metrics->plan = {2, 3};
    Json json = runToJson(run);
    json.erase("collection");
    const Json series = json["samples"];
    json.erase("samples");
    json["timing"]["samples"] = series["gpu_ns"];
    json["timing"]["clocks"] = series["clock_mhz"];
    json["timing"]["hot_samples"] = series["gpu_ns_hot"];
    json["timing"]["host_samples"] = series["host_ns"];
    const Result<RunRecord> read = runFromJson(json);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, run);
}

TEST(OlderRuns, WhatIsMissingOrNullIsAsInANewRun)
{
    RunRecord run;
    run.kernel = *parseAddress("copy/strided");
    EXPECT_EQ(*runFromJson({{"kernel", "copy/strided"}}), run) << "the address may be whole";
    Json json{{"kernel", "copy"}, {"variant", "strided"}};
    for (const char* name :
         {"device",   "correctness", "timing",      "samples",        "memory_bytes", "baseline", "baselines",   "speedup",
          "launches", "flops",       "ideal_bytes", "metrics",        "experiments",  "source",   "pm_sampling", "timeline",
          "program",  "imported",    "warnings",    "worker_seconds", "status",       "reason"}) {
        json[name] = nullptr;
        const Result<RunRecord> read = runFromJson(json);
        ASSERT_TRUE(read) << name << ": " << read.error().message;
        EXPECT_EQ(*read, run) << name;
    }
}

TEST(OlderComparisons, WhatIsMissingIsAsInANewOne)
{
    EXPECT_EQ(*comparisonFromJson(Json::object()), Comparison{});
    const Result<Comparison> some = comparisonFromJson(
        Json::parse(R"({"a": "x/y", "waived": null, "differences": {"tunables": [{"name": "T", "a": "1", "b": "2", "change": null}]}})"));
    ASSERT_TRUE(some) << some.error().message;
    EXPECT_EQ(some->a, "x/y");
    EXPECT_TRUE(some->metrics.empty() && some->environment.empty());
    ASSERT_EQ(some->tunables.size(), 1U);
    EXPECT_EQ(some->tunables[0].name, "T");
    EXPECT_EQ(some->waived, "");
}

TEST(JsonOfOthers, WhatCannotBeReadIsReportedWithWhatItWas)
{
    const Result<RunRecord> run = runFromJson({{"kernel", "copy/strided"}, {"flops", "many"}});
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().code, ErrorCode::badInput);
    EXPECT_EQ(run.error().where, "run");
    EXPECT_NE(run.error().message.find("flops"), std::string::npos) << run.error().message;
    const Result<Comparison> comparison = comparisonFromJson({{"blocks", "ten"}});
    ASSERT_FALSE(comparison);
    EXPECT_EQ(comparison.error().where, "comparison");
    EXPECT_NE(comparison.error().message.find("blocks"), std::string::npos) << comparison.error().message;
    const Result<EnvReport> report = envFromJson({{"checks", 7}});
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().where, "environment report");
    for (const Json& none : {Json(nullptr), Json(7)})
        EXPECT_EQ(envFromJson({{"log", none}})->logFile, "");
}

TEST(JsonTexts, AreCompactOrIndentedByTwoAndAlwaysUtf8)
{
    const Json json{{"a", Json::array({1, "\xff\u00b5"})}, {"b", Json::object()}};
    EXPECT_EQ(encode(json), "{\"a\":[1,\"\ufffd\u00b5\"],\"b\":{}}");
    EXPECT_EQ(encodePretty(json), "{\n  \"a\": [\n    1,\n    \"\ufffd\u00b5\"\n  ],\n  \"b\": {}\n}");
}

TEST(JsonTexts, AnErrorHasItsDetailAndWhatToDoNext)
{
    const Error error =
        Error{.code = ErrorCode::notFound, .message = "m", .hint = "h", .where = "w", .detail = "d"}.leadTo({StepId::listKernels});
    EXPECT_EQ(errorToJson(error),
              Json::parse(R"({"schema": "kernelloop.error/1", "error": {"code": "not-found", "message": "m", "hint": "h",
        "where": "w", "detail": "d", "next_steps": [{"id": "list-kernels", "arguments": {}, "inputs": []}]}})"));
    EXPECT_EQ(errorFromJson(errorToJson(error)["error"]), error) << "also without its envelope";
}

} // namespace
} // namespace kl
