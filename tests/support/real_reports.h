// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/replay/capture_file.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <vector>

namespace kl::test {

/// A file of tests/data/ncu, unpacked.
inline std::string ncuData(const std::string& name)
{
    std::ifstream in(std::filesystem::path(KL_SOURCE_DIR) / "tests/data/ncu" / (name + ".zst"), std::ios::binary);
    const std::string packed(std::istreambuf_iterator<char>(in), {});
    const Result<std::string> bytes = decompressCapture(packed, name);
    EXPECT_TRUE(bytes.ok()) << name;
    return bytes ? *bytes : std::string();
}

/// Names of all reports there, without their suffix.
inline std::vector<std::string> ncuReports()
{
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(KL_SOURCE_DIR) / "tests/data/ncu"))
        if (const std::string name = entry.path().filename().string(); name.ends_with(".ncu-rep.zst"))
            names.push_back(name.substr(0, name.size() - std::string(".ncu-rep.zst").size()));
    return names;
}

} // namespace kl::test
