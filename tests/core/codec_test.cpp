// SPDX-License-Identifier: MIT
#include "core/base/file_command.h"
#include "core/codec/model_fields.h"
#include "core/codec/profile_fields.h"
#include "core/codec/run_codec.h"
#include "core/model/kernel_code.h"
#include "core/model/model_words.h"
#include "tests/support/held_members.h"

#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

/// A run with a value in every member, so that nothing can get lost unseen.
RunRecord fullRun()
{
    RunRecord run;
    run.id.text = "0190-x";
    run.kernel = *parseAddress("attention/fused@BLOCK_M=64,SWIZZLE=xor");
    run.problem = *parseParams("B=2,S=512");
    run.sourceHash = "abc";
    run.device = {"GPU-1", "NVIDIA H200", 9,    0,    132,  150000000000, 62914560, 232448, 233472, 1024, 2048,
                  32,      65536,         1980, 3201, 6144, "GH100",      "580.1",  13000};
    run.source = Source::sample;
    run.startedAt = "2026-01-02T03:04:05.678Z";
    run.status = ResultStatus::validationFailed;
    run.reason = "wrong";
    run.correctness = {CorrectnessResult::incorrect, 0.5, 0.25, 1, 2, "two unwritten", {{"S=4", true, 0.1, 0.2, 0, 0, ""}}};
    run.correctness.witness = Witness{"Behind checked pass 3 out[35] holds 4.5 instead of 3.", 3, "out", 35, 3.0, 4.5, "0x7f00", "counter"};
    run.correctness.proof = PassProof{3, 335, 334, false, "The reference ran on one set."};
    run.timing = Timing{{8130, 8000, 8200, 50},
                        7000.0,
                        25000.0,
                        1980.0,
                        0.4,
                        {8100, 8130, 8200},
                        {1980.0, std::nullopt, 1965.0},
                        {7000, 7010},
                        {25000},
                        3,
                        "noise-stable",
                        41.0,
                        310.5,
                        {"sw-power-cap"}};
    run.timing->energy = Energy{0.0125, 1.9, 12000, 20, {}};
    run.memoryBytes = 4096;
    run.baseline = Baseline{"PyTorch SDPA", Summary{9000, 8900, 9100, 40}, 30000.0, "torch 2.11", ""};
    run.baselines = {*run.baseline, Baseline{"cuDNN", {}, {}, {}, "not found", "cudnn"}};
    run.baselines.front().kernelsNs = 8300;
    run.baselines.front().kernels = {"sdpa"};
    run.baselines.front().maxAbs = 1e-3;
    run.baselines.front().relL2 = 2e-4;
    run.correctness.peerMaxAbs = 1e-3;
    run.speedup = 1.107;
    run.launches = {{"attention_fused", 128, 128, 96, 16, 0, 49152, 2, 12.5, "registers", 0.48, 8130.0, {{"mma", 64}}}};
    run.flops = 1e9;
    run.idealBytes = 4e6;
    run.metrics = MetricSet{2,
                            {{"dram__bytes_read.sum", 1e6}, {"gone", std::nullopt}},
                            {{"gone", "not on this chip"}},
                            {{"dram__bytes_read.sum", "dram__bytes_op_read.sum"}},
                            {19, 19},
                            "attention_fused",
                            "AutoRange",
                            "KernelReplay",
                            "none",
                            1755.0};
    Finding finding{"small-grid",
                    "Too few blocks",
                    "P1",
                    0.9,
                    false,
                    {{"grid", "waves", 0.48, 1.0, "<", true}, {"spills", "local", std::nullopt, 0.0, ">", false}},
                    Estimate{0.3, "1 - waves"},
                    {{"split-kv", "Split KV", std::string("profile-before-optimize"), 0.7, "", "more blocks"}}};
    run.diagnosis = Diagnosis{finding, {finding}, "0123456789ab"};
    run.sourceProfile = SourceProfile{"naive",
                                      120,
                                      2,
                                      4096,
                                      {{"kernel.cu", 12, 90, 0.75, {{"long_scoreboard", 80}}, 4096, 131072}},
                                      {{"_Z5naive", 0x40, "kernel.cu", 12, 90, {{"long_scoreboard", 80}}, 4096, std::nullopt}},
                                      {{"kernel.cu", "__global__ void naive() {}"}},
                                      "",
                                      "not counted"};
    run.program = ProgramFacts{{"python3", "train.py"}, "naive<float>(float*)", 40, 1.5e6, 0.6, {"step", "forward"}, 3};
    run.workerSeconds = 1.25;
    run.experiments = {{"half-occupancy", "4 instead of 8 blocks per SM", 1.77, 24, ""},
                       {"half-grid", "", {}, 0, "its grid cannot be halved"}};
    run.warnings = {{"clock-unlocked", "The clock was not locked."}};
    run.host = "node7";
    run.pmSampling = PmSampling{"naive", 2000, {{{2000, 4000}, {{"sm.pct", {10, 20}}}}}, ""};
    run.timeline.emplace();
    run.timeline->entry = "naive";
    run.timeline->warps = {{1, 2, 3, 4, 5, 6, 7, 8, {{1, 10, 0}, {2, 30, 9}}}};
    run.imported.emplace();
    run.imported->file = "a.ncu-rep";
    run.imported->texts = {{"launch__func_cache_config", "PreferNone"}};
    return run;
}

