// SPDX-License-Identifier: MIT
#include "core/base/csv_line.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

TEST(CsvLine, QuotesWhatRfc4180Asks)
{
    EXPECT_EQ(csvLine({}), "\r\n");
    EXPECT_EQ(csvLine({"a", "", "b c"}), "a,,b c\r\n");
    EXPECT_EQ(csvLine({"a,b", "say \"hi\"", "two\nlines"}), "\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\"\r\n");
}

TEST(CsvLine, AFormulaIsTextAndANumberANumber)
{
    EXPECT_EQ(csvLine({"=1+1", "+x", "-x", "@sum"}), "'=1+1,'+x,'-x,'@sum\r\n");
    EXPECT_EQ(csvLine({"-1.5", "+2", "-1e-9"}), "-1.5,+2,-1e-9\r\n");
    EXPECT_EQ(csvLine({"=cmd,\"x\""}), "\"'=cmd,\"\"x\"\"\"\r\n");
    EXPECT_EQ(csvLine({"\x1b=1"}), csvLine({"=1"})) << "what is left out does not hide it";
}

TEST(CsvLine, ATabMayBeginAFormulaAndASignAloneIsNoNumber)
{
    EXPECT_EQ(csvLine({"\tx", "a\tb"}), "'\tx,a\tb\r\n");
    EXPECT_EQ(csvLine({"-", "+", "--1"}), "'-,'+,'--1\r\n");
    EXPECT_EQ(csvLine({"5", "a=b", "a-1", ""}), "5,a=b,a-1,\r\n") << "only the beginning matters";
    EXPECT_EQ(csvLine({"\"", ",", "\n"}), "\"\"\"\",\",\",\"\n\"\r\n");
}

} // namespace
} // namespace kl
