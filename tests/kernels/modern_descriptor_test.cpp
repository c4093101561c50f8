// SPDX-License-Identifier: MIT
// What descriptors say of newer chips: targets, clusters, tensor maps, types, and which variant is the choice where.
#include "kernels/catalog.h"
#include "kernels/code_builder.h"
#include "kernels/descriptor_parser.h"
#include "kernels/space/search_space.h"
#include "kernels/tensor_map_builder.h"
#include "kernels/variant_choice.h"
#include "kernels/work_builder.h"
#include "tests/support/modern_kernels.h"

#include <fmt/format.h>
#include <functional>
#include <gtest/gtest.h>

namespace kl {
namespace {

const Chip kHopper{9, 0, 132, "H200"};
const Chip kBlackwell{10, 0, 148, "B200"};
const Chip kAmpere{8, 0, 108, "A100"};

/// A descriptor of two variants, with these fields in the second and in its launch.
Result<KernelFamily> family(const std::string& variant, const std::string& launch = {}, const std::string& arguments = R"("x", "y")",
                            const std::string& type = "f16")
{
    return parseDescriptor(fmt::format(R"_({{
  "id": "k", "source": "k.cu",
  "sizes": ["M", "N"], "problems": ["M=64,N=128"], "smallest": "M=64,N=64",
  "buffers": [{{"name": "x", "type": "{}", "count": "M*N"}}, {{"name": "y", "type": "{}", "count": "M*N", "role": "output"}}],
  "tunables": [{{"name": "TILE", "values": [8, 512], "default": 8}}],
  "variants": [
    {{"id": "old", "launches": [{{"entry": "f", "grid": ["1"], "block": ["32"], "args": ["x", "y"]}}]}},
    {{"id": "new", "tunables": ["TILE"], {} "launches": [{{"entry": "f", "grid": ["6"], "block": ["32"], {} "args": [{}]}}]}}
  ]
}})_",
                                       type, type, variant, launch, arguments),
                           "k.json", DescriptorChecks::formulas);
}

std::string map(const std::string& fields = R"("dims": ["N", "M"], "box": ["64", "TILE"])")
{
    return R"({"tensor_map": "x", )" + fields + '}';
}

TEST(ModernDescriptor, TargetsSayWhereCodeIsCompiledAndWhereNot)
{
    EXPECT_EQ(*targetOn("k/new", {}, kAmpere), "sm_80");
    EXPECT_EQ(*targetOn("k/new", {"sm_90a", "sm_100f"}, kHopper), "sm_90a");
    EXPECT_EQ(*targetOn("k/new", {"sm_90a", "sm_100f"}, {10, 3, 160, {}}), "sm_100f");
    EXPECT_FALSE(runsOn({"sm_100a"}, {10, 3, 160, {}})); // code with the suffix a runs on one chip alone
    EXPECT_TRUE(runsOn({"sm_80"}, {8, 6, 84, {}}));
    const Result<std::string> refused = targetOn("k/new", {"sm_90a"}, kAmpere);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::environment);
    for (const char* part : {"k/new", "sm_90a", "A100", "sm_80"})
        EXPECT_NE(refused.error().message.find(part), std::string::npos) << part;
    EXPECT_EQ(*chooseTarget("k/new", {"sm_90a"}, "H200"), "sm_90a");
    EXPECT_EQ(*chooseTarget("k/new", {}, "sm_90a"), "sm_90a");
    EXPECT_EQ(chooseTarget("k/new", {"sm_90a"}, "sm_100").error().code, ErrorCode::environment);
}

TEST(ModernDescriptor, TargetsOfTheFamilyGoToVariantsWithoutOwn)
{
    const Result<KernelFamily> tma = test::modernKernel("tma");
    ASSERT_TRUE(tma) << tma.error().message;
    EXPECT_EQ(tma->variants[0].targets, (std::vector<std::string>{"sm_90a", "sm_100a"}));
    const Result<WorkSpec> work = buildWork(*tma, tma->variants[0], {}, {});
    ASSERT_TRUE(work);
    EXPECT_EQ(work->targets, tma->variants[0].targets);
    const Result<KernelFamily> unknown = family(R"("targets": ["sm_42a"],)");
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().message.find("variants[1].targets[0]"), std::string::npos) << unknown.error().message;
}