TEST(RunCodec, NothingIsLostOnTheWayThroughJson)
{
    const RunRecord run = fullRun();
    const Result<Json> parsed = parseJson(encode(runToJson(run)), "test");
    ASSERT_TRUE(parsed);
    const Result<RunRecord> back = runFromJson(*parsed);
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, run);
}

TEST(RunCodec, EveryResultHasItsWordAndOldWordsStillRead)
{
    using C = CorrectnessResult;
    const std::vector<std::pair<C, std::string>> words{{C::notChecked, "not-checked"},
                                                       {C::correct, "correct"},
                                                       {C::incorrect, "incorrect"},
                                                       {C::incorrectWhenTimed, "incorrect-when-timed"},
                                                       {C::stateful, "stateful"},
                                                       {C::replays, "replays"},
                                                       {C::nonDeterministic, "non-deterministic"},
                                                       {C::belowPhysics, "below-physics"},
                                                       {C::precisionDowngrade, "precision-downgrade"}};
    Json json = runToJson(fullRun());
    for (const auto& [result, word] : words) {
        EXPECT_EQ(toWord(result), word);
        json["correctness"]["result"] = word;
        const Result<RunRecord> run = runFromJson(json);
        ASSERT_TRUE(run) << word;
        EXPECT_EQ(run->correctness.result, result) << word;
        EXPECT_EQ(isRefuted(result), result != C::notChecked && result != C::correct) << word;
    }
    for (const auto& [word, result] : {std::pair("pass", C::correct), std::pair("fail", C::incorrect)}) {
        json["correctness"] = {{"result", word}, {"max_abs", 0.5}}; // no witness, no proof
        const Result<RunRecord> run = runFromJson(json);
        ASSERT_TRUE(run) << word;
        EXPECT_EQ(run->correctness.result, result) << word;
        EXPECT_FALSE(run->correctness.witness);
        EXPECT_FALSE(run->correctness.proof);
    }
}

TEST(RunCodec, NamesOfEarlierVersionsAreReadAsThoseOfToday)
{
    const Result<RuleResult> rule = fromJson<RuleResult>(Json{{"rule", "CPIStall"}, {"kind", "optimisation"}}, "a rule");
    ASSERT_TRUE(rule);
    EXPECT_EQ(rule->kind, "optimization");
    EXPECT_EQ(toJson(*rule)["kind"], "optimization");
    EXPECT_EQ(fromJson<RuleResult>(Json{{"kind", "warning"}}, "a rule")->kind, "warning");
    EXPECT_EQ(fromJson<PathEntry>(Json{{"metric", "modelled"}}, "a path")->metric, "modeled");
    EXPECT_EQ(fromJson<PathEntry>(Json{{"metric", "waves"}}, "a path")->metric, "waves");
}

