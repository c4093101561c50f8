// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/session_pick.h"
#include "app/kloop/terminal/step_commands.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/base/try.h"
#include "sessions/learning/history_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

struct CostPriceOptions {
    std::string gpu;
    std::optional<double> dollars;
    bool reset = false;
};

struct CostAddOptions {
    std::string session;
    std::optional<double> assistant;
    std::optional<double> gpu;
    std::optional<double> other;
    std::optional<double> value;
    std::string note;
};

std::string moneyOr(const std::vector<Figure>& figures)
{
    const std::optional<Figure> figure = findShownFigure(figures);
    return figure ? formatMarked(*figure, &formatMoney) : std::string();
}

std::string moneyOr(const std::optional<double>& dollars)
{
    return dollars ? formatMoney(*dollars) : std::string();
}

Json entryToJson(const CostEntry& entry)
{
    return Json{{"id", entry.id},     {"session", entry.session}, {"at", entry.at},
                {"kind", entry.kind}, {"dollars", entry.dollars}, {"note", entry.note}};
}

Json priceToJson(const GpuPrice& price)
{
    return Json{{"gpu", price.gpu},
                {"dollars_per_hour", price.dollarsPerHour},
                {"date", price.date},
                {"class", price.priceClass},
                {"source", price.source}};
}

/// Sets a figure where one was given, then prints the one that holds.
Result<int> showSetting(Program& program, const std::optional<double>& given, const char* name, double (*read)(const Store&),
                        Status (*write)(Store&, double), const char* unit)
{
    KL_ASSIGN(auto* store, program.store());
    if (given)
        KL_TRY(write(*store, *given));
    const double dollars = read(*store);
    if (!program.printAsJson({{"schema", "kernelloop.cost-setting/1"}, {"setting", name}, {"dollars", dollars}}))
        printText("{} {}\n", formatMoney(dollars), unit);
    return 0;
}

/// The return by the definition that is printed beside it: value / (cash + the engineer's time).
void printSpent(const char* where, const HistoryTotals& totals, double rate)
{
    const std::optional<double> spent = totals.sumSpent();
    if (!spent)
        return;
    const auto range = [](double low, double high, auto format) { return low == high ? format(low) : format(low) + " to " + format(high); };
    const auto money = [&](std::optional<double> low, std::optional<double> high) {
        return range(low.value_or(0), high.value_or(low.value_or(0)), [](double dollars) { return formatMoney(dollars); });
    };
    const char* mark = totals.costDerived ? "~" : "";
    printText("\nSpent {}: {}{} ({}{} cash, {} of work at {} per hour)\n", where, mark, money(totals.sumSpentLow(), spent), mark,
              money(totals.costLow, totals.costHigh), money(totals.engineer, totals.engineerHigh), formatMoney(rate));
    const auto line = [&](const char* what, const std::optional<double>& value) {
        if (value)
            printText("  {}: {}, a return of {} (value / spent)\n", what, formatMoney(*value),
                      range(*value / *spent, *value / *totals.sumSpentLow(), [](double ratio) { return formatRatio(ratio); }));
    };
    line("value entered", totals.valueEntered);
    line("time saved, measured", totals.valueMeasured);
    line("time saved, claimed", totals.valueQuoted);
}