TEST(ModernDescriptor, TheChoiceFollowsProblemAndChip)
{
    EXPECT_FALSE(choosesByItself(*family("")));
    EXPECT_EQ(chooseVariant(*family(""), {}, kHopper).error().code, ErrorCode::badInput);
    Result<KernelFamily> two = family(R"("when": "CC==90 && N>=128 && SMS>100", "targets": ["sm_90a"],)");
    ASSERT_TRUE(two) << two.error().message;
    two->variants[0].when = "1";
    EXPECT_EQ((*chooseVariant(*two, {}, kHopper))->id, "new");
    EXPECT_EQ((*chooseVariant(*two, *parseParams("N=64"), kHopper))->id, "old");
    EXPECT_EQ((*chooseVariant(*two, {}, {9, 0, 78, {}}))->id, "old");
    EXPECT_EQ((*chooseVariant(*two, {}, kAmpere))->id, "old");
    EXPECT_EQ(topVariant(*two, {}, kAmpere).id, "old");
    two->variants[0].when.clear();
    EXPECT_EQ(chooseVariant(*two, {}, kAmpere).error().code, ErrorCode::environment); // "new" alone could be meant
    EXPECT_FALSE(family(R"("when": "Z",)"));
}

TEST(ModernDescriptor, TheTopIsTheLastVariantThatTheChipRuns)
{
    const Result<KernelFamily> two = family(R"("targets": ["sm_90a"],)");
    ASSERT_TRUE(two) << two.error().message;
    EXPECT_EQ(topVariant(*two, {}, kHopper).id, "new");
    EXPECT_EQ(topVariant(*two, {}, kAmpere).id, "old");
}

TEST(ModernDescriptor, AFixThatTheChipCannotRunIsNotOffered)
{
    Result<KernelFamily> two = family(R"("fixes": "old", "targets": ["sm_90a"],)");
    ASSERT_TRUE(two);
    const Catalog catalog({*two});
    EXPECT_EQ(catalog.fixesFor({"k", "old", {}}).size(), 1U);
    EXPECT_EQ(catalog.fixesFor({"k", "old", {}}, kHopper).size(), 1U);
    EXPECT_TRUE(catalog.fixesFor({"k", "old", {}}, kBlackwell).empty());
}

TEST(ModernDescriptor, ASpaceIsRefusedWhereTheCodeDoesNotRun)
{
    const Result<KernelFamily> two = family(R"("targets": ["sm_90a"],)");
    ASSERT_TRUE(two);
    const GpuArch ampere = *findArch("sm_80");
    const GpuArch hopper = *findArch("sm_90");
    EXPECT_EQ(searchSpace(*two, two->variants[1], {{}, {}, ampere.limits, ampere.name, {}}).error().code, ErrorCode::environment);
    EXPECT_TRUE(searchSpace(*two, two->variants[1], {{}, {}, hopper.limits, hopper.name, {}}));
}

TEST(ModernDescriptor, FormulasSeeTheChip)
{
    const Result<KernelFamily> all = test::modernKernel("cooperative");
    ASSERT_TRUE(all) << all.error().message;
    EXPECT_EQ(buildWork(*all, all->variants[0], {}, {}, kAmpere)->launches[0].grid[0], 108);
    EXPECT_EQ(buildWork(*all, all->variants[0], {}, {})->launches[0].grid[0], 132); // as of an H100 or H200
    EXPECT_TRUE(buildWork(*all, all->variants[0], {}, {})->launches[0].cooperative);
    Scope own{{"SMS", 7}};
    addChip(own, kHopper);
    EXPECT_EQ(own["SMS"], 7); // a size of that name stays
    EXPECT_EQ(own["CC"], 90);
    Scope ada;
    addChip(ada, {8, 9, 142, {}});
    EXPECT_EQ(ada["CC"], 89);
    EXPECT_EQ(toChip(DeviceInfo{}), Chip{});
    EXPECT_EQ(toChip(*findArch("sm_100")).sms, 148);
}

