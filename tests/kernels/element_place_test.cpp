// SPDX-License-Identifier: MIT
#include "kernels/model/element_place.h"

#include "tests/support/snapshot.h"

#include <gtest/gtest.h>
#include <string>

namespace kl {
namespace {

WorkSpec makeWork(std::int64_t rows, std::int64_t columns, std::vector<std::int64_t> grid, std::vector<std::int64_t> block)
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
    const Mismatch found = placed(makeWork(10, 100, {4}, {256}), 617);
    EXPECT_EQ(found.element, "m=6, n=17");
    EXPECT_EQ(found.thread, "block 2, thread 105");
    EXPECT_FALSE(found.threadBy.empty());
}

TEST(ElementPlace, ATileOfTwoDimensions)
{
    const Mismatch found = placed(makeWork(33, 40, {3, 5}, {16, 8}), 32 * 40 + 35);
    EXPECT_EQ(found.element, "m=32, n=35");
    EXPECT_EQ(found.thread, "block (2, 4), thread (3, 0)");
    EXPECT_NE(found.threadBy.find(" n "), std::string::npos) << found.threadBy;
    ASSERT_NE(found.threadBy.rfind(" m"), std::string::npos) << found.threadBy;
    EXPECT_LT(found.threadBy.find(" n "), found.threadBy.rfind(" m")) << "x goes before y: " << found.threadBy;
}

TEST(ElementPlace, SnapshotOfWhatThePlaceAssumes)
{
    std::string text;
    for (const Mismatch& found : {placed(makeWork(10, 100, {4}, {256}), 617), placed(makeWork(33, 40, {3, 5}, {16, 8}), 1315),
                                  placed(makeWork(10, 100, {10}, {32}), 617), placed(makeWork(2, 4, {8}, {32}), 5)})
        text += found.thread + " | " + found.threadBy + '\n';
    test::expectSnapshot("texts/element-places.txt", text);
}

TEST(ElementPlace, ABlockARow)
{
    EXPECT_EQ(placed(makeWork(10, 100, {10}, {32}), 617).thread, "block 6");
    EXPECT_EQ(placed(makeWork(10, 1, {10}, {128}), 7).thread, "block 7");
}

TEST(ElementPlace, EachMappingNeedsItsShape)
{
    EXPECT_EQ(placed(makeWork(4, 64, {2}, {128}), 255).thread, "block 1, thread 127");
    EXPECT_EQ(placed(makeWork(4, 64, {3}, {128}), 255).thread, "") << "a block to spare";
    EXPECT_EQ(placed(makeWork(4, 64, {2}, {127}), 255).thread, "") << "too few threads";
    EXPECT_EQ(placed(makeWork(2, 1, {2}, {1}), 1).thread, "block 1, thread 0");
    EXPECT_EQ(placed(makeWork(2, 4, {8}, {32}), 5).thread, "block 5") << "a block an element";
    EXPECT_EQ(placed(makeWork(2, 4, {2}, {32}), 5).thread, "block 1") << "a block an outer index";
    EXPECT_EQ(placed(makeWork(2, 4, {4}, {32}), 5).thread, "");
    EXPECT_EQ(placed(makeWork(2, 4, {2, 1, 2}, {4}), 5).thread, "");
    EXPECT_EQ(placed(makeWork(2, 4, {2}, {4, 1, 2}), 5).thread, "");
    EXPECT_EQ(placed(makeWork(2, 4, {2}, {0}), 5).thread, "");
    EXPECT_EQ(placed(makeWork(2, 4, {2}, {4, 0}), 5).thread, "");
    EXPECT_EQ(placed(makeWork(2, 4, {1}, {4, 2}), 5).thread, "block (0, 0), thread (1, 1)");
    EXPECT_EQ(placed(makeWork(2, 4, {1, 2}, {4}), 5).thread, "block (0, 1), thread (1, 0)");
    EXPECT_EQ(placed(makeWork(2, 4, {2, 2}, {4}), 5).thread, "") << "x has blocks to spare";
    EXPECT_EQ(placed(makeWork(2, 4, {1, 3}, {4}), 5).thread, "") << "y has blocks to spare";
    EXPECT_EQ(placed(makeWork(2, 4, {1, 1}, {3, 2}), 5).thread, "") << "x does not reach the end";
}

TEST(ElementPlace, ATupleIsOfTheOutputsIndices)
{
    WorkSpec work = makeWork(2, 4, {1, 2}, {4});
    EXPECT_EQ(placed(work, 8).element, "") << "beyond the last index";
    work.reference.index.insert(work.reference.index.begin(), {"b", 3});
    work.buffers[0].count = 24;
    EXPECT_EQ(placed(work, 8 + 5).element, "b=1, m=1, n=1");
    EXPECT_EQ(placed(work, 8 + 5).thread, "") << "three indices fit no mapping of x and y";
    work.launches[0].grid = {3};
    EXPECT_EQ(placed(work, 8 + 5).thread, "") << "nor of rows";
    work.launches[0].grid = {24};
    work.launches[0].block = {64};
    EXPECT_EQ(placed(work, 8 + 5).thread, "block 13") << "one element per block all the same";
    work.reference.index[2].count = 0;
    EXPECT_EQ(placed(work, 5).element, "");
    work.reference.index[2].count = 1;
    EXPECT_EQ(placed(work, 5).element, "b=2, m=1, n=0");
    work.reference.output = "other";
    EXPECT_EQ(placed(work, 5).element, "");
    EXPECT_EQ(placed(work, 1).element, "") << "though the first index of the other has that many";
    EXPECT_EQ(placed(work, 5).thread, "block 5");
}

TEST(ElementPlace, TheLastLaunchThatTakesTheBufferWritesIt)
{
    WorkSpec work = makeWork(10, 100, {4}, {256});
    work.launches.push_back(work.launches[0]);
    work.launches[1].grid = {8};
    work.launches[1].block = {128};
    work.launches.push_back(work.launches[0]);
    work.launches[2].args = {{"in", {}, 0}};
    EXPECT_EQ(placed(work, 617).thread, "block 4, thread 105");
    work.launches[1].args.insert(work.launches[1].args.begin(), {"in", {}, 0});
    EXPECT_EQ(placed(work, 617).thread, "block 4, thread 105") << "among several arguments";
    work.buffers.clear();
    EXPECT_EQ(placed(work, 617).thread, "") << "of an unknown size";
}

TEST(ElementPlace, WhatIsNotKnownStaysEmpty)
{
    EXPECT_EQ(placed(makeWork(10, 100, {7}, {32}), 617).thread, ""); // a loop over the grid, or several elements per thread
    WorkSpec work = makeWork(10, 100, {4}, {256});
    work.reference.index.clear();
    EXPECT_EQ(placed(work, 617).element, "");
    EXPECT_EQ(placed(work, 617).thread, "block 2, thread 105");
    work.launches.front().args.clear();
    EXPECT_EQ(placed(work, 617).thread, "");
}

} // namespace
} // namespace kl
