// SPDX-License-Identifier: MIT
// A descriptor's formulas evaluated at one point: what the worker gets.
#include "kernels/baseline_choice.h"
#include "kernels/catalog.h"
#include "kernels/code_builder.h"
#include "kernels/descriptor_parser.h"
#include "kernels/reference_builder.h"
#include "kernels/variant_choice.h"
#include "kernels/work_builder.h"

#include <cstdint>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kl {
namespace {

constexpr const char* kPoint = R"_({
  "id": "k", "source": "k.cu", "sizes": ["M", "N"], "optional_sizes": {"S": "N", "B": "1"},
  "problems": ["M=4,N=64", "M=2,N=8"], "smallest": "M=1,N=1", "suite": ["M=1,N=2", "M=1,N=4"],
  "buffers": [{"name": "x", "type": "f32", "type_when": {"bf16": "B==2", "f16": "B>=2"}, "count": "M*N", "fill": "uniform", "scale": 0.5,
               "fill_when": {"outliers": "S>N", "zeros": "S<N"}},
              {"name": "y", "type": "f32", "count": "M*N", "role": "output", "fill": "poison"},
              {"name": "t", "type": "i32", "count": "T*C", "role": "scratch"}],
  "reference": {"expression": "x(m*N+n)", "index": ["m:M", "n:N"]},
  "tolerance": {"max_abs": 0.25, "rel_l2": 0.5}, "tolerance_scale": "B+1",
  "baseline": {"kind": "roof", "name": "Roof", "fallback": "roof", "params": {"bytes": "8*M*N", "flops": "M"}},
  "flops": "3*M*N", "ideal_bytes": "8*M*N",
  "tunables": [{"name": "T", "values": [1, 2, 128], "default": 2}, {"name": "MODE", "values": ["plain", "xor"], "default": "plain"}],
  "constraints": ["T<=M"],
  "variants": [
    {"id": "a", "constants": {"T": 1, "C": 3}, "options": ["-DX={N+C}"],
     "launches": [{"entry": "f", "grid": ["N", "M"], "block": ["32"], "args": ["x", "y", "i32:C", "f32:1/4"]}]},
    {"id": "b", "tunables": ["T", "MODE"], "constants": {"C": 5}, "constraints": ["T<128", "MODE+N>0"], "options": ["-w", "-DY={T}{MODE}"],
     "graph": true, "deterministic": false, "state": ["count"], "arithmetic": "f16",
     "launches": [
       {"entry": "first", "grid": ["1"], "block": ["1"], "args": ["t"], "repeat": "MODE"},
       {"entry": "g", "grid": ["ceildiv(N,T)", "M", "2"], "block": ["32", "T", "1"], "dynamic_smem": "4*N", "args": ["x", "y", "t"], "repeat": "3",
        "cooperative": true, "programmatic": true, "carveout": 25}]}
  ]
})_";

const KernelFamily& pointFamily()
{
    static const KernelFamily family = [] {
        Result<KernelFamily> read = parseDescriptor(kPoint, "k.json", DescriptorChecks::formulas);
        EXPECT_TRUE(read) << read.error().message;
        read->source = "code";
        return *read;
    }();
    return family;
}

Params makeParams(const char* text)
{
    return *text ? *parseParams(text) : Params();
}

Result<WorkSpec> built(const KernelFamily& family, std::size_t variant, const char* tunables = "", const char* problem = "")
{
    return buildWork(family, family.variants[variant], makeParams(tunables), makeParams(problem));
}

