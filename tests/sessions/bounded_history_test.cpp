// SPDX-License-Identifier: MIT
// What the window's pages read of a history does not grow with the database.
#include "sessions/learning/history.h"
#include "sessions/store/sqlite.h"
#include "tests/support/store_support.h"
#include "tests/support/synthetic_history.h"

namespace kl {
namespace {

constexpr int kNewest = 10;

struct Read {
    History history;
    std::int64_t statements = 0;
    std::int64_t rows = 0;
};

/// The newest ten of so many sessions and runs.
Read readNewest(std::int64_t sessions, std::int64_t runs)
{
    const auto store = support::openStore(":memory:");
    EXPECT_TRUE(support::writeSynthetic(*store, {.runs = runs, .metricValues = 0, .sessions = sessions, .seed = 3}));
    const sqlite::WorkDone before = sqlite::readWorkDone();
    Result<History> history = loadHistory(*store, kNewest);
    const sqlite::WorkDone after = sqlite::readWorkDone();
    EXPECT_TRUE(history);
    return {history ? std::move(*history) : History{}, after.statements - before.statements, after.rows - before.rows};
}

TEST(BoundedHistory, ReadsTheNewestAndSaysThatThereAreMore)
{
    const Read read = readNewest(25, 40);
    ASSERT_EQ(read.history.rows.size(), static_cast<std::size_t>(kNewest));
    EXPECT_TRUE(read.history.more);
    EXPECT_EQ(read.history.rows.back().name, "synthetic 25");
    EXPECT_EQ(read.history.rows.front().name, "synthetic 16");
    EXPECT_FALSE(readNewest(10, 40).history.more);
    EXPECT_EQ(readNewest(4, 40).history.rows.size(), 4U);
}

TEST(BoundedHistory, FourTimesTheSessionsAndRunsCostHardlyMoreQueriesOrRows)
{
    // Regressions read the newest 5,000 runs: both databases have more.
    const Read small = readNewest(20, 5200);
    const Read large = readNewest(80, 10400);
    EXPECT_LE(large.statements, 1.1 * small.statements);
    EXPECT_LE(large.rows, 1.1 * small.rows);
}

} // namespace
} // namespace kl
