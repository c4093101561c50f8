// SPDX-License-Identifier: MIT
// Each fault of tests/data/mutants.json is at one place of today's sources, and is chosen by its number.
#include "core/codec/json.h"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

namespace kl {
namespace {

std::string read(const std::string& path)
{
    std::ifstream in(KL_SOURCE_DIR "/" + path);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Mutants, EachFindsItsPlaceInTheSourcesOnce)
{
    const Json manifest = Json::parse(read("tests/data/mutants.json"));
    std::set<int> ids;
    for (const Json& mutant : manifest["mutants"]) {
        const int id = mutant["id"];
        const std::string source = read(mutant["file"]);
        const std::string find = mutant["find"];
        const std::size_t at = source.find(find);
        ASSERT_NE(at, std::string::npos) << id << ": " << mutant["file"] << " has no \"" << find << '"';
        EXPECT_EQ(source.find(find, at + 1), std::string::npos) << id;
        EXPECT_NE(mutant["replace"].get<std::string>().find("klMutant(" + std::to_string(id) + ")"), std::string::npos) << id;
        EXPECT_TRUE(ids.insert(id).second) << id;
        const std::string function = mutant["function"];
        EXPECT_NE(source.find(function.substr(function.rfind(':') + 1)), std::string::npos) << id << ": " << function;
    }
    EXPECT_GE(ids.size(), 100U);
}

} // namespace
} // namespace kl
