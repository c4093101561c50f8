// SPDX-License-Identifier: MIT
#include "profiler/import/ncu_csv.h"

#include "core/base/clean_text.h"
#include "core/base/csv_rows.h"
#include "core/base/try.h"
#include "profiler/import/device_facts.h"
#include "profiler/import/ncu_labels.h"
#include "profiler/import/ncu_units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace kl::inline nsight {
namespace {

constexpr std::string_view kTableStart = "\"ID\",\"Process ID\",";
constexpr const char* kExportAgain = "Export it again: ncu --import REPORT --csv --page raw > FILE.";

/// Position of the header line; npos without one.
std::size_t tableAt(std::string_view text)
{
    if (text.starts_with("\xEF\xBB\xBF"))
        return text.substr(3).starts_with(kTableStart) ? 3 : std::string_view::npos;
    if (text.starts_with(kTableStart))
        return 0;
    const std::size_t at = text.find('\n' + std::string(kTableStart));
    return at == std::string_view::npos ? at : at + 1;
}

/// A figure as ncu prints it: "867,277,824", "0.772138".
std::optional<double> parsePrintedFigure(std::string text)
{
    std::erase(text, ',');
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [rest, bad] = std::from_chars(text.data(), end, value);
    return bad == std::errc() && rest == end && !text.empty() ? std::optional(value) : std::nullopt;
}

std::int64_t parseInteger(const std::string& text)
{
    const auto figure = parsePrintedFigure(text);
    return figure ? wholeNumber(*figure).value_or(0) : 0;
}

/// "(256, 1, 1)".
std::vector<int> parseSizeText(const std::string& text)
{
    std::vector<int> size;
    const char* at = text.data();
    const char* end = at + text.size();
    while (at < end && size.size() < 3) {
        int part = 0;
        const auto [rest, bad] = std::from_chars(at, end, part);
        if (bad == std::errc())
            size.push_back(std::max(part, 0));
        at = bad == std::errc() ? rest : at + 1;
    }
    return size.size() == 3 ? size : std::vector<int>();
}

/// "9.0", "12.1".
void takeCapability(const std::string& text, DeviceInfo& device)
{
    int major = 0;
    int minor = 0;
    const char* end = text.data() + text.size();
    const auto [dot, bad] = std::from_chars(text.data(), end, major);
    if (bad != std::errc() || dot == end || *dot != '.')
        return;
    if (const auto [rest, worse] = std::from_chars(dot + 1, end, minor); worse != std::errc() || rest != end || major < 0 || minor < 0)
        return;
    device.ccMajor = major;
    device.ccMinor = minor;
}

void takePrinted(const std::string& metric, const std::string& value, const std::string& unit, ImportedResult& result)
{
    static constexpr std::array kNothing{"", "no data", "n/a", "(!) nan", "(!) n/a"};
    const auto figure = parsePrintedFigure(value);
    const bool none = std::ranges::find(kNothing, value) != kNothing.end();
    result.take(metric, figure ? std::optional(*figure * baseUnitFactor(unit)) : figure, none ? std::string() : cleanText(value),
                value.empty() ? "the table has no value for it" : "the table has \"" + value + "\" for it");
}

const char* parseRuleKind(const std::string& type)
{
    return type == "OPT" ? "optimization" : type == "WRN" ? "warning" : type == "ERR" ? "error" : type == "INF" ? "info" : "";
}

/// One table. The columns that say which launch a row is about are known by name; all others of a raw page are metrics.
class NcuTable {
public:
    NcuTable(std::vector<CsvRow> rows, const std::string& where) : rows_(std::move(rows)), where_(where)
    {
        if (!rows_.empty())
            for (std::size_t i = 0; i < rows_.front().fields.size(); ++i)
                columns_.try_emplace(rows_.front().fields[i], i);
    }

    Result<ImportedFile> read()
    {
        const bool details = columns_.contains("Metric Name") && columns_.contains("Metric Value");
        for (std::size_t i = 1; i < rows_.size(); ++i) {
            const CsvRow& row = rows_[i];
            if (row.fields.size() == 1 && row.fields.front().starts_with("=="))
                continue; // a line of ncu's own
            KL_TRY(complete(row, details));
            if (!details && i == 1 && hasUnits())
                continue;
            details ? takeDetail(row) : takeRow(row);
        }
        for (ImportedResult& result : answer_.results) {
            readDeviceFacts(result.values, result.facts.texts, result.device);
            result.facts.tool = "Nsight Compute";
            result.facts.format = details ? "ncu-csv-details" : "ncu-csv-raw";
            if (!details && !hasUnits())
                result.warnings.push_back(
                    {"no-units", "The table has no units row: values are read as nanoseconds, bytes and other base units."});
        }
        return std::move(answer_);
    }

private:
    /// A raw page's second row.
    bool hasUnits() const { return rows_.size() > 1 && rows_[1].fields.front().empty(); }