TEST(FamilyPoint, SizesTakeTheirDefaultsAndNamesTheirValues)
{
    const KernelFamily& family = pointFamily();
    const Result<FamilyPoint> usual = makeFamilyPoint(family, family.variants[1], {}, {});
    ASSERT_TRUE(usual) << usual.error().message;
    EXPECT_EQ(toText(usual->sizes), "M=4,N=64") << "the first problem";
    EXPECT_TRUE(usual->changed.empty());
    EXPECT_EQ(usual->defs, (std::map<std::string, double>{{"T", 2}, {"MODE", 0}}));
    EXPECT_EQ(usual->scope, (Scope{{"M", 4}, {"N", 64}, {"S", 64}, {"B", 1}, {"T", 2}, {"MODE", 0}, {"C", 5}, {"SMS", 132}, {"CC", 90}}));

    const Result<FamilyPoint> other =
        makeFamilyPoint(family, family.variants[1], makeParams("T=128,MODE=xor"), makeParams("N=0,S=3,B=1"), {8, 9, 142, {}});
    ASSERT_TRUE(other) << other.error().message;
    EXPECT_EQ(toText(other->sizes), "M=4,N=0,S=3") << "B is at its default";
    EXPECT_EQ(toText(other->changed), "MODE=xor,T=128");
    EXPECT_EQ(other->defs, (std::map<std::string, double>{{"T", 128}, {"MODE", 1}}));
    EXPECT_EQ(other->scope.at("S"), 3);
    EXPECT_EQ(other->scope.at("CC"), 89);
    EXPECT_EQ(other->scope.at("SMS"), 142);

    const Result<FamilyPoint> plain = makeFamilyPoint(family, family.variants[0], {}, {});
    EXPECT_TRUE(plain->defs.empty());
    EXPECT_EQ(plain->scope.at("T"), 1) << "a constant in the place of a tunable that it does not use";
    EXPECT_FALSE(plain->scope.contains("MODE"));
}

TEST(FamilyPoint, WhatIsNoPointIsRefused)
{
    const KernelFamily& family = pointFamily();
    const auto refusal = [&](std::size_t variant, const Params& tunables, const Params& problem) {
        const Result<FamilyPoint> point = makeFamilyPoint(family, family.variants[variant], tunables, problem);
        EXPECT_FALSE(point);
        EXPECT_EQ(point.error().code, ErrorCode::badInput);
        EXPECT_EQ(point.error().where, "k");
        return point ? std::string() : point.error().message + ' ' + point.error().hint;
    };
    EXPECT_NE(refusal(1, {}, makeParams("Q=1")).find(" M=4,N=64. "), std::string::npos);
    EXPECT_NE(refusal(1, {}, makeParams("Q=1")).find(": B, S."), std::string::npos) << "those that are optional";
    EXPECT_NE(refusal(1, {}, makeParams("N=-1")).find("N=-1"), std::string::npos);
    EXPECT_NE(refusal(1, {}, makeParams("S=-1")).find("S=-1"), std::string::npos);
    EXPECT_NE(refusal(1, {}, makeParams("N=many")).find("N=many"), std::string::npos);
    EXPECT_NE(refusal(1, makeParams("T=3"), {}).find(": 1, 2, 128."), std::string::npos);
    EXPECT_NE(refusal(1, makeParams("MODE=none"), {}).find(": plain, xor."), std::string::npos);
    EXPECT_NE(refusal(1, makeParams("Q=3"), {}).find(" T, MODE."), std::string::npos);
    EXPECT_EQ(refusal(0, makeParams("T=2"), {}).find("MODE"), std::string::npos) << "that of another variant";
    EXPECT_FALSE(refusal(0, makeParams("T=2"), {}).ends_with(" .")) << "there is none to name";
}

