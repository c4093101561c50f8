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

std::set<std::string> listTreeFixes()
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
    const std::set<std::string> ids = listTreeFixes();
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

TEST(FixCode, HasBothTextsAndANoteWhereOneIsNeeded)
{
    const auto read = parseFixCode(
        R"({"fixes": {"pad": {"before": "a", "after": "b", "note": "n"}, "swizzle": {"before": "c", "after": "d"}}})", "own.json");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->at("pad").before, "a");
    EXPECT_EQ(read->at("pad").after, "b");
    EXPECT_EQ(read->at("pad").note, "n");
    EXPECT_EQ(read->at("swizzle").note, "");
    EXPECT_EQ(parseFixCode(R"({"fixes": {"pad": {"after": "b"}}})", "own.json").error().where, "pad");
    EXPECT_EQ(parseFixCode("{", "own.json").error().where, "own.json");
    EXPECT_EQ(parseFixCode(R"({"fixes": {"pad": 7}})", "own.json").error().code, ErrorCode::badInput);
}

TEST(FixCode, IsThatOfTheFileWithItsNotes)
{
    const Json file = Json::parse(*resource("resources/fix-code.json"));
    std::size_t notes = 0;
    for (const auto& [id, texts] : file.at("fixes").items()) {
        const FixCode* code = fixCode(id);
        ASSERT_TRUE(code) << id;
        EXPECT_EQ(code->before, texts.at("before").get<std::string>()) << id;
        EXPECT_EQ(code->after, texts.at("after").get<std::string>()) << id;
        EXPECT_EQ(code->note, texts.value("note", "")) << id;
        notes += code->note.empty() ? 0 : 1;
    }
    EXPECT_GT(notes, 0U);
}

} // namespace
} // namespace kl
