// SPDX-License-Identifier: MIT
#include "core/base/csv_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kl {
namespace {

using testing::ElementsAre;

TEST(CsvRows, ARecordKnowsItsLineAlsoBehindLineBreaksInQuotes)
{
    const Result<std::vector<CsvRow>> rows = csvRows("a,\"b\nc\n\"\r\n\nx,\"e \"\"f\"\"\",\n", 7, "table");
    ASSERT_TRUE(rows) << rows.error().message;
    ASSERT_EQ(rows->size(), 2U);
    EXPECT_THAT((*rows)[0].fields, ElementsAre("a", "b\nc\n"));
    EXPECT_EQ((*rows)[0].line, 7U);
    EXPECT_THAT((*rows)[1].fields, ElementsAre("x", "e \"f\"", ""));
    EXPECT_EQ((*rows)[1].line, 11U);
}

TEST(CsvRows, ASingleQuoteInsideIsOneAndTheLastLineNeedsNoEnd)
{
    const Result<std::vector<CsvRow>> rows = csvRows("\"step \"one\" of two\",x", 1, "table");
    ASSERT_TRUE(rows);
    EXPECT_THAT(rows->front().fields, ElementsAre("step \"one\" of two", "x"));
    EXPECT_TRUE(csvRows("", 1, "table")->empty());
}

TEST(CsvRows, AQuoteThatIsNeverClosedIsReportedWithTheLineOfItsRecord)
{
    const Result<std::vector<CsvRow>> rows = csvRows("a,b\nc,\"d\ne", 4, "table");
    ASSERT_FALSE(rows);
    EXPECT_EQ(rows.error().code, ErrorCode::badInput);
    EXPECT_EQ(rows.error().where, "table, line 5");
}

TEST(CsvRows, WhatIsBehindTheViewIsNotRead)
{
    for (const char* text : {"a,b", "\"a\",b"}) {
        const std::string_view view(text);
        const Result<std::vector<CsvRow>> rows = csvRows(view.substr(0, view.size() - 2), 1, "table");
        ASSERT_TRUE(rows);
        EXPECT_THAT(rows->front().fields, ElementsAre("a"));
    }
}

TEST(CsvRows, EmptyFieldsCountAndEveryKindOfLineEndEndsARecord)
{
    const Result<std::vector<CsvRow>> rows = csvRows(",\r\n\"\",\"\"\r\r\"x\"\ny", 3, "table");
    ASSERT_TRUE(rows);
    ASSERT_EQ(rows->size(), 4U);
    EXPECT_THAT((*rows)[0].fields, ElementsAre("", ""));
    EXPECT_THAT((*rows)[1].fields, ElementsAre("", ""));
    EXPECT_EQ((*rows)[1].line, 4U);
    EXPECT_THAT((*rows)[3].fields, ElementsAre("y"));
    EXPECT_EQ((*rows)[3].line, 5U);
}

} // namespace
} // namespace kl
