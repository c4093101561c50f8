// SPDX-License-Identifier: MIT
#include "sessions/sanitize/sanitizer_report.h"

#include "core/base/trimmed.h"

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <sstream>
#include <string_view>

namespace kl::inline sanitizer {
namespace {

constexpr std::string_view kPrefix = "=========";

/// A headline and the lines that are indented below it.
struct Record {
    std::string head;
    std::vector<std::string> details;
};

std::vector<Record> splitRecords(const std::string& text)
{
    std::vector<Record> records;
    bool open = false;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with(kPrefix))
            continue;
        const std::string_view rest = std::string_view(line).substr(kPrefix.size());
        const std::string words(trimText(rest));
        if (words.empty()) {
            open = false;
        } else if (rest.starts_with("  ") && open) {
            records.back().details.push_back(words);
        } else {
            records.push_back({words, {}});
            open = true;
        }
    }
    return records;
}

/// What is not about a kernel's code.
bool aboutHost(const std::string& head)
{
    static constexpr const char* kBegins[] = {"COMPUTE-SANITIZER", "Program hit",    "Target application", "No attachable",
                                              "Error: Target",     "Error: process", "Warning: ",          "Unable to"};
    return head.find("SUMMARY") != std::string::npos ||
           std::any_of(std::begin(kBegins), std::end(kBegins), [&](const char* begin) { return head.starts_with(begin); });
}

/// "NAME(arguments)+0x70 in FILE:14"; NAME alone where there is no line information.
SanitizerPlace parseSanitizerPlace(const std::string& text)
{
    static const std::regex offset(R"(\+0x[0-9a-fA-F]+)");
    static const std::regex inFile(R"( in (.+):(\d+)(?:[: ].*)?$)");
    SanitizerPlace place;
    std::smatch found;
    std::string kernel = text;
    if (std::regex_search(text, found, inFile)) {
        place.file = found[1];
        place.line = std::atoi(found[2].str().c_str());
        kernel = text.substr(0, static_cast<std::size_t>(found.position()));
    }
    if (std::regex_search(kernel, found, offset))
        kernel = kernel.substr(0, static_cast<std::size_t>(found.position()));
    place.kernel = trimText(std::string_view(kernel).substr(0, kernel.find('(')));
    return place;
}

std::array<int, 3> three(const std::smatch& found, std::size_t from)
{
    return {std::atoi(found[from].str().c_str()), std::atoi(found[from + 1].str().c_str()), std::atoi(found[from + 2].str().c_str())};
}

void readPosition(const std::string& line, SanitizerFinding& finding)
{
    static const std::regex thread(R"(thread \((\d+),\s*(\d+),\s*(\d+)\))");
    static const std::regex block(R"(block \((\d+),\s*(\d+),\s*(\d+)\))");
    std::smatch found;
    if (!finding.thread && std::regex_search(line, found, thread))
        finding.thread = three(found, 1);
    if (!finding.block && std::regex_search(line, found, block))
        finding.block = three(found, 1);
}

void readDetail(const std::string& line, SanitizerFinding& finding)
{
    static const std::regex address(R"((?:Address|Access to) (0x[0-9a-fA-F]+))");
    std::smatch found;
    if (line.starts_with("at ") && finding.place.kernel.empty()) {
        finding.place = parseSanitizerPlace(line.substr(3));
        return;
    }
    readPosition(line, finding);
    if (finding.address.empty() && std::regex_search(line, found, address))
        finding.address = found[1];
    if (!line.starts_with("by thread") && !line.starts_with("Address "))
        finding.detail += (finding.detail.empty() ? "" : " ") + line;
}

/// A race: "Potential RAW hazard detected at __shared__ 0x4fc in block (2,0,0) :", then one line per access:
/// "Write Thread (63,0,0) at race+0x120 in kernel.cu:21".
void readHazard(const Record& record, SanitizerFinding& finding)
{
    static const std::regex head(R"(Potential (\w+) hazard detected at (\S+) (0x[0-9a-fA-F]+))");
    static const std::regex access(R"(^(\w+) Thread (\(.*?\)) at (.+)$)");
    std::smatch found;
    if (!std::regex_search(record.head, found, head))
        return;
    finding.what = "Potential " + found[1].str() + " hazard in " + found[2].str() + " memory";
    finding.address = found[3];
    finding.detail.clear();
    for (const std::string& line : record.details) {
        if (!std::regex_search(line, found, access))
            continue;
        const bool first = finding.place.kernel.empty();
        (first ? finding.place : finding.other.emplace()) = parseSanitizerPlace(found[3]);
        finding.detail += (first ? "" : ", ") + found[1].str() + " by thread " + found[2].str();
    }
}

SanitizerFinding makeFinding(const std::string& tool, const Record& record)
{
    SanitizerFinding finding;
    finding.tool = tool;
    finding.what = record.head;
    for (const char* begin : {"Error: ", "ERROR: ", "WARNING: "})
        if (finding.what.starts_with(begin))
            finding.what = finding.what.substr(std::string_view(begin).size());
    readPosition(record.head, finding);
    for (const std::string& line : record.details)
        readDetail(line, finding);
    readHazard(record, finding);
    return finding;
}

bool sameFault(const SanitizerFinding& a, const SanitizerFinding& b)
{
    return a.what == b.what && a.place == b.place && a.other == b.other;
}

} // namespace

std::vector<SanitizerFinding> parseSanitizer(const std::string& tool, const std::string& text)
{
    std::vector<SanitizerFinding> findings;
    for (const Record& record : splitRecords(text)) {
        if (aboutHost(record.head))
            continue;
        SanitizerFinding fresh = makeFinding(tool, record);
        if (fresh.place.kernel.empty()) // a message of the tool's own
            continue;
        const auto known = std::find_if(findings.begin(), findings.end(), [&](const auto& old) { return sameFault(old, fresh); });
        if (known == findings.end())
            findings.push_back(std::move(fresh));
        else
            known->count += fresh.count;
    }
    return findings;
}

std::vector<std::string> candidateTools(const std::vector<std::string>& foundBy)
{
    std::vector<std::string> tools(kCandidateTools.begin(), kCandidateTools.end());
    for (const std::string& tool : foundBy)
        if (std::ranges::count(tools, tool) == 0)
            tools.push_back(tool);
    return tools;
}

} // namespace kl::inline sanitizer