TEST(ModernDescriptor, AGridIsWholeClusters)
{
    const Result<KernelFamily> three = family("", R"("cluster": ["3"],)");
    ASSERT_TRUE(three) << three.error().message;
    EXPECT_EQ(buildWork(*three, three->variants[1], {}, {})->launches[0].cluster, (std::vector<std::int64_t>{3, 1, 1}));
    for (const auto& [cluster, field] : {std::pair(R"("cluster": ["4"],)", "launches[0].grid: 6 blocks along x"),
                                         std::pair(R"("cluster": ["TILE-2", "3"],)", "launches[0].cluster: 18 blocks"),
                                         std::pair(R"("cluster": ["0"],)", "launches[0].cluster[0]")}) {
        const Result<KernelFamily> bad = family("", cluster);
        ASSERT_FALSE(bad) << cluster;
        EXPECT_NE((bad.error().message).find(field), std::string::npos) << bad.error().message;
    }
}

TEST(ModernDescriptor, AClusterHasUpTo16Blocks)
{
    const auto findFault = [](std::int64_t x, std::int64_t y) {
        LaunchSpec launch;
        launch.grid = launch.cluster = {x, y, 1};
        return launchShapeFault(launch);
    };
    EXPECT_FALSE(findFault(16, 1));
    EXPECT_FALSE(findFault(2, 8));
    EXPECT_EQ(findFault(17, 1).value_or(LaunchFault{}).field, "cluster");
}

TEST(ModernDescriptor, ProgrammaticLaunchesKeepTheirWord)
{
    const Result<KernelFamily> pair = test::modernKernel("dependent");
    ASSERT_TRUE(pair) << pair.error().message;
    EXPECT_FALSE(buildWork(*pair, pair->variants[0], {}, {})->launches[1].programmatic);
    EXPECT_TRUE(buildWork(*pair, pair->variants[1], {}, {})->launches[1].programmatic);
}

TEST(TensorMap, DefaultsFollowFromTheBuffer)
{
    const Result<KernelFamily> mapped = family("", "", map() + R"(, "y")");
    ASSERT_TRUE(mapped) << mapped.error().message;
    const Result<WorkSpec> work = buildWork(*mapped, mapped->variants[1], {}, {});
    ASSERT_TRUE(work) << work.error().message;
    const ArgSpec& argument = work->launches[0].args[0];
    EXPECT_EQ(argument.buffer, "x");
    ASSERT_TRUE(argument.map);
    EXPECT_EQ(argument.map->dims, (std::vector<std::int64_t>{128, 64}));
    EXPECT_EQ(argument.map->strides, (std::vector<std::int64_t>{256}));
    EXPECT_EQ(argument.map->box, (std::vector<std::int64_t>{64, 8}));
    EXPECT_EQ(argument.map->elementStrides, (std::vector<std::int64_t>{1, 1}));
    EXPECT_EQ(argument.map->swizzle, TensorSwizzle::none);
    EXPECT_FALSE(work->launches[0].args[1].map);
}

/// Fields of a map that break a rule, and the place in the error.
struct BadMap {
    const char* fields;
    const char* place;
    const char* says;
    const char* type = "f16";
};

class BadTensorMap : public testing::TestWithParam<BadMap> {};

TEST_P(BadTensorMap, IsReportedWithFieldAndValue)
{
    const Result<KernelFamily> bad = family("", "", map(GetParam().fields) + R"(, "y")", GetParam().type);
    ASSERT_FALSE(bad) << GetParam().fields;
    EXPECT_NE(bad.error().message.find(std::string("variants[1].launches[0].args[0]") + GetParam().place), std::string::npos)
        << bad.error().message;
    EXPECT_NE(bad.error().message.find(GetParam().says), std::string::npos) << bad.error().message;
}

