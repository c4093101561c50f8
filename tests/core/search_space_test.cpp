// SPDX-License-Identifier: MIT
#include "core/search/latin_hypercube.h"
#include "core/search/point_features.h"
#include "core/search/regression_forest.h"
#include "core/search/space_solver.h"
#include "core/search/tuning_space.h"
#include "tests/core/search_space_support.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace kl {
namespace {

std::vector<TuningAxis> tenAxes()
{
    std::vector<std::string> values;
    for (int i = 1; i <= 10; ++i)
        values.push_back(std::to_string(i));
    std::vector<TuningAxis> axes;
    for (int i = 0; i < 8; ++i)
        axes.push_back(TuningAxis::of("T" + std::to_string(i), values));
    return axes;
}

TEST(TuningSpace, FindsEachPointAndItsNeighbors)
{
    const TuningSpace space = test::tiledSpace().space;
    std::vector<PointIndex> neighbors;
    for (PointIndex point = 0; point < space.size(); point += 13) {
        EXPECT_EQ(space.find(space.places(point)), point);
        space.neighbors(point, neighbors);
        std::ranges::sort(neighbors);
        std::vector<PointIndex> expected;
        for (PointIndex other = 0; other < space.size(); ++other) {
            int differing = 0;
            for (std::size_t axis = 0; axis < space.axes().size(); ++axis)
                differing += space.place(point, axis) != space.place(other, axis);
            EXPECT_EQ(space.distance(point, other), differing);
            if (differing == 1)
                expected.push_back(other);
        }
        EXPECT_EQ(neighbors, expected);
    }
    EXPECT_EQ(space.axes()[0].values, (std::vector<std::string>{"8", "16", "32", "64", "128"})) << "numbers in order";
    EXPECT_TRUE(space.axes()[4].numbers.empty());
    EXPECT_EQ(space.text(0), "bx=8,by=4,tx=1,ty=1,layout=row");
    AxisPlaces small(5, 0);
    EXPECT_FALSE(space.find(small)) << "a block of 8 threads is not in the space";
}

TEST(TuningSpace, APointTwiceIsRefused)
{
    const Result<TuningSpace> space = TuningSpace::fromTexts({"A", "B"}, {{"1", "2"}, {"1", "3"}, {"1", "2"}});
    ASSERT_FALSE(space);
    EXPECT_EQ(space.error().code, ErrorCode::badInput);
    EXPECT_FALSE(TuningSpace::make({}, {}));
}

/// 10^8 combinations, of which 70 are valid: only prefixes that hold are continued.
TEST(SpaceSolver, DoesNotEnumerateWhatConstraintsExclude)
{
    std::size_t calls = 0;
    std::vector<SpaceConstraint> constraints;
    for (std::size_t i = 0; i + 1 < 8; ++i) // non-decreasing, and few steps
        constraints.push_back({{"T" + std::to_string(i), "T" + std::to_string(i + 1)}, [&calls, i](std::span<const std::uint16_t> places) {
                                   ++calls;
                                   return Result<bool>(places[i + 1] == places[i] || places[i + 1] == places[i] + 9);
                               }});
    constraints.push_back({{"T0"}, [&calls](std::span<const std::uint16_t> places) {
                               ++calls;
                               return Result<bool>(places[0] != 5);
                           }});
    const Result<TuningSpace> space = solveSpace(tenAxes(), constraints);
    ASSERT_TRUE(space) << space.error().message;
    EXPECT_EQ(space->size(), 8U + 8U) << "constant, or one step from 1 to 10";
    EXPECT_LT(calls, 2000U);
    for (PointIndex point = 1; point < space->size(); ++point)
        EXPECT_LT(space->places(point - 1), space->places(point));
}

TEST(SpaceSolver, ErrorsArePassedOn)
{
    const auto yes = [](std::span<const std::uint16_t>) { return Result<bool>(true); };
    EXPECT_EQ(solveSpace(tenAxes(), {{{"X"}, yes}}).error().code, ErrorCode::badInput);
    const auto bad = [](std::span<const std::uint16_t>) { return Result<bool>(Error{.code = ErrorCode::refused, .message = "no"}); };
    EXPECT_EQ(solveSpace(tenAxes(), {{{"T3"}, bad}}).error().code, ErrorCode::refused);
    const auto never = [](std::span<const std::uint16_t>) { return Result<bool>(false); };
    EXPECT_EQ(solveSpace(tenAxes(), {{{}, never}})->size(), 0U);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(solveSpace(tenAxes(), {}, stop.get_token()).error().code, ErrorCode::interrupted);
}

TEST(RegressionForest, LearnsFromAProductOfTunablesAndFromKnownFacts)
{
    const RecordedSpace recorded = test::tiledSpace();
    std::vector<double> registers(recorded.space.size());
    for (PointIndex point = 0; point < registers.size(); ++point)
        registers[point] = (point * 37) % 64; // unrelated to the tunables
    const PointFeatures features(recorded.space, {{"registers", registers}});
    EXPECT_EQ(features.count(), 5U + 6U + 1U + 1U) << "tunables, products of two of four, of all, registers";
    std::vector<PointIndex> points;
    std::vector<double> values;
    for (PointIndex point = 0; point < recorded.space.size(); point += 2) {
        points.push_back(point);
        values.push_back(registers[point] > 32 ? 2 : 1);
    }
    RandomSource random(1);
    const RegressionForest forest(features, points, values, {}, random);
    int correct = 0;
    for (PointIndex point = 1; point < recorded.space.size(); point += 2)
        correct += (forest.predict(features, point).mean > 1.5) == (registers[point] > 32);
    EXPECT_EQ(correct, static_cast<int>(recorded.space.size() / 2));
    RandomSource same(1);
    EXPECT_EQ(RegressionForest(features, points, values, {}, same).predict(features, 5).mean, forest.predict(features, 5).mean);
}

TEST(LatinHypercube, GivesEachValueOfAnAxisItsShare)
{
    const TuningSpace space = *solveSpace({TuningAxis::of("A", {"1", "2", "3", "4"}), TuningAxis::of("B", {"x", "y"})}, {});
    RandomSource random(7);
    const std::vector<AxisPlaces> cube = latinHypercube(space, 8, random);
    ASSERT_EQ(cube.size(), 8U);
    std::array<int, 4> a{};
    std::array<int, 2> b{};
    for (const AxisPlaces& places : cube) {
        ++a[places[0]];
        ++b[places[1]];
    }
    EXPECT_EQ(a, (std::array<int, 4>{2, 2, 2, 2}));
    EXPECT_EQ(b, (std::array<int, 2>{4, 4}));
}

TEST(LatinHypercube, TheNearestFreePointIsByTheShareOfEachAxis)
{
    // A step on B, of two values, is farther than one on A, of four.
    const TuningSpace space = *TuningSpace::make({TuningAxis::of("A", {"1", "2", "3", "4"}), TuningAxis::of("B", {"1", "2"})},
                                                 {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {0, 1}, {3, 1}});
    const auto every = [](PointIndex) { return true; };
    EXPECT_EQ(nearestPoint(space, {2, 0}, every), 2U) << "the point itself";
    EXPECT_EQ(nearestPoint(space, {2, 1}, every), 5U);
    EXPECT_EQ(nearestPoint(space, {2, 0}, [](PointIndex point) { return point != 2; }), 1U) << "the first of equals";
    EXPECT_EQ(nearestPoint(space, {2, 1}, [](PointIndex point) { return point != 5 && point != 2; }), 4U) << "1/2 on A, before 1/4 and 1/2";
    EXPECT_FALSE(nearestPoint(space, {0, 0}, [](PointIndex) { return false; }));
}

TEST(TuningSpace, NumbersAreInTheirOrderAndWordsInThatOfAppearance)
{
    const TuningSpace space = *TuningSpace::fromTexts({"N", "W"}, {{"128", "b"}, {"32", "a"}, {"64", "b"}, {"32", "c"}});
    EXPECT_EQ(space.axes()[0].values, (std::vector<std::string>{"32", "64", "128"}));
    EXPECT_EQ(space.axes()[1].values, (std::vector<std::string>{"b", "a", "c"}));
    EXPECT_EQ(space.text(0), "N=128,W=b");
    EXPECT_EQ(space.text(3), "N=32,W=c");
    EXPECT_TRUE(TuningAxis::of("A", {"1", "2e3", "-4"}).numbers.size() == 3);
    EXPECT_TRUE(TuningAxis::of("A", {"1", "2x"}).numbers.empty());
}

TEST(TuningSpace, AnAxisHasUpTo65535Values)
{
    std::vector<std::string> values(65535);
    EXPECT_TRUE(TuningSpace::make({TuningAxis{"A", values, {}}}, {{65534}}).ok());
    values.emplace_back();
    EXPECT_EQ(TuningSpace::make({TuningAxis{"A", values, {}}}, {{0}}).error().code, ErrorCode::badInput);
    EXPECT_EQ(TuningSpace::make({}, {}).error().code, ErrorCode::badInput);
    EXPECT_TRUE(TuningSpace::make(std::vector<TuningAxis>(256, TuningAxis{"A", {"1"}, {}}), {AxisPlaces(256, 0)}).ok());
    EXPECT_FALSE(TuningSpace::make(std::vector<TuningAxis>(257, TuningAxis{"A", {"1"}, {}}), {AxisPlaces(257, 0)}).ok());
}

TEST(SpaceSolver, PointsAreSortedAndExactlyAsManyAsTheLimitMayBeThere)
{
    // The constraint's axis is assigned first, so that points are not found in their order.
    const std::vector<TuningAxis> axes{TuningAxis::of("A", {"1", "2"}), TuningAxis::of("B", {"1", "2", "3"})};
    const SpaceConstraint odd{{"B"}, [](std::span<const std::uint16_t> places) -> Result<bool> { return places[1] != 1; }};
    const auto points = solveCombinations(axes, {odd}, 4, {});
    ASSERT_TRUE(points) << points.error().message;
    EXPECT_EQ(*points, (std::vector<AxisPlaces>{{0, 0}, {0, 2}, {1, 0}, {1, 2}}));
    EXPECT_EQ(solveCombinations(axes, {odd}, 3, {}).error().where, "space");
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(solveCombinations(axes, {odd}, 4, stop.get_token()).error().code, ErrorCode::interrupted);
}

TEST(SpaceSolver, AConstrainedTunableIsAssignedBeforeFreeOnes)
{
    std::size_t calls = 0;
    const SpaceConstraint few{{"T7"}, [&calls](std::span<const std::uint16_t> places) {
                                  ++calls;
                                  return Result<bool>(places[7] == 10);
                              }};
    EXPECT_EQ(solveCombinations(tenAxes(), {few}, 10, {})->size(), 0U);
    EXPECT_EQ(calls, 10U);
    calls = 0;
    const SpaceConstraint pair{{"T6", "T7"}, [&calls](std::span<const std::uint16_t>) {
                                   ++calls;
                                   return Result<bool>(false);
                               }};
    EXPECT_EQ(solveCombinations(tenAxes(), {pair}, 10, {})->size(), 0U);
    EXPECT_EQ(calls, 100U);
}

TEST(SpaceSolver, ATunableOfManyConstraintsGoesFirstThenTheOneOfFewerValues)
{
    const std::vector<TuningAxis> axes{TuningAxis::of("A", {"1", "2", "3", "4"}), TuningAxis::of("B", {"1", "2"}),
                                       TuningAxis::of("C", {"1", "2", "3", "4"})};
    std::vector<std::string> order;
    const auto seen = [&](const char* name) {
        return [&order, name](std::span<const std::uint16_t>) {
            order.emplace_back(name);
            return Result<bool>(true);
        };
    };
    const SpaceConstraint ab{{"A", "B"}, seen("ab")};
    const SpaceConstraint bc{{"B", "C"}, seen("bc")};
    ASSERT_TRUE(solveCombinations(axes, {bc, ab}, 32, {}));
    EXPECT_EQ(std::ranges::count(order, "ab") + std::ranges::count(order, "bc"), 8 + 32) << "two of B, and then of A or C";
    ASSERT_EQ(solveCombinations(axes, {}, 32, {})->size(), 32U);
}

TEST(TuningSpace, WithMoreThanFourTunablesAllCount)
{
    std::vector<TuningAxis> axes;
    for (const char* name : {"A", "B", "C", "D", "E", "F"})
        axes.push_back(TuningAxis::of(name, {"1", "2", "3"}));
    const TuningSpace space = *solveSpace(axes, {});
    ASSERT_EQ(space.size(), 729U);
    const PointIndex last = *space.find(AxisPlaces{2, 2, 2, 2, 2, 2});
    EXPECT_EQ(last, 728U);
    EXPECT_EQ(space.distance(0, last), 6);
    EXPECT_EQ(space.distance(0, 1), 1);
    EXPECT_EQ(space.text(1), "A=1,B=1,C=1,D=1,E=1,F=2");
    std::vector<PointIndex> neighbors;
    space.neighbors(last, neighbors);
    EXPECT_EQ(neighbors.size(), 12U);
    EXPECT_FALSE(space.find(AxisPlaces{0, 0, 0, 0, 0, 3}));
}

TEST(PointFeatures, TellMoreThan256ValuesApartByQuantiles)
{
    std::vector<std::vector<std::string>> rows;
    for (int i = 0; i < 512; ++i)
        rows.push_back({std::to_string(i)});
    const TuningSpace space = *TuningSpace::fromTexts({"A"}, rows);
    const PointFeatures features(space, {});
    ASSERT_EQ(features.count(), 1U);
    for (PointIndex point = 0; point < 512; ++point)
        EXPECT_EQ(features.codes(point)[0], point / 2) << point;
    const TuningSpace small = *TuningSpace::fromTexts({"A", "B", "C"}, {{"2", "1", "x"}, {"4", "1", "y"}, {"8", "1", "x"}});
    EXPECT_EQ(PointFeatures(small, {}).count(), 2U) << "a tunable of one value says nothing, and words have no product";
}

TEST(PointFeatures, HaveTheProductsOfPositiveNumbersAndWhatElseIsKnown)
{
    const TuningSpace space =
        *TuningSpace::fromTexts({"A", "B", "C", "Z"}, {{"1", "2", "4", "0"}, {"2", "2", "8", "1"}, {"3", "4", "8", "0"}});
    EXPECT_EQ(PointFeatures(space, {}).count(), 4U + 3 + 1) << "each alone, the pairs of three, all three; not of a tunable that may be 0";
    const PointFeatures features(space, {{"registers", {30, 10, 20}}});
    ASSERT_EQ(features.count(), 9U);
    std::vector<std::vector<int>> codes;
    for (std::size_t column = 0; column < features.count(); ++column) {
        codes.emplace_back();
        for (PointIndex point = 0; point < 3; ++point)
            codes.back().push_back(features.codes(point)[column]);
    }
    using Codes = std::vector<int>;
    EXPECT_EQ(codes[0], (Codes{0, 1, 2}));
    EXPECT_EQ(codes[1], (Codes{0, 0, 1}));
    EXPECT_EQ(codes[3], (Codes{0, 1, 0}));
    EXPECT_EQ(codes[4], (Codes{0, 1, 2})) << "A B: 2, 4, 12";
    EXPECT_EQ(codes[5], (Codes{0, 1, 2})) << "A C: 4, 16, 24";
    EXPECT_EQ(codes[6], (Codes{0, 1, 2})) << "B C: 8, 16, 32";
    EXPECT_EQ(codes[7], (Codes{0, 1, 2})) << "A B C";
    EXPECT_EQ(codes[8], (Codes{2, 0, 1}));
}

TEST(TuningSpace, ValuesOfOneNumberKeepTheirOrderAndWordsThatOfTheirAppearance)
{
    const TuningSpace space = *TuningSpace::fromTexts({"N", "W"}, {{"10", "b"}, {"9", "a"}, {"1e1", "b"}, {"-1", "c"}});
    EXPECT_EQ(space.axes()[0].values, (std::vector<std::string>{"-1", "9", "10", "1e1"}));
    EXPECT_EQ(space.axes()[0].numbers, (std::vector<double>{-1, 9, 10, 10}));
    EXPECT_EQ(space.axes()[1].values, (std::vector<std::string>{"b", "a", "c"}));
    EXPECT_EQ(space.text(3), "N=-1,W=c");
    EXPECT_EQ(space.find(space.places(2)), 2U);
}

TEST(RegressionForest, ItsTreesLeavesAndSamplesAreThoseOfItsOptions)
{
    std::vector<std::vector<std::string>> rows;
    std::vector<PointIndex> points;
    for (PointIndex point = 0; point < 8; ++point) {
        rows.push_back({std::to_string(point)});
        points.push_back(point);
    }
    const TuningSpace space = *TuningSpace::fromTexts({"A"}, rows);
    const PointFeatures features(space, {});
    const std::vector<double> values{1, 1, 1, 1, 5, 5, 9, 9};
    const auto predict = [&](const ForestOptions& options, PointIndex point) {
        RandomSource random(1);
        return RegressionForest(features, points, values, options, random).predict(features, point);
    };
    const ForestOptions exact{.trees = 3, .minLeaf = 1, .features = 1, .bootstrap = false};
    ForestOptions halves = exact;
    halves.minLeaf = 4;
    ForestOptions whole = exact;
    whole.minLeaf = 8;
    for (const PointIndex point : points) {
        EXPECT_NEAR(predict(exact, point).mean, values[point], 1e-6) << point;
        EXPECT_NEAR(predict(exact, point).deviation, 0, 1e-6) << "its trees are the same";
        EXPECT_NEAR(predict(halves, point).mean, point < 4 ? 1 : 7, 1e-6) << point;
        EXPECT_NEAR(predict(whole, point).mean, 4, 1e-6) << point;
    }
    ForestOptions sampled = exact;
    sampled.bootstrap = true;
    sampled.trees = 30;
    EXPECT_GT(predict(sampled, 5).deviation, 0.1) << "each tree has its own sample";
    sampled.trees = 1;
    EXPECT_NEAR(predict(sampled, 5).deviation, 0, 1e-6) << "one tree agrees with itself";
}

TEST(LatinHypercube, ThePointNearestToAPlaceIsAFreeOneOfTheFewestSteps)
{
    // Four places of A and two of B: a step of B is half of its values, a step of A a quarter.
    std::vector<std::vector<std::string>> rows;
    for (const char* a : {"1", "2", "3", "4"})
        for (const char* b : {"1", "2"})
            rows.push_back({a, b});
    const TuningSpace space = *TuningSpace::fromTexts({"A", "B"}, rows);
    std::vector<PointIndex> taken;
    const auto isFree = [&](PointIndex point) { return std::ranges::find(taken, point) == taken.end(); };
    const auto findNearest = [&](const AxisPlaces& wanted) {
        const std::optional<PointIndex> point = nearestPoint(space, wanted, isFree);
        return point ? space.text(*point) : std::string("none");
    };
    EXPECT_EQ(findNearest({1, 0}), "A=2,B=1");
    taken = {*space.find(AxisPlaces{1, 0})};
    EXPECT_EQ(findNearest({1, 0}), "A=1,B=1") << "the first of two that are a quarter away";
    taken.push_back(*space.find(AxisPlaces{0, 0}));
    EXPECT_EQ(findNearest({1, 0}), "A=3,B=1");
    taken.push_back(*space.find(AxisPlaces{2, 0}));
    EXPECT_EQ(findNearest({1, 0}), "A=2,B=2") << "half of B's values, as far as two steps of A";
    taken.resize(0);
    for (PointIndex point = 0; point < space.size(); ++point)
        taken.push_back(point);
    EXPECT_EQ(findNearest({1, 0}), "none");
}

} // namespace
} // namespace kl