TEST(WorkBuilder, EveryFieldIsThatOfThePoint)
{
    const KernelFamily& family = pointFamily();
    const Result<WorkSpec> work = built(family, 1, "MODE=xor,T=1", "M=3");
    ASSERT_TRUE(work) << work.error().message;
    EXPECT_EQ(work->kernel, "k/b@MODE=xor,T=1");
    EXPECT_EQ(work->problem, "M=3,N=64");
    EXPECT_EQ(work->source, "code");
    EXPECT_EQ(work->sourceHash, codeHash("code", {}, {}));
    EXPECT_EQ(work->options, (std::vector<std::string>{"--std=c++17", "-DMODE=1", "-DT=1", "-w", "-DY=11"}));
    EXPECT_EQ(work->tolerance, (Tolerance{0.5, 1}));
    EXPECT_EQ(work->flops, 3 * 3 * 64);
    EXPECT_EQ(work->idealBytes, 8 * 3 * 64);
    EXPECT_EQ(work->baseline, (BaselineSpec{"roof", "Roof", "", {{"bytes", 8 * 3 * 64}, {"flops", 3}}, "roof", {}}));
    EXPECT_TRUE(work->graph);
    EXPECT_FALSE(work->deterministic);
    EXPECT_EQ(work->state, std::vector<std::string>{"count"});
    EXPECT_EQ(work->arithmetic, DType::f16);
    EXPECT_FALSE(work->variables);
    ASSERT_EQ(work->launches.size(), 2U);
    EXPECT_EQ(work->launches[0].entry, "first");
    EXPECT_EQ(work->launches[0].repeat, 1);
    const LaunchSpec& launch = work->launches[1];
    EXPECT_EQ(launch.grid, (std::vector<std::int64_t>{64, 3, 2}));
    EXPECT_EQ(launch.block, (std::vector<std::int64_t>{32, 1, 1}));
    EXPECT_EQ(launch.dynamicSmem, 256);
    EXPECT_EQ(launch.repeat, 3);
    EXPECT_TRUE(launch.cooperative && launch.programmatic && launch.cluster.empty());
    EXPECT_EQ(launch.carveout, 25);
    ASSERT_EQ(work->buffers.size(), 3U);
    EXPECT_EQ(work->buffers[0], (BufferSpec{"x", DType::f32, 192, BufferRole::input, Fill::uniform, 0.5, {}}));
    EXPECT_EQ(work->buffers[1], (BufferSpec{"y", DType::f32, 192, BufferRole::output, Fill::poison, 1, {}}));
    EXPECT_EQ(work->buffers[2].count, 5);
    EXPECT_EQ(work->reference.expression, "x(m*N+n)");
    EXPECT_EQ(work->reference.index, (std::vector<IndexSpec>{{"m", 3}, {"n", 64}}));
    EXPECT_EQ(work->reference.params.at("MODE"), 1);
    EXPECT_EQ(work->reference.inputs, std::vector<std::string>{"x"});
    EXPECT_EQ(work->reference.output, "y");
}

TEST(WorkBuilder, TheOtherVariantIsPlain)
{
    const Result<WorkSpec> work = built(pointFamily(), 0);
    ASSERT_TRUE(work) << work.error().message;
    EXPECT_EQ(work->kernel, "k/a");
    EXPECT_EQ(work->options, (std::vector<std::string>{"--std=c++17", "-DX=67"}));
    EXPECT_FALSE(work->graph);
    EXPECT_TRUE(work->deterministic);
    EXPECT_TRUE(work->state.empty());
    EXPECT_FALSE(work->arithmetic);
    ASSERT_EQ(work->launches.size(), 1U);
    EXPECT_EQ(work->launches[0].repeat, 1);
    EXPECT_EQ(work->launches[0].dynamicSmem, 0);
    EXPECT_FALSE(work->launches[0].cooperative || work->launches[0].programmatic || work->launches[0].carveout);
    EXPECT_EQ(work->launches[0].args, (std::vector<ArgSpec>{{"x", {}, 0}, {"y", {}, 0}, {{}, DType::i32, 3}, {{}, DType::f32, 0.25}}));
}

TEST(WorkBuilder, TypeAndFillFollowTheFirstFormulaThatHolds)
{
    const KernelFamily& family = pointFamily();
    const auto first = [&](const char* problem) { return built(family, 0, "", problem)->buffers[0]; };
    EXPECT_EQ(first("").type, DType::f32);
    EXPECT_EQ(first("B=2").type, DType::bf16) << "both hold";
    EXPECT_EQ(first("B=3").type, DType::f16);
    EXPECT_EQ(first("").fill, Fill::uniform);
    EXPECT_EQ(first("S=65").fill, Fill::outliers);
    EXPECT_EQ(first("S=63").fill, Fill::zeros);
}

TEST(WorkBuilder, ALaunchOfNoRepetitionIsLeftOut)
{
    KernelFamily family = pointFamily();
    ASSERT_EQ(built(family, 1)->launches.size(), 1U);
    EXPECT_EQ(built(family, 1)->launches[0].entry, "g");
    family.variants[1].launches[1].repeat = "0";
    const Result<WorkSpec> none = built(family, 1);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().where, "variants[1].launches");
    EXPECT_THAT(none.error().message, testing::Not(testing::HasSubstr("M=4,N=64"))) << "on the family's own sizes";
    EXPECT_THAT(built(family, 1, "", "M=5").error().message,
                testing::AllOf(testing::StartsWith("k/b "), testing::HasSubstr(" M=5,N=64. "), testing::EndsWith(none.error().message)));
}

