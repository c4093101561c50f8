// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/labels.h"
#include "app/kloop/common/program.h"
#include "app/kloop/common/stored_run.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/base/try.h"
#include "core/codec/model_fields.h"

#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

constexpr int kUsualRows = 50;
constexpr std::size_t kMinute = 16;    ///< characters of a time up to its minutes
constexpr std::size_t kIdLetters = 13; ///< of an id: the time of a UUID of version 7
constexpr std::size_t kLeastId = 4;    ///< letters that are taken for the start of an id

const std::map<std::string, RunOrder> kOrders = {
    {"newest", RunOrder::newest}, {"fastest", RunOrder::fastest}, {"slowest", RunOrder::slowest}};

struct ListOptions {
    RunQuery query;
    std::string order = "newest";
    std::string find;
    std::string after;
};

/// As resolveRun() takes it, and an id, or the start of one, alone: what the list shows.
Result<RunId> resolveNamedRun(Program& program, const std::string& text)
{
    const bool isId = text.size() >= kLeastId && text.find_first_not_of("0123456789abcdef-") == std::string::npos;
    return resolveRun(program, isId ? "run:" + text : text, {});
}

Json summaryJson(const RunSummary& run)
{
    const auto number = [](const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); };
    return {{"id", run.id.text},
            {"kernel", run.kernel},
            {"problem", run.problem},
            {"device", run.device},
            {"source", toWord(run.source)},
            {"started_at", run.startedAt},
            {"status", toWord(run.status)},
            {"correctness", toWord(run.correctness)},
            {"gpu_ns", number(run.gpuNs)},
            {"speedup", number(run.speedup)},
            {"class", run.classId.empty() ? Json(nullptr) : Json(run.classId)},
            {"name", run.name.empty() ? Json(nullptr) : Json(run.name)},
            {"tags", splitWords(run.tags)}};
}

Result<int> listRuns(Program& program, ListOptions options)
{
    KL_ASSIGN(auto* store, program.store());
    options.query.words = splitWords(options.find);
    options.query.order = kOrders.at(options.order);
    if (!options.after.empty()) {
        KL_ASSIGN(options.query.after, resolveNamedRun(program, options.after));
    }
    KL_ASSIGN(const std::vector<RunSummary> runs, store->runs(options.query));
    Json answer{{"schema", "kernelloop.runs/1"}, {"runs", Json::array()}};
    Table table({"Run", "Started", "Kernel", "Problem", "GPU time>", "Finding", "Device", "Name", "Tags"});
    for (const RunSummary& run : runs) {
        answer["runs"].push_back(summaryJson(run));
        std::string started = run.startedAt.substr(0, kMinute);
        std::ranges::replace(started, 'T', ' ');
        table.add({run.id.text.substr(0, kIdLetters), started, run.kernel, run.problem, isUsable(run) ? formatTime(run.gpuNs) : "failed",
                   run.classId, run.device, run.name, run.tags});
    }
    const bool more = static_cast<int>(runs.size()) == options.query.limit;
    answer["after"] = more && !runs.empty() ? Json(runs.back().id.text) : Json(nullptr);
    if (program.printAsJson(answer))
        return 0;
    printText("{}", runs.empty() ? "No runs match.\n" : table.text());
    if (more)
        say("kloop: more: --after {}\n", runs.back().id.text);
    return 0;
}

Result<int> removeRuns(Program& program, const std::vector<std::string>& names, bool confirmed)
{
    KL_ASSIGN(auto* store, program.store());
    KL_TRY(checkStorable(*store));
    std::vector<RunId> ids;
    std::string lost;
    for (const std::string& name : names) {
        KL_ASSIGN(const RunId id, resolveNamedRun(program, name));
        KL_ASSIGN(const RunSummary run, store->summary(id));
        KL_ASSIGN(const Dependents with, store->dependents(id));
        lost += fmt::format("{}run {} ({}, {}){}", lost.empty() ? "" : "; ", id.text, run.kernel, run.problem, describeLost(with));
        ids.push_back(id);
    }
    if (!confirmed)
        return makeUnconfirmedError(lost);
    Json removed = Json::array();
    for (const RunId& id : ids) {
        KL_TRY(store->removeRun(id));
        removed.push_back(id.text);
    }
    if (!program.printAsJson({{"schema", "kernelloop.runs/1"}, {"deleted", removed}}))
        printText("Deleted: {}.\n", lost);
    return 0;
}