TEST(ComparisonCodec, KeepsTheRefutedSideWithItsWitness)
{
    Comparison comparison;
    comparison.verdict = Verdict::notComparable;
    comparison.reason = "replays";
    EXPECT_TRUE(comparisonToJson(comparison)["refuted"].is_null());
    EXPECT_EQ(*comparisonFromJson(comparisonToJson(comparison)), comparison);
    comparison.refuted = RefutedSide{"b", CorrectnessResult::replays, *fullRun().correctness.witness};
    const Json json = comparisonToJson(comparison);
    EXPECT_EQ(json["refuted"]["side"], "b");
    EXPECT_EQ(json["refuted"]["result"], "replays");
    EXPECT_EQ(json["refuted"]["witness"]["pass"], 3);
    EXPECT_EQ(*comparisonFromJson(json), comparison);
}

/// With every member.
Comparison fullComparison()
{
    Comparison full;
    full.id.text = "0190-c";
    full.a = "transpose/naive";
    full.b = "transpose/tiled";
    full.verdict = Verdict::faster;
    full.reason = "interval-above-1";
    full.sentence = "faster";
    full.ratio = Ratio{2, 1.5, 2.5};
    full.refuted = RefutedSide{"b", CorrectnessResult::replays, *fullRun().correctness.witness};
    full.blocks = 10;
    full.data = {{{1, 2}, {3, 4}}};
    full.energy = EnergyComparison{Ratio{3, 2, 4}, 5, 6, 7, "why"};
    full.wall = WallComparison{{8, 7, 9}, 10, 11};
    full.metrics = {{"m", "1", "2", 1.0}};
    full.tunables = {{"TILE", "16", "32", {}}};
    full.environment = {{"driver", "570", "580", {}}};
    full.next = "look";
    full.nextSteps = {{StepId::listMetrics}};
    full.statistics = "basis";
    full.noise = {0.01, "5 repeats"};
    full.waived = "other driver";
    full.warnings = {{"code", "text"}};
    return full;
}

TEST(ComparisonCodec, NothingIsLostOnTheWayThroughJson)
{
    const Comparison full = fullComparison();
    const Json json = comparisonToJson(full);
    EXPECT_EQ(json["schema"], "kernelloop.compare/1");
    const Result<Comparison> back = comparisonFromJson(*parseJson(encode(json), "test"));
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, full);
}

TEST(EnvCodec, TheVerdictIsFailIfARequiredCheckFails)
{
    EnvReport report;
    report.checks = {{"driver", Requirement::required, CheckResult::pass, "580", "why", "fix"},
                     {"ncu", Requirement::optional, CheckResult::fail, "none", "why", "fix"}};
    report.logFile = "/tmp/log";
    EXPECT_EQ(envToJson(report)["verdict"], "pass");
    const Result<EnvReport> back = envFromJson(envToJson(report));
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, report);
    report.checks[0].result = CheckResult::fail;
    EXPECT_EQ(envToJson(report)["verdict"], "fail");
    report.logFile.clear();
    EXPECT_TRUE(envToJson(report)["log"].is_null());
}

TEST(RunCodec, AnEmptyRunRoundTripsToo)
{
    RunRecord run;
    run.kernel = *parseAddress("copy/strided");
    const Result<RunRecord> back = runFromJson(runToJson(run));
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, run);
}

TEST(RunCodec, FollowsTheContract)
{
    const Json json = runToJson(fullRun());
    EXPECT_EQ(json["schema"], "kernelloop.profile/1");
    EXPECT_EQ(json["kernel"], "attention");
    EXPECT_EQ(json["variant"], "fused");
    EXPECT_EQ(json["device"]["cc"], "9.0");
    EXPECT_EQ(json["device"]["source"], "sample");
    for (const char* key : {"result", "max_abs", "rel_l2", "nonfinite", "unwritten", "suite"})
        EXPECT_TRUE(json["correctness"].contains(key)) << key;
    for (const char* key : {"median", "low", "high", "n"})
        EXPECT_TRUE(json["timing"]["gpu_ns"].contains(key)) << key;
    EXPECT_EQ(json["plan"]["passes"], 19);
    EXPECT_TRUE(json["metrics"]["gone"].is_null());
    EXPECT_EQ(json["missing"]["gone"], "not on this chip");
    EXPECT_EQ(json["finding"]["class"], "small-grid");
    EXPECT_EQ(json["finding"]["path"][0]["sense"], "<");
}

