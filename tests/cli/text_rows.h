// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/format.h"
#include "kloop.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace kl::test {

/// The lines of a text for people without tones and blanks around them, each "cell | cell | cell": columns are two or more blanks apart.
inline std::vector<std::string> readRows(const std::string& text)
{
    static const std::regex tone("\xFF."), unit(kThinSpace), around("^ +| +$"), apart("  +");
    std::vector<std::string> rows;
    std::istringstream lines(std::regex_replace(std::regex_replace(text, tone, ""), unit, " "));
    for (std::string line; std::getline(lines, line);)
        rows.push_back(std::regex_replace(std::regex_replace(line, around, ""), apart, " | "));
    return rows;
}

/// The first of them that begins so; empty where none does.
inline std::string findRow(const std::string& text, const std::string& begin)
{
    for (const std::string& row : readRows(text))
        if (row.starts_with(begin))
            return row;
    return {};
}

/// Whether a snapshot has a row that begins so: whether the product prints it anywhere.
inline bool isRowOfSnapshot(const std::string& begin)
{
    static const std::string all = [] {
        std::ostringstream text;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(KL_SOURCE_DIR "/tests/snapshots"))
            if (entry.is_regular_file())
                text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
        return text.str();
    }();
    const std::string first = begin.substr(0, begin.find(" | "));
    std::istringstream lines(all);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t at = line.find_first_not_of(' ');
        if (at != std::string::npos && line.compare(at, first.size(), first) == 0 && !findRow(line, begin).empty())
            return true;
    }
    return false;
}

/// findRow() finds none, but a snapshot has one: a label that nothing prints any more would be missing everywhere.
inline testing::AssertionResult lacksRow(const std::string& text, const std::string& begin)
{
    if (const std::string row = findRow(text, begin); !row.empty())
        return testing::AssertionFailure() << row;
    if (!isRowOfSnapshot(begin))
        return testing::AssertionFailure() << "no snapshot has a row that begins with " << begin;
    return testing::AssertionSuccess();
}

/// The figures of a row with their units, in their order, without its words and names such as H200 or k.cu:7: "$148.00 | 1.45×".
inline std::string readFigures(const std::string& row)
{
    static const std::regex wordOrFigure("[A-Za-z_][A-Za-z0-9_+./:=-]*|"
                                         "((?:−|[-+~$])*[0-9]+(?:[.:][0-9]+)*(?:,[0-9]{3}(?![0-9]))*"
                                         "(?: ?(?:%|×|(?:[mn]|µ)?s|min|h|(?:[KMGT]i?)?B(?:/s)?|[GT]?FLOP/[sB]|MHz|m?J)"
                                         "(?![A-Za-z]))?)");
    std::string figures;
    for (std::sregex_iterator at(row.begin(), row.end(), wordOrFigure); at != std::sregex_iterator(); ++at)
        if ((*at)[1].matched)
            figures += (figures.empty() ? "" : " | ") + (*at)[1].str();
    return figures;
}

inline std::vector<std::string> readFigures(std::vector<std::string> rows)
{
    for (std::string& row : rows)
        row = readFigures(row);
    return rows;
}

/// Matches a row whose figures match.
inline auto withFigures(const testing::Matcher<const std::string&>& figures)
{
    return testing::ResultOf([](const std::string& row) { return readFigures(row); }, figures);
}

/// Commands that have to succeed, and what they answer.
class AskedKloop : public Kloop {
protected:
    /// In the environment of the fixture.
    virtual Answer ask(const std::vector<std::string>& words) const { return kloop(words); }

    Json json(std::vector<std::string> words) const
    {
        words.emplace_back("--json");
        const Answer answer = succeeded(words);
        return answer.code == 0 ? answer.json() : Json::object();
    }
    std::string text(const std::vector<std::string>& words) const { return succeeded(words).out; }
    std::vector<std::string> rows(const std::vector<std::string>& words) const { return readRows(text(words)); }

private:
    Answer succeeded(const std::vector<std::string>& words) const
    {
        Answer answer = ask(words);
        EXPECT_EQ(answer.code, 0) << testing::PrintToString(words) << answer.err;
        return answer;
    }
};

/// How many cells a row has.
inline std::ptrdiff_t countCells(const std::string& row)
{
    return 1 + std::ranges::count(row, '|');
}

} // namespace kl::test
