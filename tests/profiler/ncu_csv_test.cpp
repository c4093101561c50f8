// SPDX-License-Identifier: MIT
#include "core/base/clean_text.h"
#include "core/base/csv_rows.h"
#include "profiler/import/ncu_csv.h"
#include "profiler/import/ncu_labels.h"
#include "profiler/import/ncu_units.h"
#include "profiler/import/text_cleanup.h"
#include "tests/support/snapshot.h"
#include "tests/support/value_lines.h"

#include <gtest/gtest.h>

namespace kl::test {
namespace {

const std::string kHead =
    R"("ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC")";
const std::string kLaunch = R"csv("0","7","app","host","k(int)","1","2","(64, 2, 1)","(8, 1, 1)","0","8.9")csv";

TEST(NcuCsv, RawPagesScaleBackToBaseUnits)
{
    const std::string page = kHead + R"(,"gpu__time_duration.sum","dram__bytes.sum.per_second","launch__mode","none.sum")" + "\n" +
                             R"("","","","","","","","","","","","us","Gbyte/s","","%")" + "\n" + kLaunch +
                             R"(,"1,265.50","3.5","a ""word"", two","")" + "\r\n";
    const Result<ImportedFile> file = readNcuCsv("==PROF== Connected to process 7\n" + page + "==PROF== Disconnected\n", "raw.csv");
    ASSERT_TRUE(file.ok()) << file.error().message;
    ASSERT_EQ(file->results.size(), 1u);
    const ImportedResult& result = file->results[0];
    EXPECT_DOUBLE_EQ(result.values.at("gpu__time_duration.sum").value(), 1'265'500);
    EXPECT_DOUBLE_EQ(result.values.at("dram__bytes.sum.per_second").value(), 3.5e9);
    EXPECT_EQ(result.facts.texts.at("launch__mode"), "a \"word\", two");
    EXPECT_FALSE(result.values.at("none.sum").has_value());
    EXPECT_NE(result.missing.at("none.sum"), "");
    EXPECT_EQ(result.facts.block, (std::vector<int>{64, 2, 1}));
    EXPECT_EQ(result.facts.pid, 7);
    EXPECT_EQ(result.device.ccMajor, 8);
    EXPECT_EQ(result.device.ccMinor, 9);
    EXPECT_EQ(result.facts.format, "ncu-csv-raw");
}

TEST(NcuCsv, TheDeviceIsReadFromItsAttributes)
{
    const std::vector<std::pair<const char*, const char*>> attributes{{"display_name", "A GPU"},
                                                                      {"compute_capability_major", "10"},
                                                                      {"compute_capability_minor", "3"},
                                                                      {"multiprocessor_count", "148"},
                                                                      {"total_memory", "192,000,000,000"},
                                                                      {"l2_cache_size", "132,644,864"},
                                                                      {"max_shared_memory_per_block_optin", "232,448"},
                                                                      {"max_shared_memory_per_multiprocessor", "233,472"},
                                                                      {"reserved_shared_memory_per_block", "1,024"},
                                                                      {"max_threads_per_multiprocessor", "2,048"},
                                                                      {"max_blocks_per_multiprocessor", "32"},
                                                                      {"max_registers_per_multiprocessor", "65,536"},
                                                                      {"global_memory_bus_width", "8,192"},
                                                                      {"max_gpu_frequency_khz", "1,965,000"},
                                                                      {"memory_clock_rate", "3,996,000"}};
    std::string head = kHead;
    std::string row = kLaunch;
    for (const auto& [name, value] : attributes) {
        head += std::string(",\"device__attribute_") + name + '"';
        row += std::string(",\"") + value + '"';
    }
    const Result<ImportedFile> file = readNcuCsv(head + '\n' + row + '\n', "device.csv");
    ASSERT_TRUE(file.ok()) << file.error().message;
    DeviceInfo expected;
    expected.name = "A GPU";
    expected.ccMajor = 10;
    expected.ccMinor = 3;
    expected.smCount = 148;
    expected.memoryBytes = 192'000'000'000;
    expected.l2Bytes = 132'644'864;
    expected.smemPerBlockOptin = 232'448;
    expected.smemPerSm = 233'472;
    expected.smemReservedPerBlock = 1024;
    expected.maxThreadsPerSm = 2048;
    expected.maxBlocksPerSm = 32;
    expected.regsPerSm = 65'536;
    expected.memoryBusBits = 8192;
    expected.clockMhz = 1965;
    expected.memoryClockMhz = 3996;
    EXPECT_EQ(file->results[0].device, expected);
}

TEST(NcuCsv, DetailsPagesNameMetricsAndKeepRules)
{
    const std::string head =
        kHead +
        R"(,"Section Name","Metric Name","Metric Unit","Metric Value","Rule Name","Rule Type","Rule Description","Estimated Speedup Type","Estimated Speedup")" +
        "\n";
    const std::string page = head + kLaunch + R"(,"GPU Speed Of Light Throughput","Duration","us","2.50",)" + "\n" + kLaunch +
                             R"(,"GPU Speed Of Light Throughput","Something New","%","5",)" + "\n" + kLaunch +
                             R"csv(,"Occupancy","Waves (launch__waves_per_multiprocessor)","","0.5",)csv" + "\n" + kLaunch +
                             R"(,"Occupancy","","","","AchievedOccupancy","OPT","Two
lines","global","12.5")" + "\n";
    const Result<ImportedFile> file = readNcuCsv(page, "details.csv");
    ASSERT_TRUE(file.ok()) << file.error().message;
    ASSERT_EQ(file->results.size(), 1u);
    const ImportedResult& result = file->results[0];
    EXPECT_DOUBLE_EQ(result.values.at("gpu__time_duration.sum").value(), 2500);
    EXPECT_DOUBLE_EQ(result.values.at("GPU Speed Of Light Throughput: Something New").value(), 5);
    EXPECT_DOUBLE_EQ(result.values.at("launch__waves_per_multiprocessor").value(), 0.5);
    ASSERT_EQ(result.facts.rules.size(), 1u);
    EXPECT_EQ(result.facts.rules[0].kind, "optimization");
    EXPECT_EQ(result.facts.rules[0].text, "Two\nlines");
    EXPECT_DOUBLE_EQ(result.facts.rules[0].speedupPercent.value_or(0), 12.5);
}

TEST(NcuCsv, LaunchesOfTwoProcessesWithOneIdStayApart)
{
    const std::string other = R"csv("0","8","app","host","k(int)","1","2","(64, 2, 1)","(8, 1, 1)","0","8.9")csv";
    const std::string page = kHead + R"(,"Section Name","Metric Name","Metric Unit","Metric Value")" + "\n" + kLaunch +
                             R"(,"GPU Speed Of Light Throughput","Duration","us","2")" + "\n" + other +
                             R"(,"GPU Speed Of Light Throughput","Duration","us","5")" + "\n" + kLaunch +
                             R"csv(,"Occupancy","Waves (launch__waves_per_multiprocessor)","","0.5")csv" + "\n";
    const Result<ImportedFile> file = readNcuCsv(page, "two.csv");
    ASSERT_TRUE(file.ok()) << file.error().message;
    ASSERT_EQ(file->results.size(), 2u);
    EXPECT_EQ(file->results[0].facts.pid, 7);
    EXPECT_EQ(file->results[0].values.size(), 2u);
    EXPECT_DOUBLE_EQ(file->results[0].values.at("gpu__time_duration.sum").value(), 2000);
    EXPECT_EQ(file->results[1].facts.pid, 8);
    EXPECT_DOUBLE_EQ(file->results[1].values.at("gpu__time_duration.sum").value(), 5000);
}

TEST(NcuCsv, AMetricIsAFigureOrAWordNeverBoth)
{
    const std::string page =
        kHead + R"(,"a__b","a__b","c__d","e__f","g__h")" + "\n" + kLaunch + R"(,"word","3","8 of 9","3.5x","0x10")" + "\n";
    const Result<ImportedFile> file = readNcuCsv(page, "twice.csv");
    ASSERT_TRUE(file.ok()) << file.error().message;
    EXPECT_EQ(file->results[0].facts.texts.at("a__b"), "word");
    EXPECT_FALSE(file->results[0].values.contains("a__b"));
    EXPECT_EQ(file->results[0].facts.texts.at("c__d"), "8 of 9") << "a figure is one as a whole";
    EXPECT_EQ(file->results[0].facts.texts.at("e__f"), "3.5x");
    EXPECT_EQ(file->results[0].facts.texts.at("g__h"), "0x10");
}

struct OddTable {
    const char* name;
    std::string text;
    const char* where;   ///< of the error
    const char* figures; ///< of its message
};

std::vector<OddTable> oddTables()
{
    return {{"too few fields", kHead + "\n\"0\",\"1\"\n", "odd.csv, line 2", "2 2 11"},
            {"too many fields", kHead + "\n" + kLaunch + ",\"more\"\n", "odd.csv, line 2", "2 12 11"},
            {"an open quote", kHead + "\n" + kLaunch + "\n\"0\",\"open", "odd.csv, line 3", "3"},
            {"no kernel", kHead + "\n", "odd.csv", ""},
            {"no table", "nothing of the kind", "odd.csv", ""}};
}

TEST(NcuCsv, ATableThatStopsMakingSenseIsAnErrorWithItsLine)
{
    for (const OddTable& entry : oddTables()) {
        const Result<ImportedFile> file = readNcuCsv(entry.text, "odd.csv");
        ASSERT_FALSE(file.ok()) << entry.name;
        EXPECT_EQ(file.error().code, ErrorCode::badInput);
        EXPECT_EQ(valueText(file.error().message), '"' + std::string(entry.figures) + '"') << entry.name;
        EXPECT_FALSE(file.error().hint.empty()) << entry.name;
        EXPECT_EQ(file.error().where, entry.where) << entry.name;
    }
}

TEST(NcuCsv, TextsSnapshot)
{
    std::string text;
    for (const OddTable& entry : oddTables()) {
        const Error error = readNcuCsv(entry.text, "odd.csv").error();
        text += std::string(entry.name) + ": " + error.message + " | " + error.hint + '\n';
    }
    const Result<ImportedFile> file =
        readNcuCsv(kHead + ",\"none.sum\",\"word.sum\",\"endless.sum\"\n" + kLaunch + ",\"\",\"n/a\",\"inf\"\n", "none.csv");
    ASSERT_TRUE(file.ok()) << file.error().message;
    for (const auto& [metric, reason] : file->results[0].missing)
        text += metric + ": " + reason + '\n';
    for (const auto& warning : file->results[0].warnings)
        text += warning.code + ": " + warning.text + '\n';
    expectSnapshot("texts/ncu-csv.txt", text);
}

TEST(NcuCsv, PagesOneBehindTheOtherInOneFileAreReadEach)
{
    const auto page = [](const char* metric, const char* unit) {
        return kHead + ",\"" + metric + "\"\n" + R"("","","","","","","","","","","",")" + unit + "\"\n" + kLaunch + ",\"2\"\n";
    };
    const Result<ImportedFile> file = readNcuCsv(page("a__b.sum", "us") + page("c__d.sum", "Kbyte"), "both.csv");
    ASSERT_TRUE(file.ok()) << file.error().message;
    ASSERT_EQ(file->results.size(), 2u);
    EXPECT_DOUBLE_EQ(file->results[0].values.at("a__b.sum").value(), 2000) << "microseconds";
    EXPECT_DOUBLE_EQ(file->results[1].values.at("c__d.sum").value(), 2000) << "kilobytes, by its own units";
    EXPECT_EQ(file->results[1].facts.index, 1);
    EXPECT_EQ(file->results[1].facts.kernel, "k(int)");
    EXPECT_TRUE(file->results[1].warnings.empty());
    EXPECT_EQ(readNcuCsv(kHead + "\n" + page("a__b.sum", "us"), "second.csv")->results.size(), 1u) << "the first page has no kernel";
}

TEST(NcuCsv, FiguresWithoutUnitsAreReportedToBe)
{
    const Result<ImportedFile> file = readNcuCsv(kHead + ",\"a__b.sum\"\n" + kLaunch + ",\"2\"\n", "plain.csv");
    ASSERT_TRUE(file.ok()) << file.error().message;
    EXPECT_DOUBLE_EQ(file->results[0].values.at("a__b.sum").value(), 2);
    ASSERT_EQ(file->results[0].warnings.size(), 1u);
    EXPECT_EQ(file->results[0].warnings[0].code, "no-units");
}

TEST(NcuCsv, ARowTellsWhichLaunchItIsAbout)
{
    const auto only = [](const std::string& row) {
        const Result<ImportedFile> file = readNcuCsv(kHead + "\n" + row + "\n", "row.csv");
        EXPECT_TRUE(file.ok()) << file.error().message;
        return file ? file->results.at(0) : ImportedResult();
    };
    const ImportedResult kernel = only(kLaunch);
    EXPECT_EQ(kernel.facts.kind, "kernel");
    EXPECT_EQ(kernel.facts.kernel, "k(int)");
    EXPECT_EQ(kernel.facts.process, "app");
    EXPECT_EQ(kernel.facts.host, "host");
    EXPECT_EQ(kernel.facts.context, 1);
    EXPECT_EQ(kernel.facts.stream, 2);
    EXPECT_EQ(kernel.facts.grid, (std::vector<int>{8, 1, 1}));
    EXPECT_EQ(kernel.facts.tool, "Nsight Compute");
    EXPECT_TRUE(kernel.values.empty() && kernel.facts.texts.empty()) << "none of these columns is a metric";
    const ImportedResult blackwell = only(R"csv("0","1,234","app","host","k(int)","1","2","(64, 2, 1)","(-8, 1, 1)","0","12.0")csv");
    EXPECT_EQ(blackwell.device.ccMajor, 12);
    EXPECT_EQ(blackwell.device.ccMinor, 0);
    EXPECT_EQ(blackwell.facts.pid, 1234);
    EXPECT_EQ(blackwell.facts.grid[0], 0);
    const ImportedResult graph = only(R"csv("0","7","app","host","graph","1","2","","","0","")csv");
    EXPECT_EQ(graph.facts.kind, "graph");
    EXPECT_EQ(graph.device.ccMajor, 0);
    const ImportedResult range = only(R"csv("0","x","app","host","range","1","2","(64, 2)","(1, 1, 1)","0","9")csv");
    EXPECT_EQ(range.facts.kind, "range");
    EXPECT_TRUE(range.facts.block.empty());
    EXPECT_EQ(range.facts.pid, 0);
    EXPECT_EQ(range.device.ccMajor, 0) << "without a minor number it is unknown";
}

TEST(NcuCsv, ATableIsFoundBehindAMarkAndOtherLines)
{
    const std::string page = kHead + "\n" + kLaunch + "\n";
    EXPECT_TRUE(isNcuCsv(page));
    EXPECT_TRUE(isNcuCsv("\xEF\xBB\xBF" + page));
    EXPECT_TRUE(isNcuCsv("==PROF== Connected\n" + page));
    EXPECT_FALSE(isNcuCsv("x" + page));
    EXPECT_FALSE(isNcuCsv("\xEF\xBB\xBFx" + page));
    EXPECT_FALSE(isNcuCsv(""));
    EXPECT_EQ(readNcuCsv("\xEF\xBB\xBF" + page, "x")->results.size(), 1U);
    EXPECT_EQ(readNcuCsv(page + "==PROF== Disconnected\n", "x")->results.size(), 1U);
    const Result<ImportedFile> cut = readNcuCsv("one\ntwo\n" + kHead + "\n\"0\",\"1\"\n", "x.csv");
    ASSERT_FALSE(cut);
    EXPECT_EQ(cut.error().where, "x.csv, line 4");
    EXPECT_FALSE(cut.error().hint.empty());
}

TEST(NcuCsv, WhatIsNoValueHasItsReason)
{
    const std::string page = kHead + R"(,"a__a","b__b","c__c","d__d","e__e","Thread:Domain:Push","Kernel Time")" + "\n" + kLaunch +
                             R"csv(,"no data","n/a","(!) nan","(!) n/a","-1.5e3","range","2026-Nov-27")csv" + "\n";
    const Result<ImportedFile> file = readNcuCsv(page, "none.csv");
    ASSERT_TRUE(file.ok()) << file.error().message;
    const ImportedResult& result = file->results[0];
    for (const char* name : {"a__a", "b__b", "c__c", "d__d"})
        EXPECT_TRUE(result.values.contains(name) && !result.values.at(name) && result.missing.contains(name)) << name;
    EXPECT_EQ(result.values.at("e__e"), -1500);
    EXPECT_FALSE(result.values.contains("Thread:Domain:Push") || result.facts.texts.contains("Thread:Domain:Push"));
    EXPECT_FALSE(result.values.contains("Kernel Time") || result.facts.texts.contains("Kernel Time"));
}

TEST(NcuCsv, RulesHaveTheirKinds)
{
    const std::string head = kHead +
                             R"(,"Section Name","Metric Name","Metric Unit","Metric Value",)"
                             R"("Rule Name","Rule Type","Rule Description","Estimated Speedup Type","Estimated Speedup")" +
                             "\n";
    std::string page = head;
    for (const char* type : {"OPT", "WRN", "ERR", "INF", "NEW"})
        page += kLaunch + R"(,"Occupancy","","","","Rule",")" + type + "\",\"text\",\"local\",\"\"\n";
    page += kLaunch + R"(,"Occupancy","","","")" + "\n";
    const Result<ImportedFile> file = readNcuCsv(page, "rules.csv");
    ASSERT_TRUE(file.ok()) << file.error().message;
    EXPECT_EQ(file->results[0].facts.format, "ncu-csv-details");
    std::string kinds;
    for (const RuleResult& rule : file->results[0].facts.rules) {
        kinds += rule.kind + ' ';
        EXPECT_FALSE(rule.speedupPercent);
        EXPECT_EQ(rule.speedupScope, "") << "of no estimate";
        EXPECT_EQ(rule.section, "Occupancy");
        EXPECT_EQ(rule.title, "Rule");
    }
    EXPECT_EQ(kinds, std::string("optimization") + " warning error info  ");
    EXPECT_TRUE(file->results[0].values.empty());
}