TEST(RunCodec, SamplesStandBesideTheTimingWithTheirDistributionInIt)
{
    const Json json = runToJson(fullRun());
    EXPECT_FALSE(json["timing"].contains("samples"));
    EXPECT_EQ(json["samples"]["gpu_ns"], (Json{8100.0, 8130.0, 8200.0}));
    EXPECT_EQ(json["samples"]["clock_mhz"], (Json{1980.0, nullptr, 1965.0}));
    EXPECT_EQ(json["samples"]["gpu_ns_hot"].size(), 2U);
    EXPECT_EQ(json["timing"]["distribution"]["min"], 8100);
    EXPECT_EQ(json["timing"]["distribution"]["q1"], 8115);
    EXPECT_NEAR(json["timing"]["distribution"]["noise"].get<double>(), 200.0 / 8130, 1e-12);
}

TEST(RunCodec, SamplesInsideTheTimingAreReadToo)
{
    Json json = runToJson(fullRun());
    json.erase("samples");
    json["timing"]["samples"] = {1.0, 2.0};
    EXPECT_EQ(runFromJson(json)->timing->samples, (std::vector<double>{1, 2}));
}

TEST(RunCodec, WrongTypeNamesTheField)
{
    Json json = runToJson(fullRun());
    json["timing"]["gpu_ns"]["median"] = "fast";
    const Result<RunRecord> back = runFromJson(json);
    ASSERT_FALSE(back);
    EXPECT_EQ(back.error().code, ErrorCode::badInput);
    EXPECT_NE(back.error().message.find("timing.gpu_ns.median"), std::string::npos) << back.error().message;
}

TEST(RunCodec, UnknownFieldsOfANewerVersionAreIgnored)
{
    Json json = runToJson(fullRun());
    json["from_the_future"] = 1;
    EXPECT_TRUE(runFromJson(json));
}

TEST(RunCodec, AProfileWithoutCountersHasEmptyOnesAndReadsBackWithNone)
{
    RunRecord run = fullRun();
    run.metrics.reset();
    const Json json = runToJson(run);
    EXPECT_EQ(json["schema"], "kernelloop.profile/1");
    EXPECT_EQ(json["metrics"], Json::object());
    EXPECT_EQ(json["missing"], Json::object());
    EXPECT_EQ(json["plan"], (Json{{"passes", 0}, {"ran", 0}}));
    const Result<RunRecord> back = runFromJson(json);
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, run);
}

TEST(RunCodec, ARunWithoutProfileHasNoMetricKeys)
{
    RunRecord run = fullRun();
    run.metrics.reset();
    run.diagnosis.reset();
    const Json json = runToJson(run);
    EXPECT_EQ(json["schema"], "kernelloop.run/1");
    EXPECT_FALSE(json.contains("metrics"));
    EXPECT_FALSE(json.contains("finding"));
}

TEST(ComparisonCodec, RoundTrips)
{
    Comparison c;
    c.id.text = "c1";
    c.a = "transpose/naive";
    c.b = "transpose/tiled";
    c.verdict = Verdict::faster;
    c.reason = "interval-above-1";
    c.sentence = "B is faster";
    c.ratio = Ratio{1.5, 1.4, 1.6};
    c.blocks = 10;
    c.data = {{{1, 2}, {3, 4}}};
    c.metrics = {{"dram", "1", "2", 1.0}};
    c.environment = {{"driver", "580", "590", std::nullopt}};
    c.next = "keep";
    c.statistics = "t on ten blocks";
    c.noise = {0.004, "5 A/A repeats"};
    c.waived = "other-driver: patched only";
    c.warnings = {{"not-interleaved", "apart in time"}};
    const Json json = comparisonToJson(c);
    EXPECT_EQ(json["verdict"], "faster");
    EXPECT_TRUE(json["differences"].contains("tunables"));
    const Result<Comparison> back = comparisonFromJson(json);
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, c);
}

TEST(EnvCodec, VerdictFollowsRequiredChecksOnly)
{
    EnvReport report{{{"gpu", Requirement::required, CheckResult::pass, "H200", "", ""},
                      {"torch", Requirement::optional, CheckResult::fail, "none", "", "pip"}}};
    EXPECT_EQ(envToJson(report)["verdict"], "pass");
    report.checks[0].result = CheckResult::fail;
    EXPECT_EQ(envToJson(report)["verdict"], "fail");
    const Result<EnvReport> back = envFromJson(envToJson(report));
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, report);
}