INSTANTIATE_TEST_SUITE_P(TensorMap, BadTensorMap,
                         testing::Values(BadMap{R"("dims": ["N", "M"], "box": ["64", "512"])", ".box[1]", "512 elements"},
                                         BadMap{R"("dims": ["N", "M"], "box": ["64"])", ".box", " 1 "},
                                         BadMap{R"("dims": ["N", "M"], "box": ["4", "8"])", ".box[0]", "8 bytes"},
                                         BadMap{R"("dims": ["N", "M"], "box": ["128", "8"], "swizzle": "128B")", ".box[0]", "256 bytes"},
                                         BadMap{R"("dims": ["N", "M"], "box": ["64", "8"], "swizzle": "64B")", ".box[0]", "128 bytes"},
                                         BadMap{R"("dims": ["N", "M"], "box": ["64", "8"], "strides": ["24"])", ".strides[0]", "24 bytes"},
                                         BadMap{R"("dims": ["N", "M"], "box": ["64", "8"], "strides": ["256", "512"])", ".strides", " 2 "},
                                         BadMap{R"("dims": ["N", "M+1"], "box": ["64", "8"])", ".dims", "16640 bytes"},
                                         BadMap{R"("dims": ["M*N+1"], "box": ["64"])", ".dims", "16386 bytes"},
                                         BadMap{R"("dims": ["N", "M"], "box": ["64", "8"], "element_strides": ["1", "9"])",
                                                ".element_strides[1]", ": 9 "},
                                         BadMap{R"("dims": ["N", "M"], "box": ["64", "8"], "interleave": "32B")", ".swizzle", "32B"},
                                         BadMap{R"("dims": ["N", "M"], "box": ["64", "8"], "interleave": "16B")", ".interleave", " 2"},
                                         BadMap{R"("dims": ["N", "K"], "box": ["64", "8"])", ".dims[1]", "K"},
                                         BadMap{R"("dims": ["N", "M"], "box": ["64", "8"], "oob_fill": "nan")", ".oob_fill", "NaN", "i32"},
                                         BadMap{R"("dims": ["N", "M"], "box": ["64", "8"])", ".tensor_map", "bool", "bool"},
                                         BadMap{R"("dims": [], "box": [])", ".dims", " 1"},
                                         BadMap{R"("dims": ["1", "1", "1", "1", "1", "1"], "box": ["8"])", ".dims", " 5"}));

TEST(TensorMap, AnUnknownSwizzleIsReportedWithThoseThatThereAre)
{
    const Result<KernelFamily> bad = family("", "", map(R"("dims": ["N", "M"], "box": ["64", "8"], "swizzle": "256B")") + R"(, "y")");
    ASSERT_FALSE(bad);
    EXPECT_NE(bad.error().message.find("variants[1].launches[0].args[0].swizzle"), std::string::npos) << bad.error().message;
    for (const char* allowed : {"\"32B\"", "\"64B\"", "\"128B\""})
        EXPECT_NE(bad.error().hint.find(allowed), std::string::npos) << bad.error().hint;
}

TEST(TensorMap, AnUnknownBufferIsNamed)
{
    const Result<KernelFamily> bad = family("", "", R"({"tensor_map": "z", "dims": ["N"], "box": ["64"]}, "y")");
    ASSERT_FALSE(bad);
    EXPECT_NE(bad.error().message.find("args[0].tensor_map"), std::string::npos) << bad.error().message;
}

TEST(Scalars, EveryTypeHasItsRange)
{
    const KernelFamily none;
    const auto value = [&](const std::string& text) { return buildArg(none, {text, {}}, {}); };
    EXPECT_EQ(value("i64:-5000000000")->value, -5e9);
    EXPECT_EQ(value("u64:2^53")->scalarType, DType::u64);
    EXPECT_EQ(value("f16:1.5")->scalarType, DType::f16);
    EXPECT_EQ(value("bf16:2.5")->value, 2.5);
    EXPECT_FALSE(value("u64:-1"));
    EXPECT_FALSE(value("i64:2^54"));
    EXPECT_FALSE(value("i64:0.5"));
    EXPECT_FALSE(value("i8:1"));
    EXPECT_FALSE(value("bool:1"));
}

TEST(ModernDescriptor, EveryKernelOfTheTestsBuildsOnAllItsSizes)
{
    for (const char* name : test::kModernKernels) {
        const Result<KernelFamily> one = test::modernKernel(name);
        ASSERT_TRUE(one) << one.error().message;
        std::vector<Params> problems = one->problems;
        problems.insert(problems.end(), one->suite.begin(), one->suite.end());
        for (const Variant& variant : one->variants)
            for (const Params& problem : problems)
                EXPECT_TRUE(buildWork(*one, variant, {}, problem)) << name << ' ' << toText(problem);
    }
}

} // namespace
} // namespace kl
