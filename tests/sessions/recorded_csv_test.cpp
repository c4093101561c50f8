// SPDX-License-Identifier: MIT
// Recorded spaces in CSV files, as we write them and as people do.
#include "sessions/search/recorded_export.h"
#include "sessions/search/recorded_file.h"
#include "sessions/search/recorded_listing.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

Result<RecordedSpace> read(const std::string& text)
{
    return parseRecordedSpace(text, "k.csv");
}

TEST(RecordedCsv, ReadsWhatPeopleWrite)
{
    const Result<RecordedSpace> recorded = read("\xEF\xBB\xBFtime_ms, B ,A\n\n 3.5, x,2\n,\"y, z\",1\n\n1e1,x, 1 \n");
    ASSERT_TRUE(recorded) << recorded.error().message;
    ASSERT_EQ(recorded->space.size(), 3U);
    EXPECT_EQ(recorded->space.text(0), "B=x,A=2");
    EXPECT_EQ(recorded->space.text(1), "B=y, z,A=1");
    EXPECT_EQ(recorded->values, (std::vector<std::optional<double>>{3.5, std::nullopt, 10}));
    EXPECT_EQ(recorded->failures[1], kNoTime);
    EXPECT_EQ(recorded->costs, (std::vector<double>{0, 0, 0})) << "not known";
    EXPECT_FALSE(recorded->space.axes()[1].numbers.empty()) << "A has numbers";
}

TEST(RecordedCsv, WhatASpreadsheetWouldReadAsAFormulaComesBack)
{
    const Result<RecordedSpace> recorded = read("A,time_ms,failure\r\n=1+1,1,\r\n@x,,-failed,\r\n");
    EXPECT_FALSE(recorded) << "four cells";
    const Result<RecordedSpace> odd = parseRecordedSpace(
        R"({"results": [{"configuration": {"A": "=1+1"}, "measurements": [{"name": "time", "value": 1}]},
                        {"configuration": {"A": "-O3 \"x\", y"}, "invalidity": "@why"}]})",
        "odd.json");
    ASSERT_TRUE(odd) << odd.error().message;
    const Result<RecordedSpace> back = read(formatRecorded(*odd, RecordedFormat::csv));
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(back->space.text(0), odd->space.text(0));
    EXPECT_EQ(back->space.text(1), odd->space.text(1));
    EXPECT_EQ(back->failures, odd->failures);
    EXPECT_EQ(back->values, odd->values);
}

struct BadCsv {
    const char* text;
    const char* where;
};

class RecordedCsvFault : public testing::TestWithParam<BadCsv> {};

TEST_P(RecordedCsvFault, IsNamedWithItsPlace)
{
    const Result<RecordedSpace> recorded = read(GetParam().text);
    ASSERT_FALSE(recorded);
    EXPECT_EQ(recorded.error().code, ErrorCode::badInput);
    EXPECT_EQ(recorded.error().where, GetParam().where) << recorded.error().message;
    EXPECT_FALSE(recorded.error().hint.empty());
}

INSTANTIATE_TEST_SUITE_P(All, RecordedCsvFault,
                         testing::Values(BadCsv{"", "k.csv"}, BadCsv{"\n\n", "k.csv"}, //
                                         BadCsv{"A,time\n1,2\n", "k.csv, line 1"}, BadCsv{"A;time_ms\n1;2\n", "k.csv, line 1"},
                                         BadCsv{"time_ms,cost_s\n1,2\n", "k.csv, line 1"}, BadCsv{"A,,time_ms\n1,2,3\n", "k.csv, line 1"},
                                         BadCsv{"A,A,time_ms\n1,2,3\n", "k.csv, line 1"}, BadCsv{"A,time_ms\n", "k.csv"},
                                         BadCsv{"A,time_ms\n1,2\n2,3,5\n", "k.csv, line 3"}, //
                                         BadCsv{"A,time_ms\n1,2\n2\n", "k.csv, line 3"},
                                         BadCsv{"A,time_ms\n1,2\n2,fast\n", "k.csv, line 3, column time_ms"},
                                         BadCsv{"A,time_ms\n1,0\n", "k.csv, line 2, column time_ms"},
                                         BadCsv{"A,time_ms\n1,nan\n", "k.csv, line 2, column time_ms"},
                                         BadCsv{"A,time_ms\n1,1e999\n", "k.csv, line 2, column time_ms"},
                                         BadCsv{"A,time_ms,cost_s\n1,1,-1\n", "k.csv, line 2, column cost_s"},
                                         BadCsv{"A,time_ms,cost_s\n1,1,1e999\n", "k.csv, line 2, column cost_s"},
                                         BadCsv{"A,time_ms,cost_s\n1,1,2s\n", "k.csv, line 2, column cost_s"},
                                         BadCsv{"A,time_ms,cost_s\n1,1,1e99\n", "k.csv"}, //
                                         BadCsv{"A,time_ms\n\"1\n2\",1\n,2\n", "k.csv, line 4"},
                                         BadCsv{"A,time_ms,failure\n1,1,why\n", "k.csv, line 2"},
                                         BadCsv{"A,time_ms\n1,1\n2,2\n1,3\n", "k.csv, line 4"}, //
                                         BadCsv{"A,time_ms\n1,\n2,\n", "k.csv"}, BadCsv{"A,time_ms\n\"1,2\n", "k.csv, line 2"}));

TEST(RecordedCsv, ACostMayBeNothingAndIsInSeconds)
{
    const Result<RecordedSpace> recorded = read("A,cost_s,time_ms,failure\n1,0,2,\n2,1.5,,it faults\n3,,4,\n");
    ASSERT_TRUE(recorded) << recorded.error().message;
    EXPECT_EQ(recorded->costs, (std::vector<double>{0, 1.5, 0}));
    EXPECT_EQ(recorded->failures, (std::vector<std::string>{"", "it faults", ""}));
    EXPECT_EQ(recorded->values, (std::vector<std::optional<double>>{2, std::nullopt, 4}));
}

TEST(RecordedCsv, AnApostropheStaysWhereNoFormulaFollows)
{
    const Result<RecordedSpace> recorded = read("A,time_ms\n'x,1\n'=x,2\n'+x,3\n'-x,4\n'@x,5\n',6\n");
    ASSERT_TRUE(recorded) << recorded.error().message;
    const char* texts[] = {"A='x", "A==x", "A=+x", "A=-x", "A=@x", "A='"};
    for (PointIndex point = 0; point < 6; ++point)
        EXPECT_EQ(recorded->space.text(point), texts[point]);
}

} // namespace
} // namespace kl