TEST(EnvCodec, NoChecksIsNoPass)
{
    EXPECT_EQ(envToJson(EnvReport{})["verdict"], "fail");
}

TEST(Json, NotANumberBecomesNullAndBadUtf8DoesNotThrow)
{
    EXPECT_EQ(encode(Json{{"x", std::numeric_limits<double>::quiet_NaN()}}), "{\"x\":null}");
    EXPECT_NO_THROW(encode(Json{{"x", "\xff\xfe"}}));
}

TEST(Json, ReadsWhatItWrites)
{
    const std::string text = R"({"z":[1,-2,2.5,"x",true,null,[],{}],"a":{"b":{"c":[{"d":18446744073709551615}]},"a":""},"m":1e300})";
    const Result<Json> json = parseJson(text, "t");
    ASSERT_TRUE(json);
    EXPECT_EQ(encode(*json), encode(Json::parse(text)));
    EXPECT_TRUE((*json)["a"]["b"]["c"][0]["d"].is_number_unsigned());
    EXPECT_TRUE((*json)["z"][1].is_number_integer());
    EXPECT_EQ(*parseJson("7", "t"), Json(7));
}

TEST(Json, OfTwoMembersOfOneNameTheLatterCounts)
{
    EXPECT_EQ(encode(*parseJson(R"({"a":1,"b":2,"b":[3]})", "t")), R"({"a":1,"b":[3]})");
    EXPECT_EQ(encode(*parseJson(R"({"b":1,"a":2,"b":3,"c":{},"a":{}})", "t")), R"({"b":3,"a":{},"c":{}})");
    std::string many = "{";
    for (int i = 0; i < 300; ++i) // each name twice, in no order
        many += fmt::format("{}\"k{}\":{}", i == 0 ? "" : ",", i * 7 % 150, i);
    const Result<Json> members = parseJson(many + "}", "t");
    ASSERT_TRUE(members.ok());
    EXPECT_EQ(members->size(), 150U);
    for (int i = 0; i < 150; ++i)
        EXPECT_EQ((*members)[fmt::format("k{}", i * 7 % 150)], i + 150);
}

TEST(Json, ThousandsOfMembersInAnyOrderKeepTheirPlaces)
{
    Json json = Json::object();
    for (int i = 0; i < 3000; ++i)
        json[std::to_string(i * 7919 % 3000)] = Json::array({i});
    const Result<Json> again = parseJson(encode(json), "t");
    ASSERT_TRUE(again);
    EXPECT_EQ(encode(*again), encode(json));
}

TEST(Json, ErrorsRoundTrip)
{
    const Error error{.code = ErrorCode::environment, .message = "No GPU.", .hint = "Plug one in.", .where = "gpu", .detail = "tail"};
    EXPECT_EQ(errorFromJson(errorToJson(error)), error);
}

TEST(Json, ParseErrorNamesTheOrigin)
{
    const Result<Json> json = parseJson("{\"a\": ", "file.json");
    ASSERT_FALSE(json);
    EXPECT_EQ(json.error().where, "file.json");
    EXPECT_FALSE(json.error().detail.empty());
}

TEST(RunCodec, CodeIsEqualWhereItsInstructionsAre)
{
    KernelCode one, other;
    one.functions = {"_Z5naive"};
    other.functions = {"_Z5tiled"};
    EXPECT_EQ(SharedCode(one), SharedCode(one)) << "two copies";
    EXPECT_FALSE(SharedCode(one) == SharedCode(other));
    EXPECT_FALSE(SharedCode(one) == SharedCode());
    EXPECT_EQ(SharedCode(), SharedCode());
}

TEST(RunCodec, WithoutItsCodeARunHasAllElse)
{
    RunRecord run = fullRun();
    KernelCode code;
    code.functions = {"_Z5naive"};
    run.sourceProfile->code = SharedCode(code);
    EXPECT_TRUE(runToJson(run)["source"].contains("code"));
    Json bare = runToJsonWithoutCode(run);
    EXPECT_FALSE(bare["source"].contains("code"));
    EXPECT_EQ(bare["source"]["samples"], 120);
    run.sourceProfile.reset();
    EXPECT_EQ(runToJsonWithoutCode(run), runToJson(run));
}