TEST(WorkBuilder, ConstraintsHoldForVariantsWithTunables)
{
    const KernelFamily& family = pointFamily();
    EXPECT_EQ(built(family, 1, "", "M=1").error().where, "constraints[0]");
    EXPECT_EQ(built(family, 1, "T=128", "M=128").error().where, "variants[1].constraints[0]");
    EXPECT_EQ(built(family, 1, "", "N=0").error().where, "variants[1].constraints[1]");
    EXPECT_TRUE(built(family, 0, "", "M=1"));
}

/// Each formula is evaluated, and what is wrong with one is the error.
TEST(WorkBuilder, NoFormulaIsTakenUnevaluated)
{
    using Break = std::function<void(KernelFamily&)>;
    const std::vector<Break> breaks{[](KernelFamily& f) { f.flops = "Q"; },
                                    [](KernelFamily& f) { f.idealBytes = "Q"; },
                                    [](KernelFamily& f) { f.toleranceScale = "Q"; },
                                    [](KernelFamily& f) { f.baseline.params["bytes"] = "Q"; },
                                    [](KernelFamily& f) { f.buffers[0].count = "Q"; },
                                    [](KernelFamily& f) { f.buffers[0].count = "-1"; },
                                    [](KernelFamily& f) { f.buffers[0].typeWhen["f16"] = "Q"; },
                                    [](KernelFamily& f) { f.buffers[0].fillWhen["zeros"] = "Q"; },
                                    [](KernelFamily& f) { f.reference.index[0] = "m:Q"; },
                                    [](KernelFamily& f) { f.reference.sum = {"k:Q"}; },
                                    [](KernelFamily& f) { f.reference.sum = {"k:0"}; },
                                    [](KernelFamily& f) { f.reference.params["p"] = "Q"; },
                                    [](KernelFamily& f) { f.reference.index = {"m:M"}; },
                                    [](KernelFamily& f) { f.optionalSizes["S"] = "Q"; },
                                    [](KernelFamily& f) { f.constraints = {"Q"}; },
                                    [](KernelFamily& f) { f.variants[1].constraints = {"Q"}; },
                                    [](KernelFamily& f) { f.variants[1].options = {"-DX={Q}"}; },
                                    [](KernelFamily& f) { f.variants[1].launches[1].grid[1] = "0"; },
                                    [](KernelFamily& f) { f.variants[1].launches[1].block[1] = "Q"; },
                                    [](KernelFamily& f) { f.variants[1].launches[1].dynamicSmem = "Q"; },
                                    [](KernelFamily& f) { f.variants[1].launches[1].dynamicSmem = "-1"; },
                                    [](KernelFamily& f) { f.variants[1].launches[1].repeat = "Q"; },
                                    [](KernelFamily& f) { f.variants[1].launches[1].repeat = "1000001"; },
                                    [](KernelFamily& f) { f.variants[1].launches[1].cluster = {"Q"}; },
                                    [](KernelFamily& f) { f.variants[1].launches[1].cluster = {"17"}; },
                                    [](KernelFamily& f) {
                                        f.variants[1].launches[1].cluster = {"1", "3"};
                                    },
                                    [](KernelFamily& f) { f.variants[1].launches[1].args[0].text = "i32:Q"; },
                                    [](KernelFamily& f) { f.variants[1].launches[1].args[0].text = "i33:1"; },
                                    [](KernelFamily& f) { f.variants[1].launches[1].args[0].text = "q"; }};
    for (std::size_t i = 0; i < breaks.size(); ++i) {
        KernelFamily family = pointFamily();
        breaks[i](family);
        const Result<WorkSpec> work = built(family, 1);
        ASSERT_FALSE(work) << i;
        EXPECT_EQ(work.error().code, ErrorCode::badInput) << i;
        EXPECT_FALSE(work.error().message.empty() || work.error().where.empty()) << i;
    }
}

TEST(WorkBuilder, AVariantsOwnCodeReplacesTheFamilys)
{
    KernelFamily family = pointFamily();
    family.headers = {{"a.h", "1"}};
    EXPECT_EQ(built(family, 0)->headers, family.headers);
    EXPECT_EQ(built(family, 0)->sourceHash, codeHash("code", family.headers, {}));
    family.variants[0].sourcePath = "own.cu";
    family.variants[0].source = "own";
    EXPECT_EQ(built(family, 0)->source, "own");
    EXPECT_TRUE(built(family, 0)->headers.empty());
    EXPECT_EQ(built(family, 1)->source, "code");
    family.variants[0].image = ImageSpec{true, "own.ptx", "AA=="};
    family.variants[0].source.clear();
    EXPECT_EQ(built(family, 0)->image, family.variants[0].image);
    EXPECT_EQ(chooseCodeText(family, family.variants[0]).hash(), built(family, 0)->sourceHash);
    EXPECT_NE(chooseCodeText(family, family.variants[1]).hash(), built(family, 0)->sourceHash);
}

