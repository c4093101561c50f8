// SPDX-License-Identifier: MIT
#include "profiler/program/program_gpus.h"
#include "tests/sessions/store_support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kl {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ProgramGpus : public ::testing::Test {
protected:
    void list(const std::string& place, const std::string& model, const std::string& uuid) const
    {
        std::filesystem::create_directories(folder_ / place);
        support::writeBytes(folder_ / (place + "/information"), "Model: \t\t " + model + "\nIRQ:   \t\t 7\nGPU UUID: \t " + uuid + "\n");
    }

    support::TempDir folder_;
};

TEST_F(ProgramGpus, AreThoseThatItSees)
{
    list("0000:9a:00.0", "NVIDIA H200", "GPU-aa11");
    list("0000:18:00.0", "NVIDIA H200", "GPU-bb22");
    const std::filesystem::path folder = folder_ / "";
    EXPECT_THAT(gpusOfProgram("", folder), ElementsAre("GPU-aa11", "GPU-bb22"));
    EXPECT_THAT(gpusOfProgram("0", folder), ElementsAre("GPU-bb22")) << "the first on the bus";
    EXPECT_THAT(gpusOfProgram("1,0,1", folder), ElementsAre("GPU-aa11", "GPU-bb22"));
    EXPECT_THAT(gpusOfProgram("GPU-aa", folder), ElementsAre("GPU-aa11"));
    EXPECT_THAT(gpusOfProgram("MIG-1", folder), ElementsAre("GPU-aa11", "GPU-bb22")) << "which one is not known";
    list("0000:a0:00.0", "NVIDIA L4", "GPU-cc33");
    EXPECT_THAT(gpusOfProgram("0", folder), ElementsAre("GPU-aa11", "GPU-bb22", "GPU-cc33")) << "CUDA orders them by speed";
    EXPECT_THAT(gpusOfProgram("", folder_ / "none"), IsEmpty());
}

} // namespace
} // namespace kl