TEST(RunCodec, TheDistributionIsThatOfTheSamples)
{
    RunRecord run = fullRun();
    run.timing->samples = {1, 2, 3, 4, 5};
    run.timing->gpu = {4, 3, 5, 5};
    const Json spread = runToJson(run)["timing"]["distribution"];
    EXPECT_EQ(spread["min"], 1);
    EXPECT_EQ(spread["q1"], 2);
    EXPECT_EQ(spread["q3"], 4);
    EXPECT_EQ(spread["max"], 5);
    EXPECT_EQ(spread["noise"], 0.5);
    run.timing->energy.reset();
    EXPECT_FALSE(runToJson(run)["timing"].contains("energy")) << "was not requested";
    run.timing->samples.clear();
    EXPECT_TRUE(runToJson(run)["timing"]["distribution"].is_null());
}

TEST(Json, AnErrorOfACommandNamesAllThatIsAgreedTo)
{
    Error error{.code = ErrorCode::needsConsent, .message = "m", .hint = "h", .where = "w"};
    error.command = std::make_shared<const FileCommand>(FileCommand{"/p/build.py", {"make", "all"}, "/p", "hash", "", {"a.cu", "b.cu"}});
    const Json body = errorToJson(error)["error"];
    EXPECT_EQ(body["file"], "/p/build.py");
    EXPECT_EQ(body["command"], (Json{"make", "all"}));
    EXPECT_EQ(body["folder"], "/p");
    EXPECT_EQ(body["hash"], "hash");
    EXPECT_EQ(body["files"], (Json{"a.cu", "b.cu"}));
    error.command.reset();
    EXPECT_FALSE(errorToJson(error)["error"].contains("file"));
}

TEST(Json, WhereNothingIsToBeDoneThereAreNoNextSteps)
{
    EXPECT_FALSE(errorToJson(Error{.code = ErrorCode::refused, .message = "m"})["error"].contains("next_steps"));
    EXPECT_FALSE(errorToJson(Error{.code = ErrorCode::refused, .message = "m"})["error"].contains("detail"));
    EXPECT_FALSE(comparisonToJson({}).contains("next_steps"));
    EXPECT_TRUE(comparisonToJson({})["waived"].is_null());
}

TEST(Json, AnErrorIsReadWithAndWithoutItsEnvelope)
{
    const Error error = errorFromJson({{"code", "not-found"}, {"message", "m"}, {"hint", 7}, {"where", "w"}});
    EXPECT_EQ(error.code, ErrorCode::notFound);
    EXPECT_EQ(error.message, "m");
    EXPECT_EQ(error.hint, "") << "it is not a text";
    EXPECT_EQ(error.where, "w");
    EXPECT_EQ(errorFromJson(Json::object()).code, ErrorCode::internal);
    EXPECT_EQ(errorToJson(error)["schema"], "kernelloop.error/1");
}

TEST(RunCodec, WhatWasNotCollectedHasNoMember)
{
    RunRecord run;
    run.kernel = *parseAddress("copy/strided");
    const Json json = runToJson(run);
    for (const char* name : {"baselines", "metrics", "finding", "experiments", "source", "pm_sampling", "timeline", "program", "imported"})
        EXPECT_FALSE(json.contains(name)) << name;
    EXPECT_FALSE(json["device"].contains("host"));
    for (const char* name : {"timing", "samples", "baseline", "speedup", "memory_bytes"})
        EXPECT_TRUE(json.at(name).is_null()) << name;
}

TEST(RunCodec, ASubjectThatCannotBeReadIsAnError)
{
    const Json good = runToJson(fullRun());
    for (const auto& [name, value] : {std::pair("kernel", "a b/c d"), std::pair("problem", "=="), std::pair("tunables", "==")}) {
        Json json = good;
        json[name] = value;
        const Result<RunRecord> run = runFromJson(json);
        ASSERT_FALSE(run) << name;
        EXPECT_EQ(run.error().code, ErrorCode::badInput);
    }
}