TEST(CodeBuilder, ScalarsAreTheValuesThatTheirTypeHolds)
{
    const KernelFamily none;
    const auto value = [&](const std::string& text) {
        const Result<ArgSpec> arg = buildArg(none, {text, {}}, {{"N", 7}});
        return arg ? std::optional(arg->value) : std::nullopt;
    };
    EXPECT_EQ(value("i32:2147483647"), 2147483647);
    EXPECT_EQ(value("i32:-2147483648"), -2147483648.0);
    EXPECT_EQ(value("i32:2147483648"), std::nullopt);
    EXPECT_EQ(value("u32:0"), 0);
    EXPECT_EQ(value("u32:4294967296"), std::nullopt);
    EXPECT_EQ(value("i64:-2^53"), -9007199254740992.0);
    EXPECT_EQ(value("i64:-2^53-2"), std::nullopt);
    EXPECT_EQ(value("u64:2^53"), 9007199254740992.0);
    EXPECT_EQ(value("i32:N+0.0000005"), 7);
    EXPECT_EQ(value("i32:N+0.00001"), std::nullopt);
    EXPECT_EQ(value("f32:N/2"), 3.5);
    EXPECT_EQ(value("f64:N/2"), 3.5);
    EXPECT_EQ(value("f32:1/0"), std::nullopt);
    EXPECT_EQ(buildArg(none, {"q:1", {}}, {}).error().where, "q:1");
    for (const auto& [word, type] : {std::pair("i32", DType::i32),
                                     {"u32", DType::u32},
                                     {"i64", DType::i64},
                                     {"u64", DType::u64},
                                     {"f16", DType::f16},
                                     {"bf16", DType::bf16},
                                     {"f32", DType::f32},
                                     {"f64", DType::f64}})
        EXPECT_EQ(scalarType(word), type) << word;
    for (const char* word : {"", "i8", "u8", "f8e4m3", "f8e5m2", "bool", "int"})
        EXPECT_FALSE(scalarType(word)) << word;
}

TEST(CodeBuilder, AMapIsOfABufferThatThereIs)
{
    KernelFamily family = pointFamily();
    TensorMapFormula map;
    map.buffer = "y";
    map.dims = {"M*N"};
    map.box = {"64"};
    const auto made = [&](const TensorMapFormula& formula) { return buildArg(family, {{}, formula}, {{"M", 4}, {"N", 64}, {"B", 1}}); };
    EXPECT_EQ(made(map)->buffer, "y");
    EXPECT_FALSE(made(map)->scalarType);
    map.buffer = "q";
    EXPECT_EQ(made(map).error().where, "tensor_map");
    map.buffer = "y";
    map.box = {"257"};
    EXPECT_EQ(made(map).error().where, "box[0]");
    map.box = {"64"};
    family.buffers[1].count = "Q";
    EXPECT_FALSE(made(map));
    family.buffers[1].count = "M*N";
    family.buffers[1].typeWhen = {{"f16", "Q"}};
    EXPECT_FALSE(made(map));
}

TEST(CodeBuilder, AClusterDividesItsGrid)
{
    const auto field = [](std::vector<std::int64_t> grid, std::vector<std::int64_t> cluster) {
        LaunchSpec launch;
        launch.grid = std::move(grid);
        launch.cluster = std::move(cluster);
        return launchShapeFault(launch).value_or(LaunchFault{}).field;
    };
    EXPECT_EQ(field({5, 5, 5}, {}), "");
    EXPECT_EQ(field({4, 6, 2}, {2, 3, 2}), "");
    EXPECT_EQ(field({4, 6, 3}, {2, 3, 2}), "grid");
    EXPECT_EQ(field({4, 7, 2}, {2, 3, 2}), "grid");
    EXPECT_EQ(field({32, 32, 32}, {4, 4, 2}), "cluster");
    EXPECT_EQ(field({8, 8, 8}, {std::int64_t{1} << 40, std::int64_t{1} << 40, 1}), "cluster") << "whose product no number holds";
}