    /// Rows of a details page may leave out their last fields: the rule's.
    Status complete(const CsvRow& row, bool details) const
    {
        const std::size_t wanted = details ? columns_.at("Metric Value") + 1 : rows_.front().fields.size();
        const std::size_t most = rows_.front().fields.size();
        if (row.fields.size() >= wanted && row.fields.size() <= most)
            return {};
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} is damaged or truncated: line {} has {} fields; the header has {}.", where_, row.line,
                                            row.fields.size(), most),
                     .hint = kExportAgain,
                     .where = fmt::format("{}, line {}", where_, row.line)};
    }

    std::string field(const CsvRow& row, const char* column) const
    {
        const auto found = columns_.find(column);
        return found != columns_.end() && found->second < row.fields.size() ? row.fields[found->second] : std::string();
    }

    ImportedResult& begin(const CsvRow& row)
    {
        ImportedResult& result = answer_.results.emplace_back();
        ImportFacts& facts = result.facts;
        facts.index = static_cast<int>(answer_.results.size()) - 1;
        facts.kernel = cleanText(field(row, "Kernel Name"));
        facts.process = cleanText(field(row, "Process Name"));
        facts.pid = parseInteger(field(row, "Process ID"));
        facts.host = cleanText(field(row, "Host Name"));
        facts.grid = parseSizeText(field(row, "Grid Size"));
        facts.block = parseSizeText(field(row, "Block Size"));
        facts.kind = facts.kernel == "graph" ? "graph" : facts.block.empty() ? "range" : "kernel";
        facts.context = parseInteger(field(row, "Context"));
        facts.stream = parseInteger(field(row, "Stream"));
        takeCapability(field(row, "CC"), result.device);
        return result;
    }

    static bool isAboutTheLaunch(const std::string& column)
    {
        static constexpr std::array kNames{"ID",      "Process ID", "Process Name", "Host Name", "Kernel Name", "Kernel Time",
                                           "Context", "Stream",     "Block Size",   "Grid Size", "Device",      "CC"};
        return std::ranges::find(kNames, column) != kNames.end() || column.find("Domain:") != std::string::npos;
    }

    void takeRow(const CsvRow& row)
    {
        ImportedResult& result = begin(row);
        const std::vector<std::string>& head = rows_.front().fields;
        const bool units = hasUnits();
        for (std::size_t i = 0; i < head.size(); ++i)
            if (!isAboutTheLaunch(head[i]))
                takePrinted(cleanText(head[i]), row.fields[i], units ? rows_[1].fields[i] : std::string(), result);
    }

    void takeDetail(const CsvRow& row)
    {
        const auto [at, fresh] = places_.try_emplace(field(row, "Process ID") + ' ' + field(row, "ID"), answer_.results.size());
        ImportedResult& result = fresh ? begin(row) : answer_.results[at->second];
        const std::string section = cleanText(field(row, "Section Name"));
        if (const std::string metric = cleanText(field(row, "Metric Name")); !metric.empty())
            takePrinted(findLabelMetric(section, metric), field(row, "Metric Value"), field(row, "Metric Unit"), result);
        const std::string rule = cleanText(field(row, "Rule Name"));
        if (rule.empty())
            return;
        RuleResult reportedRule{section, rule, rule, parseRuleKind(field(row, "Rule Type")), cleanText(field(row, "Rule Description")), {},
                                {},      {},   {}};
        if (const auto percent = parsePrintedFigure(field(row, "Estimated Speedup")); percent && std::isfinite(*percent)) {
            reportedRule.speedupPercent = *percent;
            reportedRule.speedupScope = cleanText(field(row, "Estimated Speedup Type"));
        }
        result.facts.rules.push_back(std::move(reportedRule));
    }

    std::vector<CsvRow> rows_;
    const std::string& where_;
    std::map<std::string, std::size_t> columns_;
    std::map<std::string, std::size_t> places_; ///< process and id to the result
    ImportedFile answer_;
};

bool isHead(const CsvRow& row)
{
    return row.fields.size() > 1 && row.fields[0] == "ID" && row.fields[1] == "Process ID";
}

/// Pages that were put into one file, one behind the other, each with its own head. Reads the rows empty.
Result<ImportedFile> readTables(std::vector<CsvRow>& rows, const std::string& where)
{
    ImportedFile all;
    for (auto begin = rows.begin(); begin != rows.end();) {
        const auto end = std::find_if(std::next(begin), rows.end(), isHead);
        KL_ASSIGN(ImportedFile table, NcuTable({std::move_iterator(begin), std::move_iterator(end)}, where).read());
        for (ImportedResult& result : table.results) {
            result.facts.index = static_cast<int>(all.results.size());
            all.results.push_back(std::move(result));
        }
        begin = end;
    }
    if (all.results.empty())
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} is an Nsight Compute table without a kernel.", where),
                     .hint = "Nothing was profiled, or the export was truncated after its header.",
                     .where = where};
    return all;
}

} // namespace

bool isNcuCsv(std::string_view text)
{
    return tableAt(text) != std::string_view::npos;
}

Result<ImportedFile> readNcuCsv(std::string_view text, const std::string& where)
{
    const std::size_t at = tableAt(text);
    if (at == std::string_view::npos)
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} contains no Nsight Compute table.", where),
                     .hint = kExportAgain,
                     .where = where};
    const auto lines = 1 + static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    Result<std::vector<CsvRow>> rows = csvRows(text.substr(at), lines, where);
    if (!rows) {
        Error truncated = rows.error();
        truncated.hint = kExportAgain;
        return truncated;
    }
    return readTables(*rows, where);
}

} // namespace kl::inline nsight