Result<int> nameRun(Program& program, const std::string& run, const std::string& name)
{
    KL_ASSIGN(auto* store, program.store());
    KL_ASSIGN(const RunId id, resolveNamedRun(program, run));
    KL_TRY(store->nameRun(id, name));
    KL_ASSIGN(const RunSummary named, store->summary(id));
    if (!program.printAsJson({{"schema", "kernelloop.runs/1"}, {"runs", Json::array({summaryJson(named)})}}))
        printText("{}: {}\n", id.text, name.empty() ? "no name" : name);
    return 0;
}

CLI::Option* addRun(CLI::App& app, std::string& run)
{
    return app.add_option("RUN", run, "Its id, or the start of it, or family/variant for its newest run")->required();
}

Runner addRunsList(CLI::App& app)
{
    const auto options = std::make_shared<ListOptions>();
    options->query.limit = kUsualRows;
    app.add_option("--find", options->find, "Words that occur in the kernel, problem, device, class, name or tags");
    app.add_option("--kernel", options->query.kernel, "Family, or family/variant");
    app.add_option("--class", options->query.classId, "Class of the finding, e.g. dram-bound");
    app.add_option("--tag", options->query.tag, "Only runs with this tag");
    app.add_flag("--profiles", options->query.profilesOnly, "Only runs with a finding");
    app.add_option("--sort", options->order, "newest (default), fastest or slowest")->check(CLI::IsMember(kOrders).description(""));
    app.add_option("--limit", options->query.limit, "Rows at most (default 50)")->check(CLI::Range(1, 100000).description(""));
    app.add_option("--after", options->after, "Continue after this run");
    return [options](Program& program) { return listRuns(program, *options); };
}

Runner addRunsRename(CLI::App& app)
{
    const auto run = std::make_shared<std::string>();
    const auto name = std::make_shared<std::string>();
    addRun(app, *run);
    app.add_option("NAME", *name, "Its name; empty to remove it")->required();
    return [run, name](Program& program) { return nameRun(program, *run, *name); };
}

Runner addRunsDelete(CLI::App& app)
{
    const auto runs = std::make_shared<std::vector<std::string>>();
    const auto yes = std::make_shared<bool>(false);
    app.add_option("RUN", *runs, "Ids, or the start of them")->required();
    app.add_flag("--yes", *yes, "Delete; without --yes, only list what would be deleted");
    return [runs, yes](Program& program) { return removeRuns(program, *runs, *yes); };
}

Runner addRunsTag(CLI::App& app, bool on)
{
    const auto run = std::make_shared<std::string>();
    const auto tags = std::make_shared<std::vector<std::string>>();
    addRun(app, *run);
    app.add_option("TAG", *tags, "Words")->required();
    return [run, tags, on](Program& program) -> Result<int> {
        KL_ASSIGN(const RunId id, resolveNamedRun(program, *run));
        return setTags(program, "run:" + id.text, *tags, on);
    };
}

} // namespace

Runner addRuns(CLI::App& app)
{
    return addCommands(app, {{"list", "List runs: filtered, sorted, a page at a time", addRunsList},
                             {"rename", "Give a run a name", addRunsRename},
                             {"tag", "Add tags to a run", [](CLI::App& sub) { return addRunsTag(sub, true); }},
                             {"untag", "Remove tags from a run", [](CLI::App& sub) { return addRunsTag(sub, false); }},
                             {"delete", "Delete runs with their comparisons and notes", addRunsDelete}});
}

} // namespace kl::cli
