// SPDX-License-Identifier: MIT
// Which instruction waits for which, in code whose control words are written by hand: compiled code is no more than their place.
#ifdef KL_HAVE_LIVE
#include "profiler/live/cupti/sass_code.h"

#include "core/sass/cubin.h"
#include "profiler/live/nvrtc/nvrtc.h"

#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kl {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr unsigned kNone = 7; ///< no scoreboard

/// An instruction as far as it matters here: the scoreboards that it arms for its result and for its operands, and those that it waits for.
struct HandMade {
    unsigned opcode = 0;
    unsigned result = kNone;
    unsigned operands = kNone;
    unsigned waits = 0; ///< a bit for each
};

class HandMadeCode : public testing::Test {
protected:
    void SetUp() override
    {
        if (const auto& loaded = Nvrtc::load(); !loaded)
            GTEST_SKIP() << loaded.error().message;
        const auto compiled = Nvrtc::load()->compile({"extern \"C\" __global__ void k(float* x) { x[threadIdx.x] *= 2; }", {}, "sm_90"});
        ASSERT_TRUE(compiled && compiled->ok);
        cubin_ = compiled->cubin;
        const std::string_view code = findFunction(cubin_, "k")->code;
        at_ = static_cast<std::size_t>(code.data() - cubin_.data());
        count_ = code.size() / 16;
        ASSERT_GE(count_, 10U);
    }

    /// These instructions, and others that neither arm nor wait.
    SassCode code(const std::vector<HandMade>& instructions)
    {
        for (std::size_t i = 0; i < count_; ++i) {
            const HandMade one = i < instructions.size() ? instructions[i] : HandMade{};
            const std::uint64_t low = 0xabc000 | one.opcode;
            const std::uint64_t control = one.result << 5 | one.operands << 8 | one.waits << 11 | 0x1fULL | std::uint64_t{0xf} << 17;
            const std::uint64_t high = control << 41 | 0x123;
            std::memcpy(cubin_.data() + at_ + 16 * i, &low, 8);
            std::memcpy(cubin_.data() + at_ + 16 * i + 8, &high, 8);
        }
        return *SassCode::of(cubin_, "k");
    }
    std::size_t count_ = 0;

private:
    std::string cubin_;
    std::size_t at_ = 0;
};

TEST_F(HandMadeCode, AWaitIsForTheLatestThatArmedItsScoreboard)
{
    const SassCode made =
        code({{0, 2, kNone, 0}, {0, kNone, 2, 0}, {0, 3, kNone, 0}, {0, 0, 5, 0}, {0, 2, kNone, 0b1100}, {0, kNone, kNone, 0b101}});
    EXPECT_THAT(made.findAwaited(4 * 16), ElementsAre(16, 32)) << "of two with one scoreboard the nearer, not itself";
    EXPECT_THAT(made.findAwaited(5 * 16), ElementsAre(48, 64));
    EXPECT_THAT(made.findAwaited(3 * 16), IsEmpty());
    EXPECT_THAT(made.findAwaited(16 * count_), IsEmpty()) << "behind the code";
}

TEST_F(HandMadeCode, InALoopItIsForOneThatFollows)
{
    const SassCode made = code({{0, kNone, kNone, 0b10010}, {0, 1, kNone, 0}, {0, 4, 1, 0}, {0, 4, kNone, 0}});
    EXPECT_THAT(made.findAwaited(0), ElementsAre(32, 48)) << "each the last one before it is run again";
    const SassCode both = code({{0, 3, kNone, 0}, {0, kNone, kNone, 0b11000}, {0, 3, kNone, 0}, {0, kNone, 4, 0}});
    EXPECT_THAT(both.findAwaited(16), ElementsAre(0, 48)) << "what comes before it is nearer";
}

TEST_F(HandMadeCode, OneThatArmsBothIsNamedOnceAndTheRestStaysOpen)
{
    const SassCode made = code({{0, 0, kNone, 0}, {0, 1, 2, 0}, {0, kNone, kNone, 0b111}, {0, 6, kNone, 0}, {0, kNone, kNone, 0b100000}});
    EXPECT_THAT(made.findAwaited(2 * 16), ElementsAre(0, 16));
    EXPECT_THAT(made.findAwaited(4 * 16), IsEmpty()) << "nothing arms it";
}

TEST_F(HandMadeCode, DrainingWaitsForTheNearestStoreBefore)
{
    for (const unsigned store : {0x385U, 0x386U, 0x387U, 0x38eU, 0x985U, 0x986U, 0x987U, 0x98eU}) {
        const SassCode made = code({{0x981}, {store}, {0x984}, {0x94d}});
        EXPECT_EQ(made.lastStore(3 * 16), 16U) << store;
        EXPECT_EQ(made.lastStore(16), std::nullopt) << "itself is none";
        EXPECT_EQ(made.lastStore(std::uint64_t{1} << 40), 16U);
    }
    const SassCode two = code({{0x386}, {0x985}, {0x385}});
    EXPECT_EQ(two.lastStore(2 * 16), 16U);
    EXPECT_EQ(two.lastStore(16), 0U);
    EXPECT_EQ(code({{0x981}}).lastStore(5 * 16), std::nullopt);
}

} // namespace
} // namespace kl
#endif
