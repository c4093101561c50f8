// SPDX-License-Identifier: MIT
#include "sessions/confusion/corpus.h"

#include "core/base/trimmed.h"
#include "core/base/try.h"
#include "core/codec/fields.h"
#include "core/codec/json.h"
#include "core/codec/run_codec.h"

#include <algorithm>
#include <set>

namespace kl::inline confusion {

template <class V> void fields(V& v, CorpusCase& c)
{
    v("id", c.id);
    v("framework", c.framework);
    v("library", c.library);
    v("call", c.call);
    v("arguments", c.arguments);
    v("subject", c.subject);
    v("expected", c.expected);
    v("also", c.also);
    v("tie", c.tie);
    v("why", c.why);
    v("held_out", c.heldOut);
}

bool CorpusCase::accepts(std::string_view classId) const
{
    return classId == expected || std::ranges::find(also, classId) != also.end();
}

Result<std::vector<CorpusCase>> parseCorpus(std::string_view json, std::string_view where)
{
    KL_ASSIGN(const Json parsed, parseJson(json, where));
    if (!parsed.is_object() || !parsed.contains("cases"))
        return Error{
            .code = ErrorCode::badInput, .message = fmt::format("{} contains no cases of a corpus.", where), .where = std::string(where)};
    KL_ASSIGN(std::vector<CorpusCase> cases, fromJson<std::vector<CorpusCase>>(parsed["cases"], where));
    std::set<std::string> ids;
    for (const CorpusCase& one : cases)
        if (one.id.empty() || one.expected.empty() || !ids.insert(one.id).second)
            return Error{.code = ErrorCode::badInput,
                         .message = fmt::format("{}: the id \"{}\" is empty, used twice, or has no expected class.", where, one.id),
                         .where = std::string(where)};
    return cases;
}

namespace {

Status addRun(const Json& line, const std::string& place, std::optional<RunRecord>& to)
{
    Result<RunRecord> run = runFromJson(line["run"]);
    if (!run)
        return Error{.code = ErrorCode::badInput, .message = fmt::format("{}: {}", place, run.error().message), .where = place};
    to = std::move(*run);
    return {};
}

std::string programClass(const Json& program)
{
    const auto finding = program.find("finding");
    return finding != program.end() && finding->is_object() ? finding->value("class", "none") : "none";
}

/// The whole line, or nothing of it.
Status addLine(const Json& line, const std::string& place, CorpusRecords& records)
{
    CorpusRecord& record = records[line["id"].get<std::string>()];
    const auto mode = line["mode"].get<std::string>();
    std::optional<NcuVerdict> ncu;
    std::optional<RunRecord> run;
    if (mode == "ncu" && line.contains("ncu")) {
        KL_ASSIGN(ncu, ncuVerdictFromJson(line["ncu"], place));
    }
    if (mode != "ncu" && line.contains("run"))
        KL_TRY(addRun(line, place, run));
    record.failed.erase(mode);
    if (line.contains("failed"))
        record.failed[mode] = line["failed"].is_string() ? line["failed"].get<std::string>() : line["failed"].dump();
    if (mode == "ncu") {
        record.ncu = std::move(ncu);
        return {};
    }
    (mode == "bare" ? record.bare : record.counters) = std::move(run);
    std::optional<std::string>& program = mode == "bare" ? record.programBare : record.program;
    program.reset();
    if (line.contains("program") && line["program"].is_object())
        program = programClass(line["program"]);
    return {};
}

bool isMode(const std::string& word)
{
    return word == "counters" || word == "bare" || word == "ncu";
}

/// Why a line holds no record; empty if it does.
std::string whyUnusable(const Result<Json>& line)
{
    if (!line)
        return "It is cut off or not JSON: " + line.error().message;
    const auto isText = [&](const char* key) { return line->contains(key) && (*line)[key].is_string(); };
    if (!line->is_object() || !isText("id") || !isText("mode"))
        return "It is not an object with the id of a case and a mode.";
    if (const auto mode = (*line)["mode"].get<std::string>(); !isMode(mode))
        return fmt::format("\"{}\" is not a mode.", mode);
    return {};
}

} // namespace

std::vector<DamagedRecording> addRecords(std::string_view lines, std::string_view where, CorpusRecords& records)
{
    std::vector<DamagedRecording> damaged;
    for (int number = 1; !lines.empty(); ++number) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        const std::string_view text = lines.substr(0, end);
        lines.remove_prefix(std::min(end + 1, lines.size()));
        if (trimText(text).empty())
            continue;
        const std::string place = fmt::format("{}:{}", where, number);
        const Result<Json> line = parseJson(text, place);
        std::string why = whyUnusable(line);
        if (why.empty())
            if (const Status added = addLine(*line, place, records); !added)
                why = added.error().message;
        if (!why.empty())
            damaged.push_back({place, std::move(why)});
    }
    return damaged;
}

} // namespace kl::inline confusion