TEST(NcuCsv, QuotesThatNcuForgetsToDoubleStay)
{
    const Result<std::vector<CsvRow>> rows = csvRows("\"a \"word\" in\",\"\"\"b\"\"\"\n\"c\",\"d\"", 1, "odd");
    ASSERT_TRUE(rows.ok()) << rows.error().message;
    ASSERT_EQ(rows->size(), 2u);
    EXPECT_EQ((*rows)[0].fields, (std::vector<std::string>{"a \"word\" in", "\"b\""}));
    EXPECT_EQ((*rows)[1].fields, (std::vector<std::string>{"c", "d"}));
}

TEST(NcuUnits, FactorsAreThoseOfThePages)
{
    const std::pair<const char*, double> cases[] = {{"us", 1e3},
                                                    {"ms", 1e6},
                                                    {"Gbyte", 1e9},
                                                    {"Tbyte/s", 1e12},
                                                    {"Ghz", 1e9},
                                                    {"sector/ns", 1e9},
                                                    {"Kbyte/block", 1e3},
                                                    {"%/Kbyte", 1e3},
                                                    {"inst/cycle", 1},
                                                    {"%", 1},
                                                    {"", 1},
                                                    {"byte", 1},
                                                    {"cycle/nsecond", 1e9},
                                                    {"usecond", 1e3},
                                                    {"Gbyte/second", 1e9},
                                                    {"Threads", 1},
                                                    {"Mbyte", 1e6},
                                                    {"Pbyte", 1e15},
                                                    {"Khz", 1e3},
                                                    {"s", 1e9},
                                                    {"ns", 1},
                                                    {"sector/ms", 1e3},
                                                    {"/", 1}};
    for (const auto& [unit, factor] : cases)
        EXPECT_DOUBLE_EQ(baseUnitFactor(unit), factor) << unit;
}

