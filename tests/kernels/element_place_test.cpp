// SPDX-License-Identifier: MIT
#include "kernels/model/element_place.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

WorkSpec workOf(std::int64_t rows, std::int64_t columns, std::vector<std::int64_t> grid, std::vector<std::int64_t> block)
{
    WorkSpec work;
    work.buffers.push_back({"out", DType::f32, rows * columns, BufferRole::output});
    work.reference.output = "out";
    work.reference.index = {{"m", rows}, {"n", columns}};
    LaunchSpec launch;
    launch.grid = std::move(grid);
    launch.block = std::move(block);
    launch.args.push_back({"out", {}, 0});
    work.launches.push_back(std::move(launch));
    return work;
}

Mismatch placed(const WorkSpec& work, std::int64_t index)
{
    Mismatch found;
    found.buffer = "out";
    found.index = index;
    placeElement(work, found);
    return found;
}

TEST(ElementPlace, AThreadAnElementInOrder)
{
    const Mismatch found = placed(workOf(10, 100, {4}, {256}), 617);
    EXPECT_EQ(found.element, "m=6, n=17");
    EXPECT_EQ(found.thread, "block 2, thread 105");
    EXPECT_FALSE(found.threadBy.empty());
}

TEST(ElementPlace, ATileOfTwoDimensions)
{
    const Mismatch found = placed(workOf(33, 40, {3, 5}, {16, 8}), 32 * 40 + 35);
    EXPECT_EQ(found.element, "m=32, n=35");
    EXPECT_EQ(found.thread, "block (2, 4), thread (3, 0)");
    EXPECT_NE(found.threadBy.find("x over n and y over m"), std::string::npos);
}

TEST(ElementPlace, ABlockARow)
{
    EXPECT_EQ(placed(workOf(10, 100, {10}, {32}), 617).thread, "block 6");
    EXPECT_EQ(placed(workOf(10, 1, {10}, {128}), 7).thread, "block 7");
}

TEST(ElementPlace, WhatIsNotKnownStaysEmpty)
{
    EXPECT_EQ(placed(workOf(10, 100, {7}, {32}), 617).thread, ""); // a loop over the grid, or several elements per thread
    WorkSpec work = workOf(10, 100, {4}, {256});
    work.reference.index.clear();
    EXPECT_EQ(placed(work, 617).element, "");
    EXPECT_EQ(placed(work, 617).thread, "block 2, thread 105");
    work.launches.front().args.clear();
    EXPECT_EQ(placed(work, 617).thread, "");
}

} // namespace
} // namespace kl
