// SPDX-License-Identifier: MIT
#include "core/base/csv_rows.h"
#include "core/base/trimmed.h"
#include "core/base/try.h"
#include "sessions/search/recorded_listing.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace kl::inline search {
namespace {

/// What a cell says: without blanks, and without an apostrophe before what would be a formula.
std::string cellText(std::string_view raw)
{
    const std::string_view text = trimText(raw);
    const bool kept = text.size() > 1 && text.front() == '\'' && std::string_view("=+-@").find(text[1]) != std::string_view::npos;
    return std::string(kept ? text.substr(1) : text);
}

std::optional<double> numberIn(const std::string& text)
{
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [rest, failure] = std::from_chars(text.data(), end, value);
    return failure == std::errc() && rest == end && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

class CsvReader {
public:
    explicit CsvReader(const std::string& file) : file_(file) {}

    Status readHeader(const CsvRow& row)
    {
        for (const std::string& field : row.fields)
            columns_.push_back(cellText(field));
        for (std::size_t column = 0; column < columns_.size(); ++column) {
            const std::string& name = columns_[column];
            if (name.empty())
                return fault(row.line, fmt::format("column {} has no name", column + 1), "Name it as the tunable whose values it holds.");
            if (std::ranges::count(columns_, name) > 1)
                return fault(row.line, fmt::format("two columns are named {}", name), "Give each column a name of its own.");
            if (name != kTimeColumn && name != kCostColumn && name != kFailureColumn)
                listing_.names.push_back(name);
        }
        if (std::ranges::find(columns_, kTimeColumn) == columns_.end())
            return fault(
                row.line, fmt::format("no column is named {}", kTimeColumn),
                columns_.size() == 1 && columns_.front().find_first_of(";\t") != std::string::npos
                    ? std::string("Separate cells by commas.")
                    : fmt::format("Begin with a line of names, and name the column of the times, in milliseconds, {}.", kTimeColumn));
        if (listing_.names.empty())
            return fault(row.line, "no column is a tunable",
                         fmt::format("Add one for each; {}, {} and {} are not tunables.", kTimeColumn, kCostColumn, kFailureColumn));
        return {};
    }

    Status readRow(const CsvRow& row)
    {
        if (row.fields.size() != columns_.size())
            return fault(row.line, fmt::format("{} cells, but {} columns have a name", row.fields.size(), columns_.size()),
                         "Give every row a cell per column, and write numbers with a decimal point.");
        RecordedListing::Entry entry;
        for (std::size_t column = 0; column < columns_.size(); ++column) {
            const std::string text = cellText(row.fields[column]);
            if (columns_[column] == kTimeColumn && !text.empty()) {
                entry.value = numberIn(text);
                if (!entry.value || *entry.value <= 0)
                    return fault(
                        row.line, column, text, "is not a time above 0",
                        fmt::format("Write milliseconds; where there is no time, leave it empty and write why under {}.", kFailureColumn));
            } else if (columns_[column] == kCostColumn && !text.empty()) {
                const std::optional<double> cost = numberIn(text);
                if (!cost || *cost < 0)
                    return fault(row.line, column, text, "is not a number of seconds", "Write what measuring the point took, or nothing.");
                entry.cost = *cost;
            } else if (columns_[column] == kFailureColumn) {
                entry.failure = text;
            } else if (columns_[column] != kTimeColumn && columns_[column] != kCostColumn) {
                if (text.empty())
                    return fault(row.line, fmt::format("{} has no value", columns_[column]),
                                 "Write the value of each tunable in each row.");
                entry.values.push_back(text);
            }
        }
        if (entry.value && !entry.failure.empty())
            return fault(row.line, fmt::format("it has a time, and {:?} under {}", entry.failure, kFailureColumn),
                         "Leave one of them empty.");
        if (!entry.value && entry.failure.empty())
            entry.failure = kNoTime;
        if (const auto [first, isNew] = lines_.emplace(entry.values, row.line); !isNew)
            return fault(row.line, fmt::format("line {} has the same tunables", first->second), "Remove one of them.");
        listing_.entries.push_back(std::move(entry));
        return {};
    }

    RecordedListing take() { return std::move(listing_); }

private:
    Error fault(std::size_t line, const std::string& what, std::string hint) const
    {
        return {.code = ErrorCode::badInput,
                .message = fmt::format("{}, line {}: {}.", file_, line, what),
                .hint = std::move(hint),
                .where = fmt::format("{}, line {}", file_, line)};
    }
    Error fault(std::size_t line, std::size_t column, const std::string& text, const char* what, std::string hint) const
    {
        Error error = fault(line, fmt::format("{:?} {}", text, what), std::move(hint));
        error.message = fmt::format("{}, line {}, column {}: {:?} {}.", file_, line, columns_[column], text, what);
        error.where = fmt::format("{}, line {}, column {}", file_, line, columns_[column]);
        return error;
    }

    const std::string& file_;
    std::vector<std::string> columns_;
    std::map<std::vector<std::string>, std::size_t> lines_; ///< by the tunables: where they were listed
    RecordedListing listing_;
};

} // namespace

Result<RecordedListing> listCsv(std::string_view text, const std::string& file)
{
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text.starts_with(kByteOrderMark))
        text.remove_prefix(kByteOrderMark.size());
    Result<std::vector<CsvRow>> rows = csvRows(text, 1, file);
    if (!rows) {
        Error open = rows.error();
        open.hint = "Close the quote, or double one that belongs to the text.";
        return open;
    }
    if (rows->empty())
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} is empty.", file),
                     .hint = fmt::format("Begin with a line of names: the tunables and {}.", kTimeColumn),
                     .where = file};
    CsvReader reader(file);
    KL_TRY(reader.readHeader(rows->front()));
    for (std::size_t row = 1; row < rows->size(); ++row)
        KL_TRY(reader.readRow((*rows)[row]));
    return reader.take();
}

} // namespace kl::inline search
