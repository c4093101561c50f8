// SPDX-License-Identifier: MIT
#include "core/diagnosis/classes.h"
#include "kernels/catalog.h"
#include "tests/support/snapshot.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace kl {
namespace {

const Catalog& embedded()
{
    static const Result<Catalog> loaded = Catalog::loadEmbedded();
    EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().message);
    return *loaded;
}

TEST(Catalog, CarriesEveryFamily)
{
    std::set<std::string> ids;
    for (const KernelFamily& family : embedded().families())
        ids.insert(family.id);
    for (const char* id : {"attention", "branch", "chain", "copy", "fma", "gather", "histogram", "layernorm", "matmul", "occupancy",
                           "polynomial", "reduction", "scan", "softmax", "spilling", "stencil", "sweep", "tiles", "transpose"})
        EXPECT_TRUE(ids.contains(id)) << id;
}

TEST(Catalog, SixtyVariantsOfEighteenClassesSayWhatIsExpectedAndWhy)
{
    std::size_t expected = 0;
    std::set<std::string> classes;
    for (const KernelFamily& family : embedded().families())
        for (const Variant& variant : family.variants) {
            EXPECT_EQ(variant.expected.has_value(), !variant.expectedWhy.empty()) << family.id << '/' << variant.id;
            if (!variant.expected)
                continue;
            ++expected;
            classes.insert(*variant.expected);
            EXPECT_TRUE(isClass(*variant.expected)) << family.id << '/' << variant.id << ": " << *variant.expected;
            EXPECT_TRUE(std::any_of(family.problems.begin(), family.problems.end(),
                                    [&](const Params& problem) {
                                        return embedded().findExpectedClass({family.id, variant.id, {}}, problem).has_value();
                                    }))
                << family.id << '/' << variant.id << " shows its class on none of the sizes";
        }
    EXPECT_GE(expected, 60U);
    EXPECT_GE(classes.size(), 18U);
}

TEST(Catalog, EveryVariantBuildsOnEveryProblemOfItsFamily)
{
    for (const Address& address : embedded().addresses()) {
        const KernelFamily* family = *embedded().family(address.family);
        std::vector<Params> problems = family->problems;
        problems.push_back(family->smallest);
        for (const Params& problem : problems) {
            const Result<WorkSpec> work = embedded().work(address, problem);
            ASSERT_TRUE(work) << toText(address) << ' ' << toText(problem) << ": " << work.error().message;
            EXPECT_EQ(work->kernel, toText(address));
            EXPECT_EQ(work->problem, toText(problem));
            EXPECT_GT(work->idealBytes, 0) << toText(address);
            for (const LaunchSpec& launch : work->launches)
                EXPECT_NE(work->source.find(launch.entry + "("), std::string::npos) << launch.entry;
        }
        EXPECT_TRUE(embedded().suite(address)) << toText(address);
    }
}

TEST(Catalog, EveryFamilyNamesBaselineSmallestSuiteAndReference)
{
    for (const KernelFamily& family : embedded().families()) {
        EXPECT_FALSE(family.baseline.kind.empty()) << family.id;
        EXPECT_FALSE(family.baseline.name.empty()) << family.id;
        EXPECT_FALSE(family.reference.function.empty() && family.reference.expression.empty()) << family.id;
        EXPECT_GE(family.suite.size(), 3U) << family.id;
        EXPECT_GE(family.problems.size(), 2U) << family.id;
    }
}

TEST(Catalog, OutputsArePoisoned)
{
    for (const KernelFamily& family : embedded().families())
        for (const KernelFamily::Buffer& buffer : family.buffers)
            if (buffer.role == BufferRole::output) {
                EXPECT_EQ(buffer.fill, Fill::poison) << family.id << ' ' << buffer.name;
            }
}

TEST(Catalog, SeriesLeadsFromTheFirstProblemToItsFixedVariant)
{
    const std::vector<Address> twins = embedded().fixesFor({"transpose", "naive", {}});
    ASSERT_EQ(twins.size(), 1U);
    EXPECT_EQ(toText(twins[0]), "transpose/tiled");
    EXPECT_TRUE(embedded().fixesFor({"transpose", "vector", {}}).empty());
}

TEST(Catalog, EveryFaultHasAVariantThatFixesItAndIsSound)
{
    int faults = 0;
    for (const KernelFamily& family : embedded().families())
        for (const Variant& variant : family.variants) {
            if (variant.fault.empty())
                continue;
            ++faults;
            const std::vector<Address> fixes = embedded().fixesFor({family.id, variant.id, {}});
            ASSERT_EQ(fixes.size(), 1U) << variant.id;
            EXPECT_TRUE((*embedded().variant(fixes.front()))->fault.empty()) << variant.id;
            EXPECT_FALSE(variant.expected) << variant.id << ": a bottleneck of an incorrect kernel teaches nothing";
        }
    EXPECT_EQ(faults, 6);
}

TEST(Catalog, EveryFixedVariantSaysWhatTheFixIs)
{
    for (const KernelFamily& family : embedded().families())
        for (const Variant& variant : family.variants)
            EXPECT_EQ(variant.fixes.empty(), variant.fixTitle.empty()) << family.id << '/' << variant.id;
}