TEST(NcuText, MarkupBecomesWords)
{
    EXPECT_EQ(withoutMarkup("See @section:Occupancy:Occupancy@ and @url:Guide:https://x/y#z@."),
              "See Occupancy and Guide (https://x/y#z).");
    EXPECT_EQ(withoutMarkup("a@b.c, d@e and @"), "a@b.c, d@e and @");
    EXPECT_EQ(withoutMarkup("@section:only"), "@section:only");
    EXPECT_EQ(withoutMarkup("@section:only@ and @url:only@"), "@section:only@ and @url:only@");
    EXPECT_EQ(withoutMarkup("x@y @section:A:B@"), "x@y B");
    EXPECT_EQ(withoutMarkup("@section:A:B@@section:C:D@"), "BD");
    EXPECT_EQ(withoutMarkup("@url:Guide:a:b@"), "Guide (a:b)");
    EXPECT_EQ(withoutMarkup("@url::https://x@"), " (https://x)");
    EXPECT_EQ(withoutMarkup("@other:A:B@ @"), "@other:A:B@ @");
    EXPECT_EQ(withoutMarkup(""), "");
    EXPECT_EQ(withoutMarkup("@@"), "@@");
}

TEST(NcuText, OnlyWellFormedUtf8Stays)
{
    EXPECT_EQ(cleanText("h\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"), "h\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
    EXPECT_EQ(cleanText("\xC0\xAF\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
    EXPECT_EQ(cleanText(std::string_view("a\0b\n\x7F", 5)), "ab\n");
}

} // namespace
} // namespace kl::test
