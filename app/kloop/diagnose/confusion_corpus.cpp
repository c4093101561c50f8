// SPDX-License-Identifier: MIT
#include "app/kloop/diagnose/confusion_corpus.h"

#include "app/kloop/terminal/streams.h"
#include "core/base/try.h"
#include "core/base/write_file.h"
#include "sessions/confusion/corpus_confusion.h"
#include "sessions/confusion/corpus_pairs.h"
#include "sessions/import/byte_source.h"
#include "sessions/import/file_bytes.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

namespace kl::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLabels = "labels.json";
constexpr const char* kPairs = "pairs.json";
constexpr const char* kRecordings = "recordings";

/// The words of JSON for a judge.
constexpr std::array<std::pair<Judge, const char*>, kCorpusJudges.size()> kJudgeWords{
    {{Judge::counters, "counters"}, {Judge::inferred, "inferred"}, {Judge::ncu, "ncu"}, {Judge::ncuSpeedOfLight, "ncu_speed_of_light"}}};

struct CorpusFiles {
    fs::path labels;
    std::vector<fs::path> recordings;
};

bool isRecording(const fs::path& file)
{
    const std::string name = file.filename().string();
    return name.ends_with(".jsonl") || name.ends_with(".jsonl.zst");
}

CorpusFiles findFiles(const fs::path& path)
{
    std::error_code failure;
    CorpusFiles files;
    if (!fs::is_directory(path, failure)) {
        const fs::path folder = fs::absolute(path, failure).parent_path();
        files.labels = fs::exists(folder / kLabels, failure) ? folder / kLabels : folder.parent_path() / kLabels;
        files.recordings = {path};
        return files;
    }
    files.labels = path / kLabels;
    for (const fs::path& folder : {path, path / kRecordings})
        for (const fs::directory_entry& entry : fs::directory_iterator(folder, failure))
            if (isRecording(entry.path()))
                files.recordings.push_back(entry.path());
    std::ranges::sort(files.recordings);
    return files;
}

Result<std::string> plainText(const fs::path& path)
{
    const std::string where = path.string();
    KL_ASSIGN(const FileBytes bytes, fileBytes(where));
    if (!isCompressed(bytes.view()))
        return std::string(bytes.view());
    std::string text;
    const ByteSource source = unpackSource(toByteSource(bytes.view()), where);
    for (;;) {
        KL_ASSIGN(const std::string_view part, source());
        if (part.empty())
            return text;
        text += part;
    }
}

Json toJson(const Rate& rate)
{
    return {{"right", rate.right}, {"of", rate.of}};
}

Json ratesToJson(const CorpusConfusion& confusion, const CorpusConfusion::Filter& filter)
{
    Json rates = Json::object();
    for (const auto& [judge, word] : kJudgeWords)
        rates[word] = toJson(confusion.rate(judge, filter));
    return rates;
}

Json ratesBy(const CorpusConfusion& confusion, std::string CorpusCase::*of)
{
    Json rates = Json::object();
    std::set<std::string> values;
    for (const JudgedCase& one : confusion.cases)
        values.insert(one.label.*of);
    for (const std::string& value : values)
        rates[value] = ratesToJson(confusion, [&](const JudgedCase& one) { return one.label.*of == value; });
    return rates;
}

Json toJson(const JudgedCase& one)
{
    Json row{{"id", one.label.id},           {"framework", one.label.framework}, {"library", one.label.library},
             {"subject", one.label.subject}, {"expected", one.label.expected},   {"also", one.label.also},
             {"why", one.label.why}};
    for (const auto& [judge, word] : kJudgeWords)
        row[word] = one.by(judge).empty() ? Json(nullptr) : Json(one.by(judge));
    row["contradiction"] =
        one.contradiction ? Json{{"unit", one.contradiction->unit}, {"percent", one.contradiction->percent}} : Json(nullptr);
    row["failed"] = one.failed;
    return row;
}

/// Every recording that can be read.
struct CorpusRead {
    CorpusRecords records;
    std::vector<DamagedRecording> damaged;
};

