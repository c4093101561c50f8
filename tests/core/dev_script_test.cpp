// SPDX-License-Identifier: MIT
// What ./dev, the presets and the documents of developers say of each other.
#include "core/codec/json.h"
#include "tests/core/support/source_tree.h"

#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

namespace kl {
namespace {

std::string readSource(const char* name)
{
    std::ostringstream text;
    text << std::ifstream(test::kRoot / name).rdbuf();
    return text.str();
}

TEST(DevScript, PresetsLeaveOutLabelsThatTestsHave)
{
    const std::string tests = readSource("tests/CMakeLists.txt");
    std::set<std::string> left;
    const Json presets = Json::parse(readSource("CMakePresets.json"));
    for (const Json& preset : presets["testPresets"]) {
        std::istringstream labels(preset["filter"]["exclude"]["label"].get<std::string>());
        for (std::string label; std::getline(labels, label, '|');)
            left.insert(label);
    }
    EXPECT_GT(left.size(), 1U);
    for (const std::string& label : left)
        EXPECT_NE(tests.find("LABELS " + label), std::string::npos) << label;
}

TEST(DevScript, ThePageOfPackagesNamesAllThatItInstalls)
{
    const std::string page = readSource("docs/dev/packages.md");
    std::set<std::string> known;
    std::istringstream words(page);
    for (std::string word; words >> word;)
        known.insert(word.substr(0, word.find_first_of(";,")));
    int installed = 0;
    std::istringstream script(readSource("dev"));
    bool inList = false; // of packages: name=(one two ...), over several lines
    const std::set<std::string> lists{"tools", "libraries", "gui", "linters", "tests", "sanitizers"};
    for (std::string line; std::getline(script, line);) {
        const std::size_t open = line.find("=(");
        std::string packages;
        if (open != std::string::npos && lists.contains(line.substr(0, open))) {
            inList = true;
            packages = line.substr(open + 2);
        } else if (inList) {
            packages = line;
        } else if (const std::size_t need = line.find("  need "); need != std::string::npos) {
            packages = line.substr(need + 7);
        }
        inList = inList && packages.find(')') == std::string::npos;
        std::istringstream each(packages.substr(0, packages.find_first_of(")#;")));
        for (std::string package; each >> package;)
            if (package.find_first_of("$\"") == std::string::npos) {
                ++installed;
                EXPECT_TRUE(known.contains(package)) << package;
            }
    }
    EXPECT_GT(installed, 40);
}

} // namespace
} // namespace kl