TEST(ReferenceBuilder, WhatAnExpressionLeavesOutFollows)
{
    KernelFamily family = pointFamily();
    family.reference.index.clear();
    family.reference.sum = {"k:M+1"};
    const Result<WorkSpec> work = built(family, 0);
    ASSERT_TRUE(work) << work.error().message;
    EXPECT_EQ(work->reference.index, (std::vector<IndexSpec>{{"i", 256}})) << "the elements of the output";
    EXPECT_EQ(work->reference.sum, (std::vector<IndexSpec>{{"k", 5}}));
    family.reference.index = {"m:M", "n:N-1"};
    EXPECT_EQ(built(family, 0).error().where, "reference.index");
}

TEST(ReferenceBuilder, AFunctionSeesItsOwnParametersAlone)
{
    KernelFamily family = pointFamily();
    family.reference = {};
    family.reference.function = "transpose";
    family.reference.params = {{"rows", "M"}, {"cols", "N"}};
    family.reference.inputs = {"x"};
    family.reference.output = "y";
    const Result<WorkSpec> work = built(family, 0);
    ASSERT_TRUE(work);
    EXPECT_EQ(work->reference.function, "transpose");
    EXPECT_EQ(work->reference.params, (std::map<std::string, double>{{"rows", 4}, {"cols", 64}}));
    EXPECT_TRUE(work->reference.index.empty());
    EXPECT_FALSE(work->reference.kernel || work->reference.data || work->reference.script);
}

TEST(ReferenceBuilder, AnotherVariantIsTheReferenceAtItsDefaults)
{
    KernelFamily family = pointFamily();
    family.reference = {};
    family.reference.kernel = "b";
    family.reference.output = "y";
    const Result<WorkSpec> work = built(family, 0, "", "M=3");
    ASSERT_TRUE(work) << work.error().message;
    ASSERT_TRUE(work->reference.kernel);
    EXPECT_EQ(work->reference.kernel->kernel, "k/b");
    EXPECT_EQ(work->reference.kernel->launches.at(0).grid, (std::vector<std::int64_t>{32, 3, 2}));
    family.reference.kernel = "q";
    EXPECT_EQ(built(family, 0).error().where, "k");
    family.reference.kernel = "b";
    family.variants[1].launches[1].grid = {"Q"};
    EXPECT_FALSE(built(family, 0));
}

TEST(ReferenceBuilder, AScriptIsNamedByItsPlace)
{
    KernelFamily family = pointFamily();
    EXPECT_FALSE(referenceScript(family));
    family.reference.python = "../ref.py";
    family.reference.script = "print(1)";
    family.reference.timeoutSeconds = 7;
    family.origin.descriptor = "/home/me/k/kernel.json";
    EXPECT_EQ(referenceScript(family), (ScriptSpec{"/home/me/ref.py", "print(1)", 7}));
    family.reference.expression.clear();
    family.reference.index.clear();
    const Result<WorkSpec> work = built(family, 1);
    ASSERT_TRUE(work) << work.error().message;
    EXPECT_EQ(work->reference.script, referenceScript(family));
    EXPECT_EQ(work->reference.params.at("T"), 2) << "a script sees every size, tunable and constant";
}

TEST(VariantChoice, TheFirstSoundVariantHasNoFault)
{
    KernelFamily family = pointFamily();
    EXPECT_EQ(firstSound(family), &family.variants[0]);
    family.variants[0].fault = "race";
    EXPECT_EQ(firstSound(family), &family.variants[1]);
    family.variants[1].fault = "race";
    EXPECT_EQ(firstSound(family), nullptr);
}

TEST(VariantChoice, AConditionIsEvaluatedOnTheProblem)
{
    KernelFamily family = pointFamily();
    EXPECT_FALSE(choosesByItself(family));
    const auto suitsOn = [&](const char* problem) { return suits(family, family.variants[1], makeParams(problem), {}); };
    EXPECT_TRUE(*suitsOn("N=1")) << "without a condition";
    family.variants[1].when = "N>8 && T==2";
    EXPECT_TRUE(choosesByItself(family)) << "one of them does";
    EXPECT_TRUE(*suitsOn(""));
    EXPECT_FALSE(*suitsOn("N=8"));
    EXPECT_FALSE(suitsOn("Q=8"));
    family.variants[1].when = "Q";
    EXPECT_FALSE(suitsOn(""));
    EXPECT_FALSE(chooseVariant(family, {}, {}));
}

