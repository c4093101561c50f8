// SPDX-License-Identifier: MIT
#ifdef KL_HAVE_LIVE
#include "kernels/catalog.h"
#include "profiler/live/nvrtc/nvrtc.h"
#include "profiler/live/ptx/opcodes.h"

#include <gtest/gtest.h>
#include <map>
#include <optional>

namespace kl {
namespace {

/// Every family's every variant compiles for the oldest and the measured architecture, and its entries are in the PTX.
TEST(NvrtcCatalog, EveryVariantCompilesForHopper)
{
    if (const auto& loaded = Nvrtc::load(); !loaded)
        GTEST_SKIP() << loaded.error().message;
    const auto catalog = Catalog::embedded();
    ASSERT_TRUE(catalog.ok()) << catalog.error().message;
    std::map<std::pair<std::string, std::vector<std::string>>, std::optional<Result<CompiledSource>>> codes;
    for (const Address& address : catalog->addresses()) {
        const auto work = catalog->work(address, {});
        ASSERT_TRUE(work.ok()) << toText(address);
        auto& compiled = codes[{work->source, work->options}]; // variants share their family's source
        if (!compiled)
            compiled = Nvrtc::load()->compile({work->source, work->options, work->targets.empty() ? "sm_90" : work->targets.front()});
        ASSERT_TRUE(compiled->ok()) << toText(address);
        EXPECT_TRUE((*compiled)->ok) << toText(address) << '\n' << (*compiled)->log;
        for (const LaunchSpec& launch : work->launches)
            EXPECT_FALSE(opcodeMix((*compiled)->ptx, launch.entry).empty()) << toText(address) << ' ' << launch.entry;
    }
}

TEST(NvrtcCatalog, OpcodesTellTheVariantsOfTransposeApart)
{
    if (const auto& loaded = Nvrtc::load(); !loaded)
        GTEST_SKIP() << loaded.error().message;
    const auto catalog = Catalog::embedded();
    ASSERT_TRUE(catalog.ok());
    const auto mixOf = [&](const char* text) {
        const auto work = catalog->work(*parseAddress(text), {});
        EXPECT_TRUE(work.ok()) << text;
        const auto compiled = Nvrtc::load()->compile({work->source, work->options, "sm_90"});
        return opcodeMix(compiled->ptx, work->launches.front().entry);
    };
    EXPECT_FALSE(mixOf("transpose/naive").contains("ld.shared"));
    EXPECT_TRUE(mixOf("transpose/padded").contains("ld.shared"));
    EXPECT_TRUE(mixOf("attention/fused").contains("mma"));
}

} // namespace
} // namespace kl
#endif