TEST(EnvCodec, HasItsSchemaAndTheWordsOfItsChecks)
{
    EnvReport report;
    report.checks = {{"driver", Requirement::required, CheckResult::pass, "580", "why", "fix"}};
    const Json json = envToJson(report);
    EXPECT_EQ(json["schema"], "kernelloop.env/1");
    EXPECT_EQ(json["checks"].size(), 1U);
    EXPECT_TRUE(envFromJson(Json::object())->checks.empty());
}

TEST(RunCodec, EveryMemberHasItsNameAndItsPlace)
{
    test::expectHeld(Json::parse(R"({"...": null,
        "schema": "kernelloop.profile/1", "id": "0190-x", "kernel": "attention", "variant": "fused", "tunables": "BLOCK_M=64,SWIZZLE=xor",
        "problem": "B=2,S=512", "device": {"...": null, "name": "NVIDIA H200", "cc": "9.0", "source": "sample", "host": "node7", "uuid": "GPU-1"},
        "source_hash": "abc", "started_at": "2026-01-02T03:04:05.678Z", "status": "validation_failed", "reason": "wrong",
        "correctness": {"...": null, "result": "incorrect", "max_abs": 0.5}, "timing": {"...": null, "host_ns": 25000.0, "gpu_ns_hot": 7000.0},
        "samples": {"gpu_ns": [8100.0, 8130.0, 8200.0], "clock_mhz": [1980.0, null, 1965.0], "gpu_ns_hot": [7000.0, 7010.0], "host_ns": [25000.0]},
        "memory_bytes": 4096, "baseline": {"...": null, "name": "PyTorch SDPA", "kernels": []},
        "baselines": [{"...": null, "name": "PyTorch SDPA", "kernels": ["sdpa"]}, {"...": null, "name": "cuDNN"}], "speedup": 1.107,
        "launches": [{"...": null, "entry": "attention_fused"}], "flops": 1e9, "ideal_bytes": 4e6,
        "metrics": {"dram__bytes_read.sum": 1e6, "gone": null, "launch__func_cache_config": "PreferNone"}, "missing": {"gone": "not on this chip"},
        "plan": {"passes": 19, "ran": 19}, "collection": {"...": null, "tier": 2, "launch": "attention_fused"},
        "finding": {"...": null, "class": "small-grid"}, "secondary": [{"...": null, "class": "small-grid"}], "tree_version": "0123456789ab",
        "experiments": [{"...": null, "id": "half-occupancy"}, {"...": null, "id": "half-grid"}], "source": {"...": null, "launch": "naive"},
        "pm_sampling": {"...": null, "interval_ns": 2000.0}, "timeline": {"...": null, "entry": "naive"},
        "program": {"...": null, "launches": 40}, "imported": {"...": null, "file": "a.ncu-rep"}, "worker_seconds": 1.25,
        "warnings": [{"code": "clock-unlocked", "text": "The clock was not locked."}]})"),
                     runToJson(fullRun()), "");
}

TEST(ComparisonCodec, EveryMemberHasItsNameAndItsPlace)
{
    Comparison full = fullComparison();
    full.verdict = Verdict::slower;
    full.reason = "interval-below-1";
    full.sentence = "slower";
    full.ratio = Ratio{0.5, 0.25, 0.75};
    full.refuted.reset();
    test::expectHeld(Json::parse(R"({"schema": "kernelloop.compare/1", "id": "0190-c", "a": "transpose/naive", "b": "transpose/tiled",
        "verdict": "slower", "reason": "interval-below-1", "sentence": "slower", "ratio": {"value": 0.5, "low": 0.25, "high": 0.75}, "refuted": null,
        "blocks": 10, "energy": {"...": null, "reason": "why"}, "wall": {"...": null},
        "differences": {"metrics": [{"...": null, "name": "m"}], "tunables": [{"...": null, "name": "TILE"}],
                        "environment": [{"...": null, "name": "driver"}]},
        "next": "look", "next_steps": [{"...": null, "id": "list-metrics"}], "statistics": "basis", "noise": {"...": null}, "waived": "other driver",
        "warnings": [{"code": "code", "text": "text"}], "data": [{"a": [1.0, 2.0], "b": [3.0, 4.0]}]})"),
                     comparisonToJson(full), "");
}

} // namespace
} // namespace kl