TEST(VariantChoice, TheTopIsTheChoiceElseTheLastThatRunsElseTheLast)
{
    KernelFamily family = pointFamily();
    EXPECT_EQ(topVariant(family, {}, {}).id, "b");
    family.variants[0].when = "N<=8";
    EXPECT_EQ(topVariant(family, makeParams("N=8"), {}).id, "a");
    EXPECT_EQ(topVariant(family, makeParams("N=9"), {}).id, "b");
    const Result<const Variant*> none = chooseVariant(family, makeParams("N=9"), {});
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::badInput);
    EXPECT_NE(none.error().hint.find("k/a, k/b."), std::string::npos) << none.error().hint;
    family.variants[0].targets = family.variants[1].targets = {"sm_90a"};
    EXPECT_EQ(topVariant(family, {}, {8, 0, 108, {}}).id, "b") << "neither runs";
    family.variants[0].targets = {"sm_80"};
    EXPECT_EQ(topVariant(family, {}, {8, 0, 108, {}}).id, "a");
}

/// A program of two sizes, which KernelLoop does not launch itself.
KernelFamily programFamily()
{
    KernelFamily program;
    program.id = "train";
    program.programHash = "hash";
    program.sizes = {"M", "N"};
    program.problems = {makeParams("M=4,N=64"), makeParams("M=1,N=1")};
    program.origin.descriptor = "/p/program.json";
    program.variants.resize(1);
    program.variants[0].id = "command";
    return program;
}

TEST(CatalogOfPrograms, AProgramIsFoundAndIdentifiedButNotListed)
{
    const Catalog catalog({pointFamily(), programFamily()});
    ASSERT_EQ(catalog.families().size(), 1U);
    ASSERT_EQ(catalog.programs().size(), 1U);
    EXPECT_EQ(catalog.addresses(), (std::vector<Address>{{"k", "a", {}}, {"k", "b", {}}}));
    EXPECT_EQ(*catalog.family("train"), &catalog.programs()[0]);
    const auto identity = [&](const char* variant, const Params& problem) { return catalog.identify({"train", variant, {}}, problem); };
    EXPECT_EQ(identity("command", {})->problem, "M=4,N=64");
    EXPECT_EQ(identity("command", {})->sourceHash, "hash");
    EXPECT_EQ(identity("command", makeParams("N=0"))->problem, "M=4,N=0");
    EXPECT_EQ(identity("q", {}).error().code, ErrorCode::notFound);
    for (const char* problem : {"Q=1", "N=-1", "N=many"}) {
        const auto refused = identity("command", makeParams(problem));
        ASSERT_FALSE(refused) << problem;
        EXPECT_EQ(refused.error().code, ErrorCode::badInput);
        EXPECT_EQ(refused.error().where, "train");
        EXPECT_NE(refused.error().message.find(problem), std::string::npos);
        EXPECT_NE(refused.error().hint.find("M, N"), std::string::npos);
    }
    const auto kernel = catalog.identify({"k", "a", {}}, makeParams("N=8"));
    EXPECT_EQ(kernel->problem, "M=4,N=8");
    EXPECT_EQ(kernel->sourceHash, codeHash("code", {}, {}));
    EXPECT_EQ(catalog.work({"train", "command", {}}, {}).error().code, ErrorCode::refused);
}

TEST(CatalogOfFamilies, WhatIsAddedAgainIsReplaced)
{
    Catalog catalog({});
    KernelFamily kernel = pointFamily();
    kernel.origin.descriptor = "/k/kernel.json";
    ASSERT_TRUE(catalog.add(kernel));
    ASSERT_TRUE(catalog.add(programFamily()));
    EXPECT_EQ(catalog.families().size(), 1U);
    EXPECT_EQ(catalog.programs().size(), 1U);
    kernel.title = "Renewed";
    ASSERT_TRUE(catalog.add(kernel));
    ASSERT_EQ(catalog.families().size(), 1U);
    EXPECT_EQ(catalog.families()[0].title, "Renewed");
    KernelFamily other = programFamily();
    other.origin.descriptor = "/other/program.json";
    const Status taken = catalog.add(other);
    ASSERT_FALSE(taken);
    EXPECT_EQ(taken.error().where, "/other/program.json");
    Catalog carried({pointFamily()});
    EXPECT_EQ(carried.add(kernel).error().where, "/k/kernel.json");
    EXPECT_TRUE(carried.families()[0].title != "Renewed") << "a built-in kernel stays";
}

