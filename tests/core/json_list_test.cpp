// SPDX-License-Identifier: MIT
#include "core/codec/json_list.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <numeric>

namespace kl::test {
namespace {

std::string inPieces(Json whole)
{
    std::vector<std::string> items;
    for (const Json& item : whole["results"])
        items.push_back(encodePrettyItem(item));
    whole["results"] = Json::array();
    const std::vector<std::string> pieces = encodePrettyAround(whole, "results", std::move(items));
    return std::accumulate(pieces.begin(), pieces.end(), std::string());
}

TEST(JsonList, InPiecesItReadsAsInOne)
{
    for (const char* text : {R"({"schema": "x", "results": [], "notes": []})", R"({"results": [1]})",
                             R"({"notes": ["\n  \"results\": []"], "results": [{"a": [1, 2.5, {}], "b": "two\nlines"}, [], "word", null]})",
                             R"({"before": {"results": [1]}, "results": [{"results": [[]]}], "after": {"results": []}})"}) {
        const Result<Json> whole = parseJson(text, "test");
        ASSERT_TRUE(whole.ok()) << text;
        EXPECT_EQ(inPieces(*whole), encodePretty(*whole));
    }
}

} // namespace
} // namespace kl::test
