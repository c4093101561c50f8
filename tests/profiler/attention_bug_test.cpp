// SPDX-License-Identifier: MIT
// The indexing bug that attention kernels are known for, query_idx % TILE: each size of the suite says whether it hits.
#ifdef KL_HAVE_LIVE
#include "kernels/catalog.h"
#include "kernels/data/numbers.h"
#include "kernels/model/element_place.h"
#include "profiler/live/measure/correctness.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace kl {
namespace {

constexpr std::int64_t kTile = 32, kDim = 64, kHeads = 2;

using Values = std::vector<double>;

std::vector<Values> generateInputs(const WorkSpec& work)
{
    std::vector<Values> inputs;
    for (std::size_t i = 0; i < 3; ++i) {
        const BufferSpec& buffer = work.buffers[i];
        inputs.push_back(toDoubles(fillBuffer(buffer, work.seed, i).data(), buffer.type, static_cast<std::size_t>(buffer.count)));
    }
    return inputs;
}

/// What the kernel with the bug answers: query i of a head works on the values of query i % kTile.
std::vector<std::byte> outputWithBug(const WorkSpec& work, std::vector<Values> inputs, std::int64_t length)
{
    const Values right = inputs[0];
    for (std::int64_t row = 0; row < kHeads * length; ++row) {
        const std::int64_t taken = row - row % length + row % length % kTile;
        std::copy_n(right.begin() + taken * kDim, kDim, inputs[0].begin() + row * kDim);
    }
    const Result<Expected> answer = evaluateReference(work.reference, inputs, work.seed);
    EXPECT_TRUE(answer);
    std::vector<std::byte> output(static_cast<std::size_t>(kHeads * length * kDim) * 2);
    for (std::size_t i = 0; i < answer->values.size(); ++i)
        storeElement(output.data(), work.buffers[3].type, i, answer->values[i]);
    return output;
}

SuiteRow judged(std::int64_t length, const std::string& more = {})
{
    const Result<Catalog> catalog = Catalog::loadEmbedded();
    const std::string problem = "B=1,H=2,D=64,CAUSAL=0,S=" + std::to_string(length) + more;
    const Result<WorkSpec> work = catalog->work(*parseAddress("attention/fused"), *parseParams(problem));
    EXPECT_TRUE(work) << (work ? "" : work.error().message);
    const std::vector<Values> inputs = generateInputs(*work);
    const Result<Expected> expected = evaluateReference(work->reference, inputs, work->seed);
    EXPECT_TRUE(expected);
    SuiteRow row = compareOutput(outputWithBug(*work, inputs, length), work->buffers[3].type, *expected, work->tolerance);
    if (row.firstWrong) {
        row.firstWrong->buffer = "o";
        placeElement(*work, *row.firstWrong);
    }
    return row;
}

TEST(AttentionBug, SizesOfOneTilePass)
{
    for (const std::int64_t length : {1, 31, 32}) {
        const SuiteRow row = judged(length);
        EXPECT_TRUE(row.pass) << length << ": " << row.reason;
    }
}

TEST(AttentionBug, EachLargerSizeFailsAtItsFirstWrongQuery)
{
    for (const std::int64_t length : {33, 63, 64, 65, 127, 129}) {
        const SuiteRow row = judged(length);
        EXPECT_FALSE(row.pass) << length;
        EXPECT_NE(row.reason.find(fmt::format(" {:.3g}", row.maxAbs)), std::string::npos) << "by its largest error: " << row.reason;
        ASSERT_TRUE(row.firstWrong) << length;
        EXPECT_EQ(row.firstWrong->index / kDim, kTile) << length; // the first query of the second tile
    }
}

TEST(AttentionBug, TheCoarserLimitsOfBfloatAndOutliersFindItToo)
{
    EXPECT_TRUE(judged(32, ",BF16=1").pass);
    EXPECT_FALSE(judged(65, ",BF16=1").pass);
    EXPECT_TRUE(judged(32, ",OUTLIERS=1").pass);
    EXPECT_FALSE(judged(65, ",OUTLIERS=1").pass);
}

} // namespace
} // namespace kl
#endif