TEST(CatalogOfFamilies, ErrorsNameWhatIsThere)
{
    KernelFamily second = pointFamily();
    second.id = "l";
    const Catalog catalog({pointFamily(), second});
    const auto family = catalog.family("q");
    EXPECT_EQ(family.error().where, "q");
    EXPECT_THAT(family.error().hint, testing::EndsWith(": k, l."));
    const auto variant = catalog.variant({"k", "q", makeParams("T=1")});
    EXPECT_EQ(variant.error().code, ErrorCode::notFound);
    EXPECT_EQ(variant.error().where, "k/q@T=1");
    EXPECT_THAT(variant.error().hint, testing::EndsWith(": a, b."));
}

TEST(CatalogOfFamilies, FixesAreThoseThatSuitTheProblem)
{
    KernelFamily family = pointFamily();
    family.variants[1].fixes = "a";
    family.variants[1].when = "N>8";
    const Catalog catalog({family});
    const Address first{"k", "a", {}};
    EXPECT_EQ(catalog.fixesFor(first, Chip{}, makeParams("N=9")).size(), 1U);
    EXPECT_TRUE(catalog.fixesFor(first, Chip{}, makeParams("N=8")).empty());
    EXPECT_EQ(catalog.fixesFor(first, Chip{}).size(), 1U) << "whatever the problem";
    EXPECT_EQ(catalog.fixesFor(first, {}, makeParams("N=8")).size(), 1U) << "on an unknown chip";
    EXPECT_TRUE(catalog.fixesFor({"k", "", {}}).empty()) << "a family has none";
    EXPECT_TRUE(catalog.fixesFor({"q", "a", {}}).empty());
}

TEST(CatalogOfFamilies, TheExpectedClassShowsWhereItsFormulaHolds)
{
    KernelFamily family = pointFamily();
    family.variants[1].expected = "atomics";
    family.variants[1].expectedWhen = "N>=8 && SMS>100";
    const Catalog catalog({family});
    const Address address{"k", "b", {}};
    EXPECT_EQ(catalog.findExpectedClass(address, makeParams("N=8")), "atomics");
    EXPECT_EQ(catalog.findExpectedClass(address, makeParams("N=7")), std::nullopt);
    EXPECT_EQ(catalog.findExpectedClass(address, makeParams("N=8"), {9, 0, 78, {}}), std::nullopt);
    EXPECT_EQ(catalog.findExpectedClass(address, makeParams("M=8")), std::nullopt) << "N is not given";
    EXPECT_EQ(catalog.findExpectedClass({"k", "a", {}}, makeParams("N=8")), std::nullopt);
}

TEST(CatalogOfFamilies, ASuiteHasItsSizesInOrder)
{
    const Result<std::vector<WorkSpec>> suite = Catalog({pointFamily()}).suite({"k", "a", {}});
    ASSERT_TRUE(suite);
    ASSERT_EQ(suite->size(), 2U);
    EXPECT_EQ((*suite)[0].problem, "M=1,N=2");
    EXPECT_EQ((*suite)[1].problem, "M=1,N=4");
}

TEST(ReferenceBuilder, AReferenceKernelIsOfTheSameSizesAndChip)
{
    KernelFamily family = pointFamily();
    family.reference = {};
    family.reference.kernel = "b";
    family.reference.output = "y";
    family.variants[1].launches[1].grid = {"SMS", "M", "S"};
    const Chip chip{9, 0, 77, "Prototype"};
    const Result<WorkSpec> work = buildWork(family, family.variants[0], {}, makeParams("M=3,S=7"), chip);
    ASSERT_TRUE(work) << work.error().message;
    ASSERT_TRUE(work->reference.kernel);
    EXPECT_EQ(work->reference.kernel->launches.at(0).grid, (std::vector<std::int64_t>{77, 3, 7}));
    EXPECT_EQ(work->reference.output, "y");
    EXPECT_TRUE(work->reference.params.empty()) << "it has none of its own";
}

} // namespace
} // namespace kl