/// A step of a series removes the class; a variant that only lessens it starts a series of its own.
TEST(Catalog, NoFixHasTheClassThatItFixes)
{
    for (const KernelFamily& family : embedded().families())
        for (const Variant& variant : family.variants)
            for (const Address& twin : embedded().fixesFor({family.id, variant.id, {}}))
                if (variant.expected) {
                    EXPECT_NE((*embedded().variant(twin))->expected, variant.expected) << toText(twin);
                }
}

TEST(Catalog, ExpectedClassShowsOnlyWhereTheDescriptorSays)
{
    const Address separate{"chain", "separate", {}};
    EXPECT_EQ(embedded().findExpectedClass(separate, *parseParams("N=262144")), "launch-overhead");
    EXPECT_EQ(embedded().findExpectedClass(separate, *parseParams("N=16777216")), std::nullopt);
    EXPECT_EQ(embedded().findExpectedClass({"transpose", "padded", {}}, {}), std::nullopt);
}

TEST(Catalog, GeometryFollowsTheProblem)
{
    const Result<WorkSpec> work = embedded().work({"transpose", "tiled", {}}, *parseParams("M=100,N=65"));
    ASSERT_TRUE(work);
    EXPECT_EQ(work->launches[0].grid, (std::vector<std::int64_t>{3, 4, 1}));
    EXPECT_EQ(work->launches[0].block, (std::vector<std::int64_t>{32, 8, 1}));
    EXPECT_EQ(work->buffers[0].count, 6500);
    EXPECT_DOUBLE_EQ(work->idealBytes, 52000);
}

TEST(Catalog, ALaunchThatTheSizesDoNotAllowNamesThem)
{
    const Result<WorkSpec> work = embedded().work({"transpose", "naive", {}}, *parseParams("M=0,N=4"));
    ASSERT_FALSE(work);
    EXPECT_EQ(work.error().code, ErrorCode::badInput);
    EXPECT_TRUE(work.error().message.starts_with("transpose/naive ")) << work.error().message;
    EXPECT_NE(work.error().message.find(" M=0,N=4."), std::string::npos) << work.error().message;
    EXPECT_NE(work.error().hint.find(" M=4096,N=4096"), std::string::npos) << work.error().hint;
}

TEST(Catalog, MissingSizesTakeTheFamilysDefault)
{
    const Result<WorkSpec> work = embedded().work({"transpose", "naive", {}}, *parseParams("M=64"));
    ASSERT_TRUE(work);
    EXPECT_EQ(work->problem, "M=64,N=4096");
}

TEST(Catalog, UnknownNamesAreErrorsThatListTheKnownOnes)
{
    const Result<WorkSpec> kernel = embedded().work({"transpos", "naive", {}}, {});
    ASSERT_FALSE(kernel);
    EXPECT_EQ(kernel.error().code, ErrorCode::notFound);
    EXPECT_NE(kernel.error().hint.find("transpose"), std::string::npos);
    const Result<WorkSpec> variant = embedded().work({"transpose", "naif", {}}, {});
    ASSERT_FALSE(variant);
    EXPECT_NE(variant.error().hint.find("naive"), std::string::npos);
    const Result<WorkSpec> size = embedded().work({"transpose", "naive", {}}, *parseParams("K=1"));
    ASSERT_FALSE(size);
    EXPECT_EQ(size.error().code, ErrorCode::badInput);
}

TEST(Catalog, TunableOutsideItsListIsRefused)
{
    const Result<WorkSpec> work = embedded().work({"attention", "fused", *parseParams("BLOCK_M=65")}, {});
    ASSERT_FALSE(work);
    EXPECT_EQ(work.error().code, ErrorCode::badInput);
    EXPECT_FALSE(embedded().work({"attention", "unfused", *parseParams("BLOCK_M=64")}, {}));
}

TEST(Catalog, SnapshotOfTheErrors)
{
    std::string text;
    const auto add = [&](const Address& address, const char* problem) {
        const Result<WorkSpec> work = embedded().work(address, *parseParams(problem));
        ASSERT_FALSE(work) << toText(address);
        text += toText(address) + ' ' + problem + ": " + work.error().message + " | " + work.error().hint + '\n';
    };
    add({"transpose", "naive", {}}, "M=0,N=4");
    add({"transpos", "naive", {}}, "");
    add({"transpose", "naif", {}}, "");
    add({"transpose", "naive", {}}, "K=1");
    add({"transpose", "naive", {}}, "M=-1");
    add({"attention", "fused", *parseParams("BLOCK_M=65")}, "");
    add({"attention", "unfused", *parseParams("BLOCK_M=64")}, "");
    test::expectSnapshot("errors/catalog.txt", text);
}

TEST(Catalog, DefaultTunablesDoNotShowInTheAddress)
{
    const KernelFamily* family = *embedded().family("attention");
    const auto tunable =
        std::find_if(family->tunables.begin(), family->tunables.end(), [](const Tunable& t) { return t.name == "BLOCK_M"; });
    ASSERT_NE(tunable, family->tunables.end());
    const Result<WorkSpec> work = embedded().work({"attention", "fused", {{"BLOCK_M", tunable->defaultValue}}}, {});
    ASSERT_TRUE(work) << work.error().message;
    EXPECT_EQ(work->kernel, "attention/fused");
}

} // namespace
} // namespace kl
