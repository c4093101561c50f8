// SPDX-License-Identifier: MIT
// Real reports against the CSV pages that ncu itself exported of them, and reports that are damaged in every way.
#include "core/base/csv_rows.h"
#include "profiler/import/ncu_csv.h"
#include "profiler/import/ncu_report.h"
#include "profiler/import/ncu_units.h"
#include "tests/support/real_reports.h"
#include "tests/support/snapshot.h"
#include "tests/support/value_lines.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <gmock/gmock.h>
#include <set>

namespace kl::test {
namespace {

using testing::HasSubstr;

/// Value of the digit that a printed figure ends with: 0.01 of "1,234.56".
double lastDigit(const std::string& printed)
{
    const std::size_t dot = printed.find('.');
    return dot == std::string::npos ? 1 : std::pow(10.0, -static_cast<double>(printed.size() - dot - 1));
}

/// Whether a figure of the report is what the page prints in `unit`, to half of the last digit that it prints.
bool printedAs(double value, std::string printed, const std::string& unit)
{
    std::erase(printed, ',');
    double figure = 0;
    std::from_chars(printed.data(), printed.data() + printed.size(), figure);
    const double scaled = value / baseUnitFactor(unit);
    return std::abs(scaled - figure) <= 0.5001 * lastDigit(printed) + 1e-12 * std::abs(figure);
}

class EveryReport : public testing::TestWithParam<std::string> {};

TEST_P(EveryReport, GivesEveryMetricOfItsRawPageValueForValue)
{
    const Result<ImportedFile> report = readNcuReport(ncuData(GetParam() + ".ncu-rep"), GetParam());
    ASSERT_TRUE(report.ok()) << report.error().message;
    const Result<std::vector<CsvRow>> rows = csvRows(ncuData(GetParam() + "_raw.csv"), 1, "raw");
    ASSERT_TRUE(rows.ok());
    const std::vector<std::string>& names = (*rows)[0].fields;
    const std::vector<std::string>& units = (*rows)[1].fields;
    ASSERT_EQ(rows->size(), report->results.size() + 2);
    int compared = 0;
    for (std::size_t r = 0; r < report->results.size(); ++r) {
        const ImportedResult& result = report->results[r];
        const std::vector<std::string>& row = (*rows)[r + 2].fields;
        EXPECT_EQ(result.facts.kernel, row[static_cast<std::size_t>(std::ranges::find(names, "Kernel Name") - names.begin())]);
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (names[i].find("__") == std::string::npos && !names[i].starts_with("derived_"))
                continue;
            ++compared;
            const auto text = result.facts.texts.find(names[i]);
            const auto value = result.values.find(names[i]);
            if (text != result.facts.texts.end())
                EXPECT_EQ(text->second, row[i]) << names[i];
            else if (value == result.values.end())
                EXPECT_EQ(row[i], "") << names[i] << " is not in the report";
            else if (value->second)
                EXPECT_TRUE(printedAs(*value->second, row[i], units[i]))
                    << names[i] << ": " << *value->second << " is not " << row[i] << ' ' << units[i];
            else
                EXPECT_TRUE(row[i].empty() || row[i] == "no data" || row[i] == "nan") << names[i] << " has a value on the page: " << row[i];
        }
    }
    EXPECT_GT(compared, 10);
}

TEST_P(EveryReport, SaysTheSameAsItsCsvPagesRead)
{
    const Result<ImportedFile> report = readNcuReport(ncuData(GetParam() + ".ncu-rep"), GetParam());
    const Result<ImportedFile> raw = readNcuCsv(ncuData(GetParam() + "_raw.csv"), "raw");
    const Result<ImportedFile> details = readNcuCsv(ncuData(GetParam() + "_details.csv"), "details");
    ASSERT_TRUE(report.ok() && raw.ok() && details.ok());
    ASSERT_EQ(raw->results.size(), report->results.size());
    for (std::size_t r = 0; r < report->results.size(); ++r) {
        const ImportedResult& whole = report->results[r];
        for (const ImportedResult* page : {&raw->results[r], details->results.size() > r ? &details->results[r] : nullptr}) {
            if (!page)
                continue;
            EXPECT_EQ(page->facts.kernel, whole.facts.kernel);
            EXPECT_EQ(page->facts.grid, whole.facts.grid);
            EXPECT_EQ(page->facts.block, whole.facts.block);
            EXPECT_EQ(page->facts.stream, whole.facts.stream);
            EXPECT_EQ(page->facts.pid, whole.facts.pid);
            EXPECT_EQ(page->facts.context, whole.facts.context);
            EXPECT_EQ(page->facts.host, whole.facts.host);
            EXPECT_EQ(page->device.ccMinor, whole.device.ccMinor);
            EXPECT_EQ(page->device.ccMajor, whole.device.ccMajor);
            for (const auto& [name, value] : page->values)
                if (const auto same = whole.values.find(name); value && same != whole.values.end() && same->second) {
                    EXPECT_NEAR(*value, *same->second, std::max(std::abs(*same->second) * 0.05, 0.006)) << name;
                }
        }
    }
}

TEST_P(EveryReport, HasEachMetricThatItsDetailsPageLabels)
{
    const Result<ImportedFile> report = readNcuReport(ncuData(GetParam() + ".ncu-rep"), GetParam());
    const Result<ImportedFile> details = readNcuCsv(ncuData(GetParam() + "_details.csv"), "details");
    ASSERT_TRUE(report.ok() && details.ok());
    for (const ImportedResult& page : details->results)
        for (const auto& [name, value] : page.values) {
            const std::string& metric = name; // clang 14 cannot capture a structured binding
            const auto has = [&](const ImportedResult& r) { return r.values.contains(metric) || r.facts.texts.contains(metric); };
            const bool printedAlone = name == "lts__gcomp_input_sectors.sum"; // ncu's reports do not have it
            EXPECT_TRUE(printedAlone || std::ranges::any_of(report->results, has)) << name;
        }
}

TEST_P(EveryReport, KeepsTheRulesOfItsDetailsPageWordForWord)
{
    const Result<ImportedFile> report = readNcuReport(ncuData(GetParam() + ".ncu-rep"), GetParam());
    const Result<ImportedFile> details = readNcuCsv(ncuData(GetParam() + "_details.csv"), "details");
    ASSERT_TRUE(report.ok() && details.ok());
    for (const ImportedResult& page : details->results) {
        const auto whole = std::ranges::find_if(report->results, [&](const ImportedResult& r) {
            return r.facts.index == page.facts.index && r.facts.kernel == page.facts.kernel && r.facts.pid == page.facts.pid;
        });
        ASSERT_NE(whole, report->results.end());
        EXPECT_EQ(page.facts.rules.size(), whole->facts.rules.size()) << page.facts.kernel;
        for (const RuleResult& stated : page.facts.rules) {
            const auto same = std::ranges::find_if(whole->facts.rules, [&](const RuleResult& r) {
                return r.rule == stated.rule && r.section == stated.section && r.kind == stated.kind && r.text == stated.text;
            });
            ASSERT_NE(same, whole->facts.rules.end()) << stated.rule << ": " << stated.text;
            EXPECT_EQ(same->speedupScope, stated.speedupScope) << stated.rule;
            ASSERT_EQ(same->speedupPercent.has_value(), stated.speedupPercent.has_value()) << stated.rule;
            if (stated.speedupPercent) {
                EXPECT_NEAR(*same->speedupPercent, *stated.speedupPercent, 0.001 * std::max(1.0, *stated.speedupPercent)) << stated.rule;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(NcuReport, EveryReport, testing::ValuesIn(ncuReports()), [](const auto& report) { return report.param; });

TEST(NcuReport, SaysWhatWasProfiledWhereAndHow)
{
    const Result<ImportedFile> report = readNcuReport(ncuData("three_kernels.ncu-rep"), "r");
    ASSERT_TRUE(report.ok());
    ASSERT_EQ(report->results.size(), 3u);
    const ImportedResult& strided = report->results[0];
    EXPECT_EQ(strided.facts.kernel, "strided(const float *, float *, unsigned long, int)");
    EXPECT_EQ(strided.facts.mangled, "_Z7stridedPKfPfmi");
    EXPECT_EQ(strided.facts.grid, (std::vector<int>{1056, 1, 1}));
    EXPECT_EQ(strided.facts.block, (std::vector<int>{256, 1, 1}));
    EXPECT_EQ(strided.facts.tool, "Nsight Compute 2025.3.1.0");
    EXPECT_EQ(strided.facts.process, "/tmp/k");
    EXPECT_EQ(strided.facts.texts.at("launch__func_cache_config"), "CachePreferNone");
    EXPECT_EQ(strided.startedAt.substr(0, 4), "2026");
    EXPECT_EQ(strided.device.name, "NVIDIA H200");
    EXPECT_EQ(strided.device.ccMajor, 9);
    EXPECT_EQ(strided.device.smCount, 132);
    EXPECT_EQ(strided.device.smemPerSm, 233472);
    EXPECT_DOUBLE_EQ(strided.device.clockMhz, 1980);
    EXPECT_THAT(strided.replayMode, testing::StartsWith("kernel "));
    ASSERT_EQ(strided.warnings.size(), 1u);
    EXPECT_EQ(strided.warnings[0].code, "clock-unlocked");
    EXPECT_EQ(report->results[2].facts.index, 2);
}

TEST(NcuReport, RulesKeepTheirEstimatesFiguresAndLines)
{
    const Result<ImportedFile> report = readNcuReport(ncuData("three_kernels.ncu-rep"), "r");
    ASSERT_TRUE(report.ok());
    const std::vector<RuleResult>& rules = report->results[0].facts.rules;
    const auto rule = std::ranges::find(rules, "UncoalescedGlobalAccess", &RuleResult::rule);
    ASSERT_NE(rule, rules.end());
    EXPECT_EQ(rule->kind, "optimization");
    EXPECT_EQ(rule->section, "SourceCounters");
    EXPECT_EQ(rule->speedupScope, "global");
    EXPECT_NEAR(rule->speedupPercent.value_or(0), 76.851, 0.001);
    ASSERT_EQ(rule->focus.size(), 1u);
    EXPECT_EQ(rule->focus[0].metric, "derived__memory_l2_theoretical_sectors_global_excessive");
    EXPECT_EQ(rule->focus[0].value, 14680064);
    ASSERT_EQ(rule->places.size(), 1u);
    EXPECT_EQ(rule->places[0], (RulePlace{"/tmp/k.cu", 2, "87.50% of this line's global accesses are excessive."}));
    for (const RuleResult& stated : rules)
        EXPECT_THAT(stated.text, testing::Not(HasSubstr("@section:")));
}

TEST(NcuReport, RangesAndGraphsAreResultsToo)
{
    const Result<ImportedFile> range = readNcuReport(ncuData("ranges.ncu-rep"), "r");
    ASSERT_TRUE(range.ok()) << range.error().message;
    ASSERT_EQ(range->results.size(), 1u);
    EXPECT_EQ(range->results[0].facts.kind, "range");
    EXPECT_EQ(range->results[0].facts.kernel, "range");
    EXPECT_TRUE(range->results[0].facts.grid.empty());
    EXPECT_TRUE(range->results[0].values.at("sm__throughput.avg.pct_of_peak_sustained_elapsed").has_value());
    EXPECT_THAT(range->results[0].replayMode, testing::StartsWith("range "));
    const Result<ImportedFile> graph = readNcuReport(ncuData("graph.ncu-rep"), "g");
    ASSERT_TRUE(graph.ok()) << graph.error().message;
    ASSERT_EQ(graph->results.size(), 1u);
    EXPECT_EQ(graph->results[0].facts.kind, "graph");
    EXPECT_EQ(graph->results[0].facts.stream, 13);
}

TEST(NcuReport, SeveralProcessesShareOneTableOfNames)
{
    const Result<ImportedFile> report = readNcuReport(ncuData("two.ncu-rep"), "t");
    ASSERT_TRUE(report.ok()) << report.error().message;
    std::set<std::int64_t> processes;
    for (const ImportedResult& result : report->results) {
        processes.insert(result.facts.pid);
        EXPECT_TRUE(result.values.at("gpu__time_duration.sum").has_value()) << result.facts.kernel;
    }
    EXPECT_EQ(processes.size(), 2u);
}

TEST(NcuReport, NvtxRangesOpenAtTheLaunchAreKept)
{
    const Result<ImportedFile> report = readNcuReport(ncuData("source.ncu-rep"), "s");
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_EQ(report->results[0].facts.ranges, (std::vector<std::string>{"outer", "inner, \"quoted\""}));
    EXPECT_EQ(report->results[1].facts.ranges, (std::vector<std::string>{"outer"}));
    EXPECT_EQ(report->results[0].device.driverVersion, "580.159");
}

std::string le32(std::size_t value)
{
    std::string bytes;
    for (int i = 0; i < 4; ++i)
        bytes += static_cast<char>(value >> (8 * i) & 0xFF);
    return bytes;
}

std::string framed(const std::string& message)
{
    return le32(message.size()) + message;
}

/// A report of one block: its header's bytes and its payload.
std::string makeReport(std::string header, const std::string& payload)
{
    header += std::string("\x28", 1) + static_cast<char>(payload.size()); // 5: payload size, below 128
    return std::string("NVR\0", 4) + framed("\x08\x07") + framed(header) + payload;
}

TEST(NcuReport, ACutReportIsAnErrorAtEveryLength)
{
    const std::string whole = ncuData("three_kernels.ncu-rep");
    for (std::size_t length = 4; length < whole.size(); length = length * 5 / 4 + 1) {
        const Result<ImportedFile> report = readNcuReport(std::string_view(whole).substr(0, length), "cut.ncu-rep");
        ASSERT_FALSE(report.ok()) << length;
        EXPECT_EQ(report.error().code, ErrorCode::badInput);
        EXPECT_THAT(report.error().where, testing::StartsWith("cut.ncu-rep")) << length;
        EXPECT_THAT(report.error().hint, testing::Not(testing::IsEmpty()));
    }
}

struct OddReport {
    const char* name;
    std::string bytes;
    const char* where;   ///< of the error
    const char* figures; ///< of its message
};

std::vector<OddReport> oddReports()
{
    const std::string start("NVR\0", 4);
    const std::string metric("\x6A\x04\x08\x63\x12\x00", 6); // 13: {1: 99, 2: {}}
    return {
        {"only a mark", start, "odd, byte 4", "0"},
        {"a header that is too long", start + le32(0xFFFFFFFF) + "x", "odd, byte 4", "4294967295 1"},
        {"no header", start + framed("\xFF\xFF"), "odd, byte 4", ""},
        {"no header of a block", start + framed("\x08\x07") + framed("\x12\x7F"), "odd, byte 10", "1"},
        {"no result", makeReport("\x10\x01", framed("\x0A")), "odd, byte 18", "1"},
        {"too few results", makeReport("\x10\x7F", framed("")), "odd, byte 22", "2 0"},
        {"a source that is too long", makeReport("\x08\x03", le32(99)), "odd, byte 18", "1 1 99 0"},
        {"a metric without a name", makeReport("\x10\x01", framed(metric)), "odd, byte 18", "1 99 0"},
    };
}

TEST(NcuReport, LengthsThatCannotBeAreErrorsWithTheirPlace)
{
    for (const OddReport& entry : oddReports()) {
        const Result<ImportedFile> report = readNcuReport(entry.bytes, "odd");
        ASSERT_FALSE(report.ok()) << entry.name;
        EXPECT_EQ(report.error().code, ErrorCode::badInput);
        EXPECT_EQ(report.error().where, entry.where) << entry.name;
        EXPECT_EQ(valueText(report.error().message), '"' + std::string(entry.figures) + '"') << entry.name;
    }
}

TEST(NcuReport, TextsSnapshot)
{
    std::string text;
    const auto add = [&](const std::string& name, const Error& error) {
        text += name + ": " + error.message + " | " + error.hint + (error.detail.empty() ? "" : " | " + error.detail) + '\n';
    };
    for (const OddReport& entry : oddReports())
        add(entry.name, readNcuReport(entry.bytes, "odd").error());
    const std::string kernel = framed("\x32\x01k");
    add("half a result", readNcuReport(makeReport("\x10\x02", kernel + framed("\x0A")), "odd").error());
    const std::string whole = makeReport("\x10\x01", kernel);
    add("half a block", readNcuReport(whole.substr(0, whole.size() - 1), "odd").error());
    add("nothing", readNcuReport(makeReport("", ""), "none").error());
    std::string notes = makeReport("\x08\x01\x10\x01", framed("\x0A\x05x") + kernel);
    notes[9] = '\x08'; // the version
    const Result<ImportedFile> noted = readNcuReport(notes, "noted");
    ASSERT_TRUE(noted.ok()) << noted.error().message;
    for (const auto& note : noted->notes)
        text += note.code + ": " + note.text + '\n';
    expectSnapshot("texts/ncu-report.txt", text);
}

TEST(NcuReport, NewerVersionsAreReadWithANoteAndEmptyOnesAreNot)
{
    const std::string kernel("\x32\x01k", 3); // 6: "k"
    std::string bytes = makeReport("\x10\x01", framed(kernel));
    bytes[9] = '\x08';
    const Result<ImportedFile> newer = readNcuReport(bytes, "newer");
    ASSERT_TRUE(newer.ok()) << newer.error().message;
    EXPECT_EQ(newer->results[0].facts.kernel, "k");
    ASSERT_EQ(newer->notes.size(), 1u);
    EXPECT_EQ(newer->notes[0].code, "newer-format");
    EXPECT_THAT(newer->notes[0].text, HasSubstr(" 8,"));
    const Result<ImportedFile> none = readNcuReport(makeReport("", ""), "none");
    ASSERT_FALSE(none.ok());
    EXPECT_EQ(none.error().where, "none") << "it has no place where it is damaged";
    EXPECT_THAT(none.error().hint, HasSubstr("--kernel-name"));
}

TEST(NcuReport, EveryKindOfResultIsReadInTheOrderOfTheFile)
{
    const std::string process("\x32\x08\x08\x07\x12\x01h\x1A\x01p", 10); // 6: {1: 7, 2: "h", 3: "p"}
    const std::string counts = "\x10\x02\x38\x01\x40\x01\x48\x01";       // 2: two kernels, 7, 8 and 9: one of each other kind
    const std::string payload = framed("\x32\x01k") + framed("\x32\x01l") + framed("") +
                                framed("\x92\x01\x01"
                                       "f") +
                                framed("");
    const Result<ImportedFile> report = readNcuReport(makeReport(counts + process, payload), "kinds");
    ASSERT_TRUE(report.ok()) << report.error().message;
    std::vector<std::string> found;
    for (const ImportedResult& result : report->results) {
        found.push_back(std::to_string(result.facts.index) + ' ' + result.facts.kind + ' ' + result.facts.kernel);
        EXPECT_EQ(result.facts.pid, 7);
        EXPECT_EQ(result.facts.host, "h");
        EXPECT_EQ(result.facts.process, "p");
        EXPECT_EQ(result.facts.format, "ncu-rep");
    }
    EXPECT_EQ(found, (std::vector<std::string>{"0 kernel k", "1 kernel l", "2 range range", "3 command list f", "4 graph graph"}));
    EXPECT_TRUE(report->notes.empty());
}

TEST(NcuReport, NamesAreThoseOfTheTableBeforeTheirResult)
{
    const auto table = [](const std::string& name) { return std::string("\x22\x07\x0A\x05") + name; }; // 4: {1: "a.sum"}
    const std::string kernel("\x6A\x06\x08\x00\x12\x02\x20\x05", 8);                                   // 13: {1: 0, 2: {4: 5}}
    const std::string bytes = makeReport("\x10\x01" + table("a.sum"), framed(kernel)) +
                              makeReport("\x10\x01" + table("b.sum"), framed(kernel)).substr(10) +
                              makeReport("\x10\x01", framed(kernel)).substr(10);
    const Result<ImportedFile> report = readNcuReport(bytes, "tables");
    ASSERT_TRUE(report.ok()) << report.error().message;
    using Values = std::map<std::string, std::optional<double>>;
    ASSERT_EQ(report->results.size(), 3u);
    EXPECT_EQ(report->results[0].values, (Values{{"a.sum", 5}}));
    EXPECT_EQ(report->results[1].values, (Values{{"b.sum", 5}}));
    EXPECT_EQ(report->results[2].values, (Values{{"b.sum", 5}})) << "a block without a table has that of the block before";
}

TEST(NcuReport, DamageIsNamedByItsByteAndTheResultsBeforeIt)
{
    const std::string kernel = framed("\x32\x01k");
    const Error first = readNcuReport(makeReport("\x10\x01", framed("\x0A")), "odd").error();
    EXPECT_EQ(first.where, "odd, byte 18");
    EXPECT_EQ(first.detail, "");
    const Error second = readNcuReport(makeReport("\x10\x02", kernel + framed("\x0A")), "odd").error();
    EXPECT_EQ(second.where, "odd, byte 25");
    EXPECT_EQ(second.detail.substr(0, 2), "1 ");
    const Error cut = readNcuReport(makeReport("\x10\x03", kernel + kernel + "\x01"), "odd").error();
    EXPECT_EQ(cut.where, "odd, byte 32");
    EXPECT_EQ(cut.detail.substr(0, 2), "2 ");
    const std::string whole = makeReport("\x10\x01", kernel);
    EXPECT_EQ(readNcuReport(whole.substr(0, whole.size() - 1), "odd").error().where, "odd, byte 18") << "a block's content";
    EXPECT_EQ(readNcuReport(whole + "\x01", "odd").error().where, "odd, byte 25") << "another block's length";
}

TEST(NcuReport, CodeThatCannotBeReadIsANote)
{
    const Result<ImportedFile> report =
        readNcuReport(makeReport("\x08\x02\x10\x01", framed("\x08\x03") + framed("\x0A\x05x") + framed("\x32\x01k")), "code");
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_EQ(report->results.size(), 1u);
    ASSERT_EQ(report->notes.size(), 1u);
    EXPECT_EQ(report->notes[0].code, "code-unreadable");
}

TEST(NcuReport, RangesAreThoseOfTheThreadThatLaunched)
{
    const auto part = [](const std::string& tag, const std::string& bytes) { return tag + static_cast<char>(bytes.size()) + bytes; };
    const auto thread = [&](char id, const std::string& name) {
        return part("\x12", std::string("\x08") + id + part("\x12", part("\x1A", part("\x0A", name)))); // its ID and its stack
    };
    const std::string kernel = "\x08\x07" + part("\xAA\x01", thread('\x07', "mine") + thread('\x08', "theirs")); // 1: thread 7, 21: state
    const Result<ImportedFile> report = readNcuReport(makeReport("\x10\x01", framed(kernel)), "two threads");
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_EQ(report->results[0].facts.ranges, std::vector<std::string>{"mine"});
}

TEST(NcuReport, TextsThatAreNoTextAreCleaned)
{
    const std::string kernel("\x32\x04k\xFF\x01z", 6);
    const Result<ImportedFile> report = readNcuReport(makeReport("\x10\x01", framed(kernel)), "odd");
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report->results[0].facts.kernel, "k\xEF\xBF\xBDz");
}

} // namespace
} // namespace kl::test
