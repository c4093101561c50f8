// SPDX-License-Identifier: MIT
#include "profiler/program/program_gpus.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace kl {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class ProgramGpus : public ::testing::Test {
protected:
    void TearDown() override { std::filesystem::remove_all(folder_); }
    void list(const std::string& place, const std::string& model, const std::string& uuid) const
    {
        std::filesystem::create_directories(folder_ / place);
        std::ofstream(folder_ / place / "information") << "Model: \t\t " + model + "\nIRQ:   \t\t 7\nGPU UUID: \t " + uuid + "\n";
    }

    const std::filesystem::path folder_ = std::filesystem::temp_directory_path() / ("kl-program-gpus-" + std::to_string(::getpid()));
};

TEST_F(ProgramGpus, AreThoseThatItSees)
{
    list("0000:9a:00.0", "NVIDIA H200", "GPU-aa11");
    list("0000:18:00.0", "NVIDIA H200", "GPU-bb22");
    EXPECT_THAT(listProgramGpus("", folder_), ElementsAre("GPU-aa11", "GPU-bb22"));
    EXPECT_THAT(listProgramGpus("0", folder_), ElementsAre("GPU-bb22")) << "the first on the bus";
    EXPECT_THAT(listProgramGpus("1,0,1", folder_), ElementsAre("GPU-aa11", "GPU-bb22"));
    EXPECT_THAT(listProgramGpus("GPU-aa", folder_), ElementsAre("GPU-aa11"));
    EXPECT_THAT(listProgramGpus("MIG-1", folder_), ElementsAre("GPU-aa11", "GPU-bb22")) << "which one is not known";
    for (const char* unknown : {"2", "-1", "0x", "0 ", "GPU-zz", "0,2", "1,GPU-zz"})
        EXPECT_THAT(listProgramGpus(unknown, folder_), ElementsAre("GPU-aa11", "GPU-bb22")) << unknown;
    EXPECT_THAT(listProgramGpus("GPU-bb22,0", folder_), ElementsAre("GPU-bb22"));
    list("0000:01:00.0", "NVIDIA H200", "");
    EXPECT_THAT(listProgramGpus("0", folder_), ElementsAre("GPU-bb22")) << "one without a UUID is none";
    list("0000:a0:00.0", "NVIDIA L4", "GPU-cc33");
    EXPECT_THAT(listProgramGpus("0", folder_), ElementsAre("GPU-aa11", "GPU-bb22", "GPU-cc33")) << "CUDA orders them by speed";
    EXPECT_THAT(listProgramGpus("", folder_ / "none"), IsEmpty());
}

} // namespace
} // namespace kl
