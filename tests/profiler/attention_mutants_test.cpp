// SPDX-License-Identifier: MIT
// Each fault of tests/data/attention_mutants.json is in one place of today's kernel.
#include "core/codec/json.h"
#include "kernels/catalog.h"

#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

namespace kl {
namespace {

TEST(AttentionMutants, EachFindsItsPlaceInTheKernelOnce)
{
    const Result<Catalog> catalog = Catalog::loadEmbedded();
    ASSERT_TRUE(catalog);
    const Result<WorkSpec> work = catalog->work({"attention", "hopper", {}}, {});
    ASSERT_TRUE(work) << work.error().message;
    std::ifstream in(KL_SOURCE_DIR "/tests/data/attention_mutants.json");
    const Json manifest = Json::parse(in);
    std::set<std::string> ids;
    for (const Json& mutant : manifest["mutants"]) {
        const std::string find = mutant["find"];
        const std::size_t at = work->source.find(find);
        ASSERT_NE(at, std::string::npos) << mutant["id"];
        EXPECT_EQ(work->source.find(find, at + 1), std::string::npos) << mutant["id"];
        EXPECT_NE(find, mutant["replace"].get<std::string>()) << mutant["id"];
        EXPECT_TRUE(ids.insert(mutant["id"]).second) << mutant["id"];
    }
    EXPECT_GE(ids.size(), 8U);
}

} // namespace
} // namespace kl
