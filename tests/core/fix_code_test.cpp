// SPDX-License-Identifier: MIT
#include "core/diagnosis/fix_code.h"

#include "core/base/resource.h"
#include "core/codec/json.h"
#include "core/diagnosis/tree.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

namespace kl {
namespace {

std::set<std::string> fixesOfTheTree()
{
    const auto tree = Json::parse(*resource("resources/diagnosis-tree.json"));
    std::set<std::string> ids;
    for (const Json& node : tree.at("nodes"))
        for (const Json& fix : node.value("fixes", Json::array()))
            ids.insert(fix.at("id").get<std::string>());
    return ids;
}

TEST(FixCode, EveryFixOfTheTreeHasCodeBeforeAndAfter)
{
    const auto all = parseFixCode(*resource("resources/fix-code.json"), "fix-code.json");
    ASSERT_TRUE(all) << all.error().message;
    const std::set<std::string> ids = fixesOfTheTree();
    ASSERT_GE(ids.size(), 60U);
    for (const std::string& id : ids) {
        const FixCode* code = fixCode(id);
        ASSERT_TRUE(code) << id;
        EXPECT_NE(code->before, code->after) << id;
    }
    for (const auto& [id, code] : *all)
        EXPECT_TRUE(ids.contains(id)) << id << " is not a fix of the tree";
}

TEST(FixCode, AnotherIdHasNone)
{
    EXPECT_EQ(fixCode("transpose/tiled"), nullptr);
}

TEST(FixCode, AHalfOfItIsRefused)
{
    const auto half = parseFixCode(R"({"fixes": {"pad": {"before": "a"}}})", "own.json");
    ASSERT_FALSE(half);
    EXPECT_EQ(half.error().code, ErrorCode::badInput);
    EXPECT_EQ(half.error().where, "pad");
}

} // namespace
} // namespace kl
