// SPDX-License-Identifier: MIT
// A build without the CUDA toolkit has no live side: what is not tested for it is named, file by file.
#ifndef KL_HAVE_LIVE
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <vector>

namespace {

/// Names of the test files that are compiled for the live side alone: they say so in their first lines.
std::vector<std::string> leftOut()
{
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(KL_SOURCE_DIR "/tests/profiler")) {
        std::ifstream in(entry.path());
        const std::string text(std::istreambuf_iterator<char>(in), {});
        if (entry.path().extension() == ".cpp" && text.find("\n#ifdef KL_HAVE_LIVE") < 1000)
            names.push_back(entry.path().stem().string());
    }
    std::ranges::sort(names);
    return names;
}

class LeftOut : public testing::TestWithParam<std::string> {};

TEST_P(LeftOut, ForLackOfTheCudaToolkit)
{
    GTEST_SKIP() << GetParam() << ".cpp tests the worker's live mode, which this build has not: no CUDA toolkit was found.";
}

INSTANTIATE_TEST_SUITE_P(Live, LeftOut, testing::ValuesIn(leftOut()), [](const auto& file) { return file.param; });

} // namespace
#endif
