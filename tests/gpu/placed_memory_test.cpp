// SPDX-License-Identifier: MIT
// Memory at given addresses, which moves to other physical memory and keeps its content.
#ifdef KL_HAVE_LIVE
#include "profiler/live/cuda/device.h"
#include "profiler/live/work/placed_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>

namespace kl {
namespace {

constexpr std::size_t kPage = 2 << 20;

class PlacedMemoryOnGpu : public testing::Test {
protected:
    void SetUp() override
    {
        const Result<std::vector<DeviceInfo>> devices = listDevices();
        if (!devices || devices->empty())
            GTEST_SKIP() << "no GPU: " << (devices ? std::string("none listed") : devices.error().message);
        Result<PrimaryContext> retained = PrimaryContext::retain(0);
        ASSERT_TRUE(retained) << retained.error().message;
        context.emplace(std::move(*retained));
        ASSERT_TRUE(KL_CUDA(MemAddressReserve, &free, 2 * kReservedBlock, kReservedBlock, 0, 0));
        ASSERT_TRUE(KL_CUDA(MemAddressFree, free, 2 * kReservedBlock));
    }

    /// In two pieces that do not touch.
    std::vector<MemorySpan> spans() const { return {{free + kPage + 512, 3 * kPage}, {free + kReservedBlock, 4096}}; }

    std::optional<PrimaryContext> context;
    CUdeviceptr free = 0; ///< where this process has nothing
};

std::vector<unsigned> readBack(const MemorySpan& span)
{
    std::vector<unsigned> words(span.second / sizeof(unsigned));
    EXPECT_TRUE(KL_CUDA(MemcpyDtoH, words.data(), span.first, span.second));
    return words;
}

TEST_F(PlacedMemoryOnGpu, KeepsAddressesAndContentWhereverItMoves)
{
    Result<std::shared_ptr<PlacedMemory>> memory = PlacedMemory::map(spans());
    ASSERT_TRUE(memory) << memory.error().message;
    EXPECT_EQ((*memory)->places(), 1U);
    std::vector<std::vector<unsigned>> wanted;
    for (const MemorySpan& span : spans()) {
        EXPECT_THAT(readBack(span), testing::Each(0U));
        std::vector<unsigned> words(span.second / sizeof(unsigned));
        std::iota(words.begin(), words.end(), static_cast<unsigned>(span.first));
        ASSERT_TRUE(KL_CUDA(MemcpyHtoDAsync, span.first, words.data(), span.second, nullptr));
        ASSERT_TRUE(KL_CUDA(CtxSynchronize));
        wanted.push_back(std::move(words));
    }
    for (std::size_t moves = 1; moves < 2 * kPlaces; ++moves) {
        ASSERT_TRUE((*memory)->move());
        EXPECT_EQ((*memory)->places(), std::min(moves + 1, kPlaces));
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            ASSERT_EQ(readBack(spans()[i]), wanted[i]) << "move " << moves;
            ++wanted[i][moves]; // what is written in one place is there in the next
            ASSERT_TRUE(KL_CUDA(MemcpyHtoDAsync, spans()[i].first, wanted[i].data(), spans()[i].second, nullptr));
            ASSERT_TRUE(KL_CUDA(CtxSynchronize));
        }
    }
}

TEST_F(PlacedMemoryOnGpu, GivesEverythingBack)
{
    const auto available = [] {
        std::size_t left = 0;
        std::size_t total = 0;
        EXPECT_TRUE(KL_CUDA(MemGetInfo, &left, &total));
        return left;
    };
    const std::size_t before = available();
    {
        const Result<std::shared_ptr<PlacedMemory>> memory = PlacedMemory::map(spans());
        ASSERT_TRUE(memory) << memory.error().message;
        ASSERT_TRUE((*memory)->move());
        EXPECT_LT(available(), before);
    }
    EXPECT_EQ(available(), before);
    CUdeviceptr again = 0;
    ASSERT_TRUE(KL_CUDA(MemAddressReserve, &again, 2 * kReservedBlock, 0, free, 0));
    EXPECT_EQ(again, free);
    EXPECT_TRUE(KL_CUDA(MemAddressFree, again, 2 * kReservedBlock));
}

TEST_F(PlacedMemoryOnGpu, IsOneForWorksOnTheSameAddresses)
{
    const Result<std::shared_ptr<PlacedMemory>> one = PlacedMemory::map(spans());
    const Result<std::shared_ptr<PlacedMemory>> other = PlacedMemory::map(spans());
    ASSERT_TRUE(one && other);
    EXPECT_EQ(one->get(), other->get());
}

} // namespace
} // namespace kl
#endif