Result<int> showCosts(Program& program)
{
    KL_ASSIGN(auto* store, program.store());
    const Result<History> history = loadHistory(*store);
    const Result<std::vector<CostEntry>> entries = store->costs();
    if (!history || !entries)
        return history ? entries.error() : history.error();
    Json answer{{"schema", "kernelloop.cost/1"}, {"sessions", Json::array()}, {"entries", Json::array()}};
    Table table({"Session", "GPU>", "Assistant>", "Other>", "Engineer>", "Value>", ""});
    for (const HistoryRow& row : history->rows) {
        const std::optional<double> cash = computeCash(row.money);
        const bool over = cash && *cash > history->sessionCostTarget;
        Json item = moneyToJson(row.money);
        item["session"] = row.name;
        item["id"] = row.id;
        item["sample"] = row.sample;
        item["over_target"] = over;
        answer["sessions"].push_back(std::move(item));
        table.add({row.name, moneyOr(row.money.gpu), moneyOr(row.money.assistant), moneyOr(row.money.other), moneyOr(row.money.engineer),
                   moneyOr(row.money.value),
                   over         ? applyTone(fmt::format("over the cost target of {}", formatMoney(history->sessionCostTarget)), Tone::bad)
                   : row.sample ? "shipped"
                                : withCommands(row.money.why, row.money.next ? std::vector{*row.money.next} : std::vector<NextStep>{})});
    }
    for (const CostEntry& entry : *entries)
        answer["entries"].push_back(entryToJson(entry));
    answer["own"] = totalsToJson(history->own);
    answer["sample"] = totalsToJson(history->sample);
    answer["engineer_rate"] = history->engineerRate;
    answer["session_cost_target"] = history->sessionCostTarget;
    answer["notes"] = history->notes;
    if (program.printAsJson(answer))
        return 0;
    printText("{}", table.text());
    printSpent("in this database", history->own, history->engineerRate);
    printSpent("in the shipped history", history->sample, history->engineerRate);
    for (const std::string& note : history->notes)
        printText("\n{}\n", applyTone(note, Tone::faint));
    if (!entries->empty()) {
        Table entered({"Entry", "Kind", "Dollars>", "Note"});
        for (const CostEntry& entry : *entries)
            entered.add({entry.id, entry.kind, formatMoney(entry.dollars), entry.note});
        printText("\n{}", entered.text());
    }
    printText("\n~ is computed from a default price. Set your own: kloop cost price\n");
    return 0;
}

/// A price to set; an empty GPU is the user's to name.
NextStep priceStep(const std::string& gpu)
{
    NextStep step{StepId::setPrice};
    step.set(StepArgument::device, gpu);
    step.inputs = {{StepArgument::device, "Which GPU, e.g. NVIDIA H200?"}, {StepArgument::dollars, "How many dollars per hour?"}};
    if (!gpu.empty())
        step.inputs.erase(step.inputs.begin());
    return step;
}

Result<int> showPrices(Program& program, const CostPriceOptions& options)
{
    KL_ASSIGN(auto* store, program.store());
    if (options.reset || options.dollars) {
        if (options.gpu.empty() || (options.reset && options.dollars))
            return Error{.code = ErrorCode::usage,
                         .message = "A price is either set or reset, for one GPU.",
                         .hint = "Name the GPU with dollars per hour, e.g. 3.50, or with --reset.",
                         .where = "GPU"}
                .leadTo(priceStep(options.gpu));
        KL_TRY(setGpuPrice(*store, options.gpu, options.dollars));
    }
    KL_ASSIGN(const std::vector<GpuPrice> prices, gpuPrices(*store));
    std::vector<GpuPrice> listed = prices;
    if (!options.gpu.empty()) {
        const std::optional<GpuPrice> one = findPrice(prices, options.gpu);
        if (!one)
            return Error{.code = ErrorCode::notFound,
                         .message = fmt::format("There is no price for \"{}\".", options.gpu),
                         .hint = "Set one.",
                         .where = options.gpu}
                .leadTo(priceStep(options.gpu));
        listed = {*one};
    }
    Json answer{{"schema", "kernelloop.gpu-prices/1"}, {"prices", Json::array()}};
    Table table({"GPU", "Per hour>", "As of", "Class", "Source"});
    for (const GpuPrice& price : listed) {
        answer["prices"].push_back(priceToJson(price));
        table.add({price.gpu, formatMoney(price.dollarsPerHour), price.date, price.priceClass, price.source});
    }
    if (!program.printAsJson(answer))
        printText("{}", table.text());
    return 0;
}

Result<int> showRate(Program& program, const std::optional<double>& dollars)
{
    return showSetting(program, dollars, "engineer-rate", &engineerRate, &setEngineerRate, "per hour (engineering rate)");
}

Result<int> showBudget(Program& program, const std::optional<double>& dollars)
{
    return showSetting(program, dollars, "session-cost-target", &sessionCostTarget, &setSessionCostTarget,
                       "per session (cost target for GPU, assistant and other together)");
}

