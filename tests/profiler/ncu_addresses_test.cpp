// SPDX-License-Identifier: MIT
// Counts of a report at the addresses of code that it contains.
#ifdef KL_HAVE_LIVE
#include "core/model/kernel_code.h"
#include "core/sass/cubin.h"
#include "profiler/import/ncu_result.h"
#include "profiler/import/ncu_source.h"
#include "profiler/import/result_layout.h"
#include "profiler/live/nvrtc/nvrtc.h"
#include "tests/support/wire_bytes.h"

#include <functional>
#include <gtest/gtest.h>

namespace kl::ncu {
namespace {

using support::wireBytes;
using support::wireNumber;

/// Two kernels of a module that was loaded, with counts at addresses.
class NcuAddresses : public testing::Test {
protected:
    static constexpr std::uint64_t kOwn = 0x7000'1000, kOther = 0x7000'8000;

    void SetUp() override
    {
        if (const auto& loaded = Nvrtc::load(); !loaded)
            GTEST_SKIP() << loaded.error().message;
        const auto made = Nvrtc::load()->compile({"extern \"C\" __global__ void own(float* x) { x[threadIdx.x] *= 2; }\n"
                                                  "extern \"C\" __global__ void other(float* x) { x[threadIdx.x] += 3; }\n",
                                                  {},
                                                  "sm_90"});
        ASSERT_TRUE(made.ok() && made->ok);
        cubin_ = made->cubin;
        module_.cubin = cubin_;
        module_.functions = {{"own", kOwn}, {"other", kOther}, {"not there", 0x7000'0000}};
        bytes_ = findFunction(cubin_, "own")->code.size();
    }

    SourceProfile profileWith(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& counts) const
    {
        const NameTable names({"inst_executed"});
        std::string message = wireNumber(1, 0);
        for (const auto& [address, count] : counts)
            message += wireBytes(3, wireBytes(1, wireNumber(5, address)) + wireBytes(2, wireNumber(5, count)));
        RawResult kernel;
        kernel.mangled = "own";
        kernel.metrics.push_back({0, {}, message});
        const std::optional<SourceProfile> profile = readSource(kernel, names, &module_);
        EXPECT_TRUE(profile && profile->code);
        return profile.value_or(SourceProfile{});
    }
    /// Executions at a function's offset; −1 where it is not listed.
    static std::int64_t executedAt(const SourceProfile& profile, const std::string& function, std::int64_t offset)
    {
        for (const CodeInstruction& one : profile.code->instructions)
            if (profile.code->functions[static_cast<std::size_t>(one.function)] == function && one.offset == offset)
                return one.executed.value_or(0);
        return -1;
    }

    std::string cubin_;
    Module module_;
    std::uint64_t bytes_ = 0;
};

TEST_F(NcuAddresses, AreOffsetsFromWhereTheirFunctionWasLoaded)
{
    const SourceProfile profile = profileWith({{kOwn, 5}, {kOwn + bytes_ - 16, 7}, {kOther + 32, 9}});
    EXPECT_EQ(profile.code->functions, (std::vector<std::string>{"own", "other"})) << "first the kernel";
    EXPECT_EQ(executedAt(profile, "own", 0), 5);
    EXPECT_EQ(executedAt(profile, "own", static_cast<std::int64_t>(bytes_) - 16), 7) << "its last instruction";
    EXPECT_EQ(executedAt(profile, "own", 16), 0) << "listed, and not counted";
    EXPECT_EQ(executedAt(profile, "other", 32), 9);
    EXPECT_EQ(profileWith({{kOwn, 5}}).code->functions, std::vector<std::string>{"own"}) << "nothing was counted in the other";
}

TEST_F(NcuAddresses, ThoseOfNoFunctionAreKeptApart)
{
    for (const std::uint64_t address : {kOwn - 16, kOwn + bytes_, kOther - 16, std::uint64_t{0x7000'0000}, std::uint64_t{16}}) {
        const SourceProfile profile = profileWith({{kOwn + 16, 5}, {address, 3}});
        ASSERT_EQ(profile.code->functions.size(), 2U) << address;
        EXPECT_EQ(profile.code->functions[0], "own");
        EXPECT_EQ(executedAt(profile, "own", 16), 5);
        EXPECT_EQ(executedAt(profile, profile.code->functions[1], static_cast<std::int64_t>(address)), 3);
        EXPECT_EQ(profile.code->instructions.size(), bytes_ / 16 + 1);
    }
}

TEST_F(NcuAddresses, LaterBlocksOfAModuleAddFunctionsAndChangeNone)
{
    Modules modules;
    const auto function = [](const char* name, std::uint64_t address) { return wireBytes(1, wireBytes(1, name) + wireNumber(2, address)); };
    const std::string first = wireNumber(1, 3) + wireBytes(4, "code") + wireBytes(9, function("f", 0x700) + function("g", 0x800)) +
                              wireBytes(8, wireBytes(1, wireBytes(1, "plain.cu") + wireBytes(2, "text")));
    const std::string later = wireNumber(1, 3) + wireBytes(9, function("f", 0x900) + function("h", 0xa00));
    const std::string other = wireNumber(1, 4) + wireBytes(4, "other");
    for (const std::string& block : {std::cref(first), std::cref(later), std::cref(other)})
        EXPECT_TRUE(modules.add(block)); // whose bytes the modules are views of
    const Module* module = modules.find(3);
    ASSERT_NE(module, nullptr);
    EXPECT_EQ(module->functions, (std::map<std::string, std::uint64_t>{{"f", 0x700}, {"g", 0x800}, {"h", 0xa00}}));
    EXPECT_EQ(module->texts, (std::map<std::string, std::string>{{"plain.cu", "text"}}));
    EXPECT_EQ(module->cubin, "code");
    ASSERT_NE(modules.find(4), nullptr);
    EXPECT_EQ(modules.find(4)->cubin, "other");
    EXPECT_TRUE(modules.find(4)->functions.empty());
}

} // namespace
} // namespace kl::ncu
#endif
