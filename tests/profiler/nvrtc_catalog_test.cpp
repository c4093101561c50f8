// SPDX-License-Identifier: MIT
#ifdef KL_HAVE_LIVE
#include "kernels/catalog.h"
#include "profiler/live/nvrtc/nvrtc.h"
#include "profiler/live/ptx/opcodes.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

TEST(NvrtcCatalog, OpcodesTellTheVariantsOfTransposeApart)
{
    if (const auto& loaded = Nvrtc::load(); !loaded)
        GTEST_SKIP() << loaded.error().message;
    const auto catalog = Catalog::loadEmbedded();
    ASSERT_TRUE(catalog.ok());
    const auto compileMix = [&](const char* text) {
        const auto work = catalog->work(*parseAddress(text), {});
        EXPECT_TRUE(work.ok()) << text;
        const auto compiled = Nvrtc::load()->compile({work->source, work->options, "sm_90"});
        return opcodeMix(compiled->ptx, work->launches.front().entry);
    };
    EXPECT_FALSE(compileMix("transpose/naive").contains("ld.shared"));
    EXPECT_TRUE(compileMix("transpose/padded").contains("ld.shared"));
    EXPECT_TRUE(compileMix("attention/fused").contains("mma"));
}

} // namespace
} // namespace kl
#endif
