// SPDX-License-Identifier: MIT
#include "app/kloop/search/search_best.h"

#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/base/try.h"
#include "core/base/write_file.h"
#include "core/stats/ratio_text.h"
#include "kernels/family_point.h"
#include "kernels/user_kernel.h"
#include "sessions/search/packed_search.h"
#include "sessions/search/tuned_export.h"
#include "sessions/store/search_records.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

namespace kl::cli {
namespace {

struct BestOptions {
    std::string kernel;
    std::vector<std::string> problems;
    std::string device;
    std::string exportTo;
};

std::string formatSearchTitle(const SearchRecord& record)
{
    return fmt::format("{} at {} on {}", record.kernel, record.problem, record.device);
}

/// The kernel, a family alone or one of its variants, and the problem in full.
Result<BestFilter> makeFilter(Program& program, const BestOptions& requested)
{
    BestFilter filter;
    filter.device = requested.device;
    KL_ASSIGN(const Params problem, oneProblem(requested.problems));
    if (requested.kernel.empty()) {
        filter.sizes = problem;
        return filter;
    }
    KL_ASSIGN(const std::string plain, program.plainAddress(requested.kernel));
    KL_ASSIGN(Address address, parseAddress(plain));
    if (kernelPathIn(requested.kernel))
        address.variant.clear(); // a path means the whole kernel
    KL_ASSIGN(const Catalog* catalog, program.catalog());
    KL_ASSIGN(const KernelFamily* family, catalog->family(address.family));
    const Variant* variant = &family->variants.front();
    if (!address.variant.empty()) {
        KL_ASSIGN(variant, catalog->variant(address));
    }
    filter.kernel = toText(Address{address.family, address.variant, {}});
    filter.tunables = address.tunables;
    if (!problem.empty()) {
        KL_ASSIGN(const FamilyPoint point, makeFamilyPoint(*family, *variant, {}, problem));
        filter.problem = toText(point.sizes);
    }
    return filter;
}

/// For what looks at all points of a kernel.
Status wholeKernel(const BestFilter& filter)
{
    if (filter.tunables.empty())
        return {};
    return Error{.code = ErrorCode::usage,
                 .message = fmt::format("Searches are not chosen by tunables: {}.", toText(filter.tunables)),
                 .hint = fmt::format("Name {}.", filter.kernel),
                 .where = "KERNEL"};
}

/// The one kernel of a filter that was searched. Errors: notFound; usage for several variants.
Result<std::string> findSearchedKernel(const BestFilter& filter, const std::vector<FoundBest>& found)
{
    std::set<std::string> kernels;
    for (const FoundBest& each : found)
        kernels.insert(each.record.kernel);
    if (kernels.size() > 1)
        return Error{.code = ErrorCode::usage,
                     .message = fmt::format("{} variants of {} were searched.", kernels.size(), filter.kernel),
                     .hint = fmt::format("Name one of {}.", fmt::join(kernels, ", ")),
                     .where = "KERNEL"};
    return kernels.empty() ? filter.kernel : *kernels.begin();
}

void reportDamaged(Program& program, const std::vector<std::string>& damaged)
{
    if (const Job job = program.job(); !damaged.empty() && job.notice)
        job.notice(fmt::format("{} records of searches are damaged and left out, e.g. {}.", damaged.size(), damaged.front()));
}

void print(const FoundBest& found)
{
    const SearchRecord& record = found.record;
    const SearchBest& best = *record.best;
    printText("{}\n  {}  {}\n", formatSearchTitle(record), formatTime(best.ns), best.tunables);
    if (best.joules)
        printText("  {} per launch, which was minimized\n", formatEnergy(*best.joules));
    if (best.overDefault)
        printText("  speedup over the default point: {}\n", ratioText(*best.overDefault));
    if (best.confirmed && best.confirmed->verdict != TargetVerdict::noRival)
        printText("  speedup over {}: {} by t, {} by bootstrap, {} passes each; target {:.2f}×: {}\n", best.confirmed->rival,
                  ratioText(best.confirmed->student), intervalText(best.confirmed->bootstrap), best.confirmed->samples,
                  best.confirmed->target,
                  best.confirmed->verdict == TargetVerdict::met      ? "met"
                  : best.confirmed->verdict == TargetVerdict::missed ? "missed"
                                                                     : "inconclusive");
    if (!best.finding.empty())
        printText("  limited by: {}\n", best.finding);
    printText("  search {} of {}, {}, {} points measured{}{}\n", record.id.substr(0, 13), record.startedAt, record.strategy,
              formatCount(static_cast<double>(record.trials.size())),
              record.left > 0 ? fmt::format(", {} left", formatCount(static_cast<double>(record.left))) : "",
              best.run.empty() ? "" : "; run " + best.run.substr(0, 13));
    if (!found.stale.empty())
        printText("  STALE: {}\n", found.stale);
}

Status exportBest(Program& program, const FoundBest& found, const std::string& file)
{
    KL_ASSIGN(const Catalog* catalog, program.catalog());
    KL_ASSIGN(const Address address, parseAddress(found.record.kernel));
    KL_ASSIGN(const KernelFamily* family, catalog->family(address.family));
    KL_ASSIGN(const Variant* variant, catalog->variant(address));
    const std::string type = std::filesystem::path(file).extension().string();
    if (type == ".json") {
        KL_ASSIGN(const Json json, makeTunedJson(*family, *variant, found));
        return writeFile(file, encodePretty(json) + '\n');
    }
    KL_ASSIGN(const std::string header, makeTunedHeader(*family, *variant, found));
    return writeFile(file, header);
}

Result<int> showBest(Program& program, const BestOptions& requested)
{
    KL_ASSIGN(const BestFilter filter, makeFilter(program, requested));
    KL_ASSIGN(Store * store, program.store());
    KL_ASSIGN(const Catalog* catalog, program.catalog());
    std::vector<std::string> damaged;
    KL_ASSIGN(const std::vector<FoundBest> found, findBests(*store, *catalog, filter, &damaged));
    reportDamaged(program, damaged);
    if (found.empty())
        return Error{.code = ErrorCode::notFound,
                     .message =
                         fmt::format("No search{}{}{} has found a best point{} yet.", filter.kernel.empty() ? "" : " of " + filter.kernel,
                                     !filter.problem.empty() ? " at " + filter.problem
                                     : !filter.sizes.empty() ? " at " + toText(filter.sizes)
                                                             : "",
                                     requested.device.empty() ? "" : " on " + requested.device,
                                     filter.tunables.empty() ? "" : " with " + toText(filter.tunables)),
                     .hint = "Search its tunables first, on a GPU. The sample has some searches: --db :sample:.",
                     .where = requested.kernel};
    if (!requested.exportTo.empty()) {
        if (found.size() > 1)
            return Error{.code = ErrorCode::usage,
                         .message = fmt::format("{} best points match, and a file holds one.", found.size()),
                         .hint = fmt::format("Choose one, e.g. with --problem {} or --device.", found.front().record.problem),
                         .where = "--export"};
        KL_TRY(exportBest(program, found.front(), requested.exportTo));
    }
    Json answer{{"schema", "kernelloop.search-best/1"}, {"best", Json::array()}};
    for (const FoundBest& each : found) {
        const Result<Address> address = parseAddress(each.record.kernel);
        const Result<const KernelFamily*> family =
            address ? catalog->family(address->family) : Result<const KernelFamily*>(address.error());
        const Result<const Variant*> variant = address ? catalog->variant(*address) : Result<const Variant*>(address.error());
        Json json = searchRecordToJson(each.record);
        if (family && variant) {
            KL_ASSIGN(Json tuned, makeTunedJson(**family, **variant, each));
            json = std::move(tuned);
        }
        answer["best"].push_back(std::move(json));
    }
    if (!program.printAsJson(answer))
        for (const FoundBest& each : found)
            print(each);
    return 0;
}

Result<int> listSearches(Program& program, const BestOptions& requested)
{
    KL_ASSIGN(const BestFilter filter, makeFilter(program, requested));
    KL_ASSIGN(Store * store, program.store());
    KL_TRY(wholeKernel(filter));
    std::vector<std::string> damaged;
    KL_ASSIGN(const std::vector<SearchRecord> records, searchRecords(*store, filter.kernel, &damaged));
    reportDamaged(program, damaged);
    Json answer{{"schema", "kernelloop.searches/1"}, {"searches", Json::array()}};
    Table table({"Search", "Started", "Kernel", "Problem", "Device", "Strategy", "Points>", "Best>", ""});
    for (const SearchRecord& record : records) {
        Json json = searchRecordToJson(record);
        json.erase("trials");
        json.erase("rejected");
        json.erase("same_program");
        json["measured"] = record.trials.size();
        const std::string state = json["state"];
        answer["searches"].push_back(std::move(json));
        table.add({record.id.substr(0, 13), record.startedAt.substr(0, 16), record.kernel, record.problem, record.device, record.strategy,
                   formatCount(static_cast<double>(record.trials.size())), record.best ? formatTime(record.best->ns) : kNoValue,
                   record.state == SearchStage::finished ? "" : state});
    }
    if (!program.printAsJson(answer))
        printText("{}", records.empty() ? "No search is stored.\n" : table.text());
    return 0;
}

struct ShowSearchOptions {
    std::string id;
    std::size_t top = 20;
    std::string exportTo;
};

void print(const SearchRecord& record, std::size_t top)
{
    printText("{}\n  search {} of {}, {}, {} points measured in {}{}\n", formatSearchTitle(record), record.id, record.startedAt,
              record.strategy, formatCount(static_cast<double>(record.trials.size())), formatTime(record.seconds * 1e9),
              record.left > 0 ? fmt::format(", {} left", formatCount(static_cast<double>(record.left))) : "");
    for (const SearchReference& one : record.references)
        printText("  {}\n", referenceText(one));
    std::vector<const SearchTrial*> trials;
    for (const SearchTrial& trial : record.trials)
        trials.push_back(&trial);
    std::ranges::stable_sort(trials, {}, [](const SearchTrial* trial) { return trial->ns.value_or(std::numeric_limits<double>::max()); });
    Table table({"", "GPU time>", "Tunables", "At>", "Registers>", "Occupancy>", ""});
    const auto fact = [](const SearchTrial& trial, const char* name, const char* unit) {
        const auto found = trial.facts.find(name);
        return found == trial.facts.end() ? std::string(kNoValue) : fmt::format("{:.0f}{}", found->second, unit);
    };
    for (std::size_t i = 0; i < std::min(top, trials.size()); ++i) {
        const SearchTrial& trial = *trials[i];
        table.add({fmt::format("{}", i + 1), trial.ns ? formatTime(*trial.ns) : kNoValue, trial.tunables, fmt::format("{:.2f} s", trial.at),
                   fact(trial, "registers", ""), fact(trial, "occupancy", " %"), trial.why});
    }
    printText("{}", table.text("  "));
    if (trials.size() > top)
        printText("  The first {} of {} points are shown; --top {} shows all.\n", top, formatCount(static_cast<double>(trials.size())),
                  trials.size());
}

/// For CLI11: empty, or what is wrong with the name of an export.
std::string wrongRecord(const std::string& file)
{
    const std::string type = std::filesystem::path(file).extension().string();
    return type == ".json" || type == ".zst" ? std::string() : fmt::format("\"{}\" ends neither in .json nor in .zst", file);
}

Result<int> showSearch(Program& program, const ShowSearchOptions& requested)
{
    KL_ASSIGN(Store * store, program.store());
    KL_ASSIGN(const SearchRecord record, searchRecord(*store, requested.id));
    if (requested.exportTo.ends_with(".zst"))
        KL_TRY(writeFile(requested.exportTo, packSearch(record)));
    else if (!requested.exportTo.empty())
        KL_TRY(writeFile(requested.exportTo, encodePretty(searchRecordToJson(record)) + '\n'));
    if (!program.printAsJson(searchRecordToJson(record)))
        print(record, requested.top);
    return 0;
}

Json transferJson(const TransferReport& report)
{
    Json json{{"schema", "kernelloop.search-transfer/1"},
              {"kernel", report.kernel},
              {"stale", report.stale},
              {"places", Json::array()},
              {"portable", nullptr}};
    for (std::size_t from = 0; from < report.places.size(); ++from) {
        const SearchRecord& record = report.places[from].record;
        Json there = Json::array();
        for (const TransferEntry& entry : report.table[from])
            there.push_back({{"share", entry.share ? Json(*entry.share) : Json(nullptr)},
                             {"why", entry.why.empty() ? Json(nullptr) : Json(entry.why)}});
        json["places"].push_back({{"device", record.device},
                                  {"problem", record.problem},
                                  {"point", record.best->tunables},
                                  {"gpu_ns", record.best->ns},
                                  {"on", std::move(there)}});
    }
    if (report.portable)
        json["portable"] = {{"point", report.portable->tunables}, {"worst_share", report.portable->worst}};
    return json;
}

void print(const TransferReport& report)
{
    printText("{}: best points of {} searches, and how good each is where another was made (100 % is as fast as the best there)\n",
              report.kernel, report.places.size());
    std::vector<std::string> headings{"", "Best of", "Point"};
    for (std::size_t i = 0; i < report.places.size(); ++i)
        headings.push_back(fmt::format("{}>", i + 1));
    Table table(headings);
    std::vector<std::string> reasons;
    for (std::size_t from = 0; from < report.places.size(); ++from) {
        const SearchRecord& record = report.places[from].record;
        std::vector<std::string> row{fmt::format("{}", from + 1), record.device + ", " + record.problem, record.best->tunables};
        for (std::size_t to = 0; to < report.places.size(); ++to) {
            const TransferEntry& entry = report.table[from][to];
            row.push_back(entry.share ? formatPercent(100 * *entry.share) : kNoValue);
            if (!entry.share)
                reasons.push_back(fmt::format("{} on {}: {}", from + 1, to + 1, entry.why));
        }
        table.add(std::move(row));
    }
    printText("{}", table.text("  "));
    for (const std::string& reason : reasons)
        printText("  {}\n", reason);
    if (report.portable)
        printText("  Best in its worst place: {}, at least {} everywhere\n", report.portable->tunables,
                  formatPercent(100 * report.portable->worst));
    if (report.stale > 0)
        printText("  {} more are left out: the source has changed since.\n", report.stale);
}

Result<int> showTransfer(Program& program, const BestOptions& requested)
{
    KL_ASSIGN(const BestFilter filter, makeFilter(program, requested));
    KL_ASSIGN(Store * store, program.store());
    KL_ASSIGN(const Catalog* catalog, program.catalog());
    KL_TRY(wholeKernel(filter));
    KL_ASSIGN(const std::vector<FoundBest> found, findBests(*store, *catalog, filter, nullptr));
    KL_ASSIGN(const std::string kernel, findSearchedKernel(filter, found));
    KL_ASSIGN(const TransferReport report, computeTransfer(*store, *catalog, kernel));
    if (report.places.empty())
        return Error{.code = ErrorCode::notFound,
                     .message = fmt::format("No search of {} as it is now has found a best point yet.", kernel),
                     .hint = "Search it on two GPUs, or for two problems.",
                     .where = requested.kernel};
    if (!program.printAsJson(transferJson(report)))
        print(report);
    return 0;
}

/// For CLI11: empty, or what is wrong with the name of an export.
std::string wrongExport(const std::string& file)
{
    const std::string type = std::filesystem::path(file).extension().string();
    return type == ".h" || type == ".hpp" || type == ".cuh" || type == ".json"
               ? std::string()
               : fmt::format("\"{}\" ends neither in .h, .hpp or .cuh nor in .json", file);
}

} // namespace

std::string referenceText(const SearchReference& reference)
{
    return fmt::format("{} ({}) takes {} for the reference, 95 % CI width {}{}", reference.gpu, reference.host, formatTime(reference.ns),
                       formatPercent(100 * reference.noise),
                       reference.clockMhz ? fmt::format(", {:.0f} MHz", *reference.clockMhz) : std::string());
}

Runner addSearchBest(CLI::App& app)
{
    const auto o = std::make_shared<BestOptions>();
    app.add_option("KERNEL", o->kernel,
                   "family or family/variant (default: every kernel that was searched); with tunables after @, only points that have them");
    addProblems(app, o->problems, "Sizes, e.g. B=2,H=8,S=512,D=64 (default: every problem that was searched)");
    app.add_option("--device", o->device, "Part of the device's name (default: every device)");
    app.add_option("--export", o->exportTo, "Also write it to this file: a C++ header (.h, .hpp, .cuh) or JSON (.json)")
        ->check(wrongExport);
    app.footer("The fastest verified point of each device and problem in the database. It is marked as stale when the kernel's source has\n"
               "changed since the search. Needs no GPU.");
    return [o](Program& program) { return showBest(program, *o); };
}

Runner addSearchList(CLI::App& app)
{
    const auto o = std::make_shared<BestOptions>();
    app.add_option("KERNEL", o->kernel, "family or family/variant (default: all)");
    return [o](Program& program) { return listSearches(program, *o); };
}

Runner addSearchShow(CLI::App& app)
{
    const auto o = std::make_shared<ShowSearchOptions>();
    app.add_option("SEARCH", o->id, "id of a search, or the start of it (kloop search list)")->required();
    app.add_option("--top", o->top, "Points to show, the fastest first")->check(CLI::Range(1, 100000))->capture_default_str();
    app.add_option("--export", o->exportTo, "Also write all of it to this file: JSON (.json), or compressed, as the sample has it (.zst)")
        ->check(wrongRecord);
    app.footer("Every point that it measured, with compiler facts and counters in --json. Needs no GPU.");
    return [o](Program& program) { return showSearch(program, *o); };
}

Runner addSearchTransfer(CLI::App& app)
{
    const auto o = std::make_shared<BestOptions>();
    app.add_option("KERNEL", o->kernel, "family or family/variant")->required();
    app.footer("Shows how well the best point of one device or size does on another, from searches in the database. Needs no GPU.");
    return [o](Program& program) { return showTransfer(program, *o); };
}

} // namespace kl::cli
