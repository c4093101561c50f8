// SPDX-License-Identifier: MIT
#ifdef KL_HAVE_LIVE
#include "profiler/live/work/input_cache.h"

#include "kernels/data/numbers.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

BufferSpec floats(std::int64_t count)
{
    BufferSpec spec;
    spec.name = "in";
    spec.type = DType::f32;
    spec.count = count;
    spec.fill = Fill::normal;
    return spec;
}

TEST(InputCache, GivesTheSameInputsAndTellsOthersApart)
{
    InputCache cache(1 << 20);
    const InputCache::Content first = cache.content(floats(100), 1, 0);
    EXPECT_EQ(*first, fillBuffer(floats(100), 1, 0));
    EXPECT_EQ(cache.content(floats(100), 1, 0), first);
    EXPECT_NE(*cache.content(floats(100), 2, 0), *first);
    EXPECT_NE(*cache.content(floats(100), 1, 1), *first);
    EXPECT_EQ(cache.content(floats(101), 1, 0)->size(), 404U);
}

TEST(InputCache, WhatNobodyHoldsIsForgottenBeyondTheLimit)
{
    InputCache cache(1000);
    std::weak_ptr<const std::vector<std::byte>> first = cache.content(floats(100), 1, 0); // 400 bytes
    const std::weak_ptr<const std::vector<std::byte>> second = cache.content(floats(100), 2, 0);
    EXPECT_FALSE(first.expired());
    cache.content(floats(100), 1, 0); // used again: now the second is the oldest
    (void)cache.content(floats(100), 3, 0);
    EXPECT_TRUE(second.expired());
    EXPECT_FALSE(first.expired());
    (void)cache.content(floats(1000), 4, 0); // larger than the limit: not kept, and nothing else is
    EXPECT_TRUE(first.expired());
}

TEST(InputCache, WhatAWorkHoldsIsFoundWhateverTheLimit)
{
    InputCache cache(0);
    const InputCache::Content held = cache.content(floats(100), 1, 0);
    (void)cache.content(floats(100), 2, 0);
    EXPECT_EQ(cache.content(floats(100), 1, 0), held);
}

TEST(InputCache, InputsOfAnotherKindAreNotThoseThatAreKept)
{
    InputCache cache(1 << 20);
    const BufferSpec plain = floats(64);
    const InputCache::Content first = cache.content(plain, 1, 0);
    const auto differs = [&](const auto& change) {
        BufferSpec other = plain;
        change(other);
        const InputCache::Content made = cache.content(other, 1, 0);
        EXPECT_EQ(*made, fillBuffer(other, 1, 0));
        return *made != *first;
    };
    EXPECT_TRUE(differs([](BufferSpec& other) { other.scale = 2; }));
    EXPECT_TRUE(differs([](BufferSpec& other) { other.fill = Fill::uniform; }));
    EXPECT_TRUE(differs([](BufferSpec& other) { other.type = DType::f16; }));
    EXPECT_TRUE(differs([](BufferSpec& other) { other.count = 63; }));
    EXPECT_FALSE(differs([](BufferSpec&) {}));
    EXPECT_EQ(cache.content(plain, 1, 0), first) << "it is still kept";
}

} // namespace
} // namespace kl
#endif