CorpusRead readRecordings(const std::vector<fs::path>& files)
{
    CorpusRead read;
    for (const fs::path& file : files) {
        const Result<std::string> text = plainText(file);
        if (!text) {
            read.damaged.push_back({file.string(), text.error().message});
            continue;
        }
        for (DamagedRecording& one : addRecords(*text, file.string(), read.records))
            read.damaged.push_back(std::move(one));
    }
    return read;
}

Json toJson(const CorpusConfusion& confusion)
{
    Json answer{{"schema", "kernelloop.corpus/1"},
                {"held_out", confusion.heldOut},
                {"recorded", confusion.countRecorded()},
                {"of", confusion.cases.size()},
                {"rates", ratesToJson(confusion, {})},
                {"classes", ratesBy(confusion, &CorpusCase::expected)},
                {"frameworks", ratesBy(confusion, &CorpusCase::framework)},
                {"balanced", toJson(confusion.countBalanced())},
                {"contradictions", confusion.contradictions().size()},
                {"cases", Json::array()}};
    for (const JudgedCase& one : confusion.cases)
        answer["cases"].push_back(toJson(one));
    return answer;
}

Json toJson(const JudgedPair& one)
{
    return {{"slow", one.pair.slow},
            {"fast", one.pair.fast},
            {"class", one.classId},
            {"estimated_speedup", one.estimated ? Json(*one.estimated) : Json(nullptr)},
            {"measured_speedup", one.measured}};
}

/// Those of the file beside the labels, if there is one. Pairs are of cases that are not held out.
Result<std::vector<JudgedPair>> judgeCorpusPairs(const fs::path& labels, const CorpusRecords& records, const DiagnosisTree& tree)
{
    const fs::path file = labels.parent_path() / kPairs;
    std::error_code failure;
    if (!fs::exists(file, failure))
        return std::vector<JudgedPair>{};
    KL_ASSIGN(const FileBytes bytes, fileBytes(file.string()));
    KL_ASSIGN(const std::vector<CorpusPair> pairs, parsePairs(bytes.view(), file.string()));
    return judgePairs(pairs, records, tree);
}

} // namespace

Result<int> countCorpus(Program& program, const std::string& path, bool heldOut, const std::string& markdown)
{
    KL_ASSIGN(const DiagnosisTree* tree, program.tree());
    std::error_code failure;
    if (!fs::exists(path, failure))
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("There is no file or folder \"{}\".", path),
                     .hint = "Name a folder with labels.json and recordings, or one recording.",
                     .where = path};
    const CorpusFiles files = findFiles(path);
    KL_ASSIGN(const FileBytes labels, fileBytes(files.labels.string()));
    KL_ASSIGN(const std::vector<CorpusCase> cases, parseCorpus(labels.view(), files.labels.string()));
    const CorpusRead read = readRecordings(files.recordings);
    for (const DamagedRecording& one : read.damaged)
        say("kloop: {} is left out: {}\n", one.where, one.why);
    const CorpusConfusion confusion = corpusConfusion(cases, read.records, *tree, heldOut);
    if (confusion.countRecorded() == 0)
        return Error{.code = ErrorCode::badInput,
                     .message = "No case of the corpus is recorded yet.",
                     .hint = "tests/corpus/record.py records the calls on a GPU.",
                     .where = path};
    KL_ASSIGN(const std::vector<JudgedPair> pairs,
              heldOut ? std::vector<JudgedPair>{} : judgeCorpusPairs(files.labels, read.records, *tree));
    const std::string text = corpusMarkdown(confusion) + pairsMarkdown(pairs);
    if (!markdown.empty())
        KL_TRY(writeFile(markdown, text));
    Json answer = toJson(confusion);
    answer["pairs"] = Json::array();
    for (const JudgedPair& one : pairs)
        answer["pairs"].push_back(toJson(one));
    answer["damaged"] = Json::array();
    for (const DamagedRecording& one : read.damaged)
        answer["damaged"].push_back({{"where", one.where}, {"why", one.why}});
    if (!program.printAsJson(answer))
        printText("{}", text);
    return read.damaged.empty() ? 0 : exitCode(ErrorCode::badInput);
}

} // namespace kl::cli