Result<int> enterCost(Program& program, const CostAddOptions& requested)
{
    const std::pair<const char*, std::optional<double>> given[] = {
        {"assistant", requested.assistant}, {"gpu", requested.gpu}, {"other", requested.other}, {"value", requested.value}};
    if (std::none_of(std::begin(given), std::end(given), [](const auto& item) { return item.second.has_value(); }))
        return Error{.code = ErrorCode::usage,
                     .message = "No amount is given.",
                     .hint = "Give --assistant, --gpu, --other or --value, in dollars.",
                     .where = "cost add"};
    for (const auto& [kind, dollars] : given) // all or nothing
        if (dollars && !(*dollars >= 0 && *dollars <= kMostDollars))
            return Error{.code = ErrorCode::badInput,
                         .message = fmt::format("--{} must be 0 to {}.", kind, formatMoney(kMostDollars)),
                         .hint = "Give dollars. To undo an entry, remove it by its id. See the entries.",
                         .where = kind}
                .leadTo({StepId::listCosts});
    KL_ASSIGN(const SessionHeader header, pickSession(program, requested.session, Pick::latest));
    Json answer{{"schema", "kernelloop.cost-entries/1"}, {"session", header.name}, {"entries", Json::array()}};
    for (const auto& [kind, dollars] : given) {
        if (!dollars)
            continue;
        KL_ASSIGN(const CostEntry entry, addCost(**program.store(), header.id, kind, *dollars, requested.note));
        answer["entries"].push_back(entryToJson(entry));
    }
    if (!program.printAsJson(answer))
        for (const Json& entry : answer["entries"])
            printText("{}: {} {}\n", header.name, entry["kind"].get<std::string>(), formatMoney(entry["dollars"].get<double>()));
    return 0;
}

Result<int> removeCost(Program& program, const std::string& entry)
{
    KL_ASSIGN(auto* store, program.store());
    KL_TRY(store->removeCost(entry));
    if (!program.printAsJson({{"schema", "kernelloop.cost-entries/1"}, {"removed", entry}}))
        printText("Removed {}.\n", entry);
    return 0;
}

Runner addCostPrice(CLI::App& app)
{
    const auto o = std::make_shared<CostPriceOptions>();
    app.add_option("GPU", o->gpu, "Product name, e.g. \"NVIDIA H200\"");
    app.add_option("DOLLARS", o->dollars, "Dollars per hour");
    app.add_flag("--reset", o->reset, "Go back to the shipped price");
    app.footer("  kloop cost price \"NVIDIA H200\" 3.50");
    return [o](Program& program) { return showPrices(program, *o); };
}

Runner addCostRate(CLI::App& app)
{
    const auto dollars = std::make_shared<std::optional<double>>();
    app.add_option("DOLLARS", *dollars, "Dollars per hour");
    return [dollars](Program& program) { return showRate(program, *dollars); };
}

Runner addCostBudget(CLI::App& app)
{
    const auto dollars = std::make_shared<std::optional<double>>();
    app.add_option("DOLLARS", *dollars, "Dollars");
    return [dollars](Program& program) { return showBudget(program, *dollars); };
}

Runner addCostAdd(CLI::App& app)
{
    const auto o = std::make_shared<CostAddOptions>();
    addSessionOption(app, o->session, "Name or id of the session (default: the latest one)");
    app.add_option("--assistant", o->assistant, "Cost of the assistant, dollars");
    app.add_option("--gpu", o->gpu, "Bill for the GPU, dollars; replaces time × price");
    app.add_option("--other", o->other, "Other costs, dollars");
    app.add_option("--value", o->value, "What the result is worth, dollars");
    app.add_option("--note", o->note, "What it is for");
    app.footer("  kloop cost add --session N+6 --assistant 0.85 --note \"two hours of help\"");
    return [o](Program& program) { return enterCost(program, *o); };
}

Runner addCostRemove(CLI::App& app)
{
    const auto entry = std::make_shared<std::string>();
    app.add_option("ENTRY", *entry, "Its id, from `kloop cost`")->required();
    return [entry](Program& program) { return removeCost(program, *entry); };
}

} // namespace

Runner addCost(CLI::App& app)
{
    return addCommands(app,
                       {{"price", "Show GPU prices per hour, or set your own", addCostPrice},
                        {"rate", "Show or set the engineering rate, dollars per hour", addCostRate},
                        {"budget", "Show or set the cost target per session", addCostBudget},
                        {"add", "Add a cost or value to a session", addCostAdd},
                        {"remove", "Remove an entry", addCostRemove}},
                       showCosts);
}

} // namespace kl::cli
