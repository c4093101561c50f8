// SPDX-License-Identifier: MIT
#include "core/base/result.h"

#include "core/base/try.h"

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace kl {
namespace {

struct Counted {
    explicit Counted(int& alive) : alive_(&alive) { ++*alive_; }
    Counted(const Counted& other) : alive_(other.alive_) { ++*alive_; }
    Counted(Counted&& other) noexcept : alive_(other.alive_) { ++*alive_; }
    Counted& operator=(const Counted&) = delete;
    ~Counted() { --*alive_; }

private:
    int* alive_;
};

Error refusal()
{
    return Error{.code = ErrorCode::refused, .message = "not now", .hint = "wait", .where = "gate"};
}

TEST(Result, DestroysTheValueOfEachCopyOnce)
{
    int alive = 0;
    {
        Result<Counted> first(Counted{alive});
        Result<Counted> second = first;
        EXPECT_EQ(alive, 2);
        Result<Counted> moved = std::move(first);
        EXPECT_EQ(alive, 3); // a value that was moved from is still to be destroyed
        second = refusal();
        EXPECT_FALSE(second);
        EXPECT_EQ(alive, 2);
        second = moved;
        EXPECT_TRUE(second);
        EXPECT_EQ(alive, 3);
    }
    EXPECT_EQ(alive, 0);
}

TEST(Result, KeepsItsErrorThroughCopiesAndAssignments)
{
    Result<std::string> failed = refusal();
    const Result<std::string> copy = failed;
    EXPECT_EQ(copy.error(), refusal());
    failed = Result<std::string>("value");
    ASSERT_TRUE(failed);
    EXPECT_EQ(*failed, "value");
    EXPECT_EQ(copy.error(), refusal());
    failed = copy;
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error(), refusal());
    auto& self = failed;
    failed = self;
    EXPECT_EQ(failed.error(), refusal());
}

TEST(Result, LeavesNoValueBehindAnErrorThatWasMovedAway)
{
    Result<std::vector<int>> from = refusal();
    const Result<std::vector<int>> to = std::move(from);
    EXPECT_FALSE(from.ok()); // NOLINT(bugprone-use-after-move): this is what the test is about
    EXPECT_EQ(to.error(), refusal());
}

TEST(Result, HoldsWhatCanOnlyBeMoved)
{
    Result<std::unique_ptr<int>> made = std::make_unique<int>(7);
    ASSERT_TRUE(made);
    const std::unique_ptr<int> taken = *std::move(made);
    EXPECT_EQ(*taken, 7);
}

const Result<std::vector<int>>& keptFor(bool found)
{
    static const Result<std::vector<int>> numbers = std::vector<int>{1, 2, 3};
    static const Result<std::vector<int>> none = refusal();
    return found ? numbers : none;
}

Result<std::size_t> countKept(bool found)
{
    KL_ASSIGN(const std::vector<int>* numbers, pointerTo(keptFor(found)));
    return numbers->size();
}

TEST(PointerTo, IsWhereTheValueLivesOrItsError)
{
    const Result<const std::vector<int>*> there = pointerTo(keptFor(true));
    ASSERT_TRUE(there);
    EXPECT_EQ(*there, &*keptFor(true));
    EXPECT_EQ(pointerTo(keptFor(false)).error(), refusal());
    EXPECT_EQ(keptFor(false).error(), refusal()) << "it was copied";
    const Result<std::size_t> size = countKept(true);
    ASSERT_TRUE(size);
    EXPECT_EQ(*size, 3U);
    EXPECT_EQ(countKept(false).error(), refusal());
}

TEST(Status, IsSuccessUntilItHoldsAnError)
{
    Status status;
    EXPECT_TRUE(status);
    status = refusal();
    ASSERT_FALSE(status);
    const Status copy = status;
    EXPECT_EQ(copy.error(), refusal());
    status = Status();
    EXPECT_TRUE(status);
    EXPECT_EQ(copy.error(), refusal());
}

} // namespace
} // namespace kl
