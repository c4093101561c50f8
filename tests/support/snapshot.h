// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace kl::test {

/// Replaces what changes from run to run with placeholders: dates, ids, durations in seconds and minutes, and cents of a dollar.
inline std::string normalize(std::string text)
{
    static const std::vector<std::pair<std::regex, const char*>> changes = [] {
        std::vector<std::pair<std::regex, const char*>> made;
        for (const auto& [pattern, placeholder] :
             {std::pair{R"(\d{4}\\?-\d\d\\?-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?)?Z?)", "DATE"},
              std::pair{R"([0-9a-f]{8}\\?-[0-9a-f]{4}\\?-[0-9a-f]{4}\\?-[0-9a-f]{4}\\?-[0-9a-f]{12})", "ID"},
              std::pair{"\\b\\d+(\\.\\d+)?\u202f(s|min)\\b", "TIME"}, std::pair{R"(\$0\.\d\d)", "$$CENTS"}})
            made.emplace_back(std::regex(pattern), placeholder);
        return made;
    }();
    for (const auto& [pattern, placeholder] : changes)
        text = std::regex_replace(text, pattern, placeholder);
    return text;
}

/// Compares a text, normalized, with tests/snapshots/NAME line by line; with KERNELLOOP_WRITE_SNAPSHOTS=1 it writes that file.
inline void expectSnapshot(const std::string& name, const std::string& text)
{
    const std::filesystem::path path = std::filesystem::path(KL_SOURCE_DIR) / "tests/snapshots" / name;
    const char* write = std::getenv("KERNELLOOP_WRITE_SNAPSHOTS"); // NOLINT(concurrency-mt-unsafe): a test has one thread here
    if (write != nullptr && std::string(write) == "1") {
        std::filesystem::create_directories(path.parent_path());
        ASSERT_TRUE(std::ofstream(path, std::ios::binary) << normalize(text)) << path;
        return;
    }
    std::ifstream file(path, std::ios::binary);
    ASSERT_TRUE(file) << path << ": write it with KERNELLOOP_WRITE_SNAPSHOTS=1";
    std::istringstream actual(normalize(text));
    std::string wanted;
    std::string got;
    for (int line = 1; std::getline(file, wanted); ++line) {
        ASSERT_TRUE(std::getline(actual, got)) << path << ':' << line << ": the text ends before \"" << wanted << '"';
        ASSERT_EQ(got, wanted) << path << ':' << line << ", rewritten with KERNELLOOP_WRITE_SNAPSHOTS=1";
    }
    EXPECT_FALSE(std::getline(actual, got)) << path << " ends before \"" << got << '"';
}

} // namespace kl::test
