// SPDX-License-Identifier: MIT
#include "kernels/baseline_choice.h"

#include "kernels/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kl {
namespace {

class BaselineChoice : public testing::Test {
protected:
    void SetUp() override
    {
        Result<Catalog> embedded = Catalog::loadEmbedded();
        ASSERT_TRUE(embedded) << embedded.error().message;
        catalog_.emplace(std::move(*embedded));
    }
    const KernelFamily& family(const char* id) const { return **catalog_->family(id); }
    Result<std::vector<BaselineSpec>> chosen(const char* id, const std::vector<std::string>& names, const Params& problem = {}) const
    {
        return findNamedBaselines(family(id), family(id).variants.back(), {}, problem, names);
    }

    std::optional<Catalog> catalog_;
};

TEST_F(BaselineChoice, AttentionHasEveryBackendAndBothLibraries)
{
    EXPECT_EQ(baselineNames(family("attention")),
              (std::vector<std::string>{"sdpa", "sdpa-cudnn", "sdpa-flash", "sdpa-efficient", "sdpa-math", "cudnn", "cublas"}));
}

TEST_F(BaselineChoice, AFamilyWithOneIsNamedAfterItsOperationOrKind)
{
    EXPECT_EQ(baselineNames(family("reduction")), std::vector<std::string>{"cub-sum"});
    EXPECT_EQ(baselineNames(family("transpose")), std::vector<std::string>{"copy"});
}

TEST_F(BaselineChoice, SizesAreThoseOfTheProblem)
{
    const auto specs = chosen("attention", {"cudnn"}, *parseParams("B=1,H=2,S=100,D=64,CAUSAL=1,SK=333"));
    ASSERT_TRUE(specs) << specs.error().message;
    ASSERT_EQ(specs->size(), 1u);
    EXPECT_EQ(specs->front().kind, "cudnn");
    EXPECT_EQ(specs->front().id, "cudnn");
    EXPECT_EQ(
        specs->front().params,
        (std::map<std::string, double>{{"B", 1}, {"H", 2}, {"S", 100}, {"SK", 333}, {"D", 64}, {"CAUSAL", 1}, {"BF16", 0}, {"GROUP", 1}}));
}

TEST_F(BaselineChoice, OneWithParametersOfItsOwnTakesThoseAndOthersTheFamilys)
{
    KernelFamily two = family("transpose");
    two.baseline.params = {{"bytes", "4*M*N"}};
    two.baselines = {two.baseline, two.baseline};
    two.baselines[0].id = "half";
    two.baselines[0].params = {{"bytes", "2*M*N"}};
    two.baselines[1].id = "whole";
    two.baselines[1].params.clear();
    const auto specs = findNamedBaselines(two, two.variants.back(), {}, *parseParams("M=8,N=4"), {"half", "whole"});
    ASSERT_TRUE(specs) << specs.error().message;
    EXPECT_EQ((*specs)[0].params, (std::map<std::string, double>{{"bytes", 64}}));
    EXPECT_EQ((*specs)[1].params, (std::map<std::string, double>{{"bytes", 128}}));
}

TEST_F(BaselineChoice, AllIsEveryOneAndNoneTwice)
{
    const auto specs = chosen("attention", {"cublas", "all", "sdpa"});
    ASSERT_TRUE(specs);
    ASSERT_EQ(specs->size(), 7u);
    EXPECT_EQ(specs->front().id, "cublas");
    EXPECT_EQ((*specs)[1].op, "sdpa");
}

TEST_F(BaselineChoice, AnUnknownNameIsRefusedWithTheList)
{
    const auto specs = chosen("attention", {"sdpa", "tensorrt"});
    ASSERT_FALSE(specs);
    EXPECT_EQ(specs.error().code, ErrorCode::usage);
    EXPECT_EQ(specs.error().where, "--baseline");
    EXPECT_THAT(specs.error().message, testing::AllOf(testing::HasSubstr("attention"), testing::HasSubstr("\"tensorrt\"")));
    EXPECT_THAT(specs.error().hint,
                testing::HasSubstr(": sdpa, sdpa-cudnn, sdpa-flash, sdpa-efficient, sdpa-math, cudnn, cublas; \"all\""));
}

TEST_F(BaselineChoice, AFamilyWithoutOneSaysSo)
{
    KernelFamily bare = family("transpose");
    bare.baseline = {};
    EXPECT_TRUE(baselineNames(bare).empty());
    EXPECT_FALSE(findNamedBaselines(bare, bare.variants.back(), {}, {}, {"all"}));
    EXPECT_FALSE(findNamedBaselines(bare, bare.variants.back(), {}, {}, {"copy"}));
}

TEST_F(BaselineChoice, TheFamilysOwnHasNoName)
{
    const auto work = catalog_->work({"attention", "fused", {}}, {});
    ASSERT_TRUE(work);
    EXPECT_EQ(work->baseline.op, "sdpa");
    EXPECT_FALSE(work->baseline.id) << "it is part of the key of recordings";
}

} // namespace
} // namespace kl
