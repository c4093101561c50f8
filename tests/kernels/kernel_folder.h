// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/user_kernel.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

namespace kl::test {

/// A folder of a user's kernel files, for one test.
class KernelFolder : public testing::Test {
protected:
    void SetUp() override
    {
        const auto* info = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::temp_directory_path() / ("kl-kernel-" + std::to_string(::getpid()) + "-" + info->name());
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string file(const std::string& name) const { return (folder_ / name).string(); }
    void write(const std::string& name, const std::string& text) const
    {
        std::filesystem::create_directories((folder_ / name).parent_path());
        std::ofstream(folder_ / name, std::ios::binary) << text;
    }

    /// "name: message | hint", a line of a snapshot, without what the folder is called.
    std::string errorLine(const std::string& name, const Error& error) const
    {
        std::string line = name + ": " + error.message + (error.hint.empty() ? "" : " | " + error.hint) + '\n';
        for (const std::string& folder : {std::filesystem::canonical(folder_).string(), folder_.string()})
            for (std::size_t at = line.find(folder); at != std::string::npos; at = line.find(folder, at))
                line.replace(at, folder.size(), "FOLDER");
        return line;
    }

    /// A descriptor of one kernel y = f(x) with these lines among its fields.
    static std::string descriptor(const std::string& reference, const std::string& input = R"("fill": "ramp")",
                                  const std::string& source = "k.cu")
    {
        return R"({
  "id": "mine",
  "source": ")" +
               source + R"(",
  "sizes": ["N"],
  "problems": ["N=8", "N=4"],
  "smallest": "N=4",
  "suite": ["N=1"],
  "buffers": [{"name": "x", "type": "f32", "count": "N", )" +
               input + R"(}, {"name": "y", "type": "f32", "count": "N", "role": "output"}],
  "reference": )" +
               reference + R"_(,
  "tunables": [{"name": "BLOCK", "values": [64, 128], "default": 64}],
  "variants": [
    {"id": "plain", "launches": [{"entry": "f", "grid": ["1"], "block": ["64"], "args": ["x", "y", "i32:N"]}]},
    {"id": "tuned", "tunables": ["BLOCK"], "launches": [{"entry": "g", "grid": ["ceildiv(N,BLOCK)"], "block": ["BLOCK"], "args": ["x", "y", "i32:N"]}]
    }
  ]
  })_";
    }

private:
    std::filesystem::path folder_;
};

} // namespace kl::test
