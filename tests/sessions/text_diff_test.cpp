// SPDX-License-Identifier: MIT
#include "sessions/edit/text_diff.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

TEST(TextDiff, EqualTextsHaveNone)
{
    EXPECT_EQ(diffTexts("k.cu", "a\nb\n", "a\nb\n").unified, "");
}

TEST(TextDiff, AChangedLineStandsInThreeLinesOfContext)
{
    const TextDiff diff = diffTexts("k.cu", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n");
    EXPECT_EQ(diff.added, 1U);
    EXPECT_EQ(diff.removed, 1U);
    EXPECT_EQ(diff.unified, "--- a/k.cu\n+++ b/k.cu\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST(TextDiff, ChangesFarApartAreHunksOfTheirOwn)
{
    std::string before;
    for (int i = 1; i <= 20; ++i)
        before += std::to_string(i) + '\n';
    const TextDiff diff = diffTexts("k", before, "0\n" + before.substr(0, before.size() - 3));
    EXPECT_EQ(diff.unified, "--- a/k\n+++ b/k\n@@ -1,3 +1,4 @@\n+0\n 1\n 2\n 3\n@@ -17,4 +18,3 @@\n 17\n 18\n 19\n-20\n");
}

TEST(TextDiff, AMissingLineEndIsADifference)
{
    EXPECT_EQ(diffTexts("k", "a\n", "a").unified, "--- a/k\n+++ b/k\n@@ -1,1 +1,1 @@\n-a\n+a\n\\ No newline at end of file\n");
    EXPECT_EQ(diffTexts("k", "", "a\n").unified, "--- a/k\n+++ b/k\n@@ -0,0 +1,1 @@\n+a\n");
}

TEST(TextDiff, LinesThatStayAreNoDifferenceInALongText)
{
    std::string before;
    std::string after;
    for (int i = 0; i < 20'000; ++i) {
        before += "line " + std::to_string(i % 500) + '\n';
        after += i % 100 == 99 ? "new\n" : "line " + std::to_string(i % 500) + '\n';
    }
    const TextDiff diff = diffTexts("k", before, after);
    EXPECT_EQ(diff.added, 200U);
    EXPECT_EQ(diff.removed, 200U);
}

TEST(TextDiff, AnEmptyTextHasNoLines)
{
    const TextDiff gone = diffTexts("k", "a\nb\n", "");
    EXPECT_EQ(gone.unified, "--- a/k\n+++ b/k\n@@ -1,2 +0,0 @@\n-a\n-b\n");
    EXPECT_EQ(gone.removed, 2U);
    EXPECT_EQ(gone.added, 0U);
}

TEST(TextDiff, ChangesNearEachOtherShareAHunk)
{
    const auto hunks = [](int apart) {
        std::string before, after;
        for (int i = 0; i < 20; ++i) {
            const std::string line = "line " + std::to_string(i) + '\n';
            before += line;
            after += i == 2 || i == 3 + apart ? "new " + line : line;
        }
        const std::string text = diffTexts("k", before, after).unified;
        std::size_t count = 0;
        for (std::size_t at = text.find("@@ -"); at != std::string::npos; at = text.find("@@ -", at + 1))
            ++count;
        return count;
    };
    EXPECT_EQ(hunks(5), 1U);
    EXPECT_EQ(hunks(7), 2U) << "more than two contexts apart";
}

} // namespace
} // namespace kl
