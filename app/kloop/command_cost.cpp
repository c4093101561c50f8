// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/session_pick.h"
#include "app/kloop/streams.h"
#include "app/kloop/table.h"
#include "core/base/format.h"
#include "sessions/learning/history_json.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

std::string moneyOr(const std::vector<Figure>& figures)
{
    const std::optional<Figure> figure = shown(figures);
    return figure ? (figure->kind == FigureKind::derived ? "~" : "") + formatMoney(figure->value) : std::string();
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
Result<int> showFigure(Program& program, const Options& options, const char* name, double (*read)(const Store&),
                       Status (*write)(Store&, double), const char* unit)
{
    const Result<Store*> store = program.store();
    if (!store)
        return store.error();
    if (options.learning.dollars)
        if (const Status set = write(**store, *options.learning.dollars); !set)
            return set.error();
    const double dollars = read(**store);
    if (!program.printed({{"schema", "kernelloop.cost-setting/1"}, {"setting", name}, {"dollars", dollars}}))
        printText("{} {}\n", formatMoney(dollars), unit);
    return 0;
}

} // namespace

Result<int> commandCost(Program& program, const Options&)
{
    const Result<Store*> store = program.store();
    if (!store)
        return store.error();
    const Result<History> history = loadHistory(**store);
    const Result<std::vector<CostEntry>> entries = (*store)->costs();
    if (!history || !entries)
        return history ? entries.error() : history.error();
    Json answer{{"schema", "kernelloop.cost/1"}, {"sessions", Json::array()}, {"entries", Json::array()}};
    Table table({"session", "GPU>", "assistant>", "other>", "engineer>", "value>", ""});
    for (const HistoryRow& row : history->rows) {
        const std::optional<double> cash = cashOf(row.money);
        const bool over = cash && *cash > history->sessionCostTarget;
        Json item = moneyToJson(row.money);
        item["session"] = row.name;
        item["id"] = row.id;
        item["sample"] = row.sample;
        item["over_target"] = over;
        answer["sessions"].push_back(std::move(item));
        table.add({row.name, moneyOr(row.money.gpu), moneyOr(row.money.assistant), moneyOr(row.money.other), moneyOr(row.money.engineer),
                   moneyOr(row.money.value),
                   over         ? toned(fmt::format("over the target of {}", formatMoney(history->sessionCostTarget)), Tone::bad)
                   : row.sample ? "shipped"
                                : row.money.why});
    }
    for (const CostEntry& entry : *entries)
        answer["entries"].push_back(entryToJson(entry));
    answer["own"] = totalsToJson(history->own);
    answer["sample"] = totalsToJson(history->sample);
    answer["engineer_rate"] = history->engineerRate;
    answer["session_cost_target"] = history->sessionCostTarget;
    answer["notes"] = history->notes;
    if (program.printed(answer))
        return 0;
    printText("{}", table.text());
    const HistoryTotals& own = history->own;
    if (const std::optional<double> spent = own.spent()) {
        printText("\nSpent in this database: {} ({} money, {} of work at {} an hour)\n", formatMoney(*spent),
                  formatMoney(own.costHigh.value_or(0)), formatMoney(own.engineer.value_or(0)), formatMoney(history->engineerRate));
        const auto line = [&](const char* what, const std::optional<double>& value) {
            if (value)
                printText("  {}: {}, a return of {}\n", what, formatMoney(*value), formatRatio(returnOnInvestment(value, spent)));
        };
        line("value as entered", own.valueEntered);
        line("time saved, measured", own.valueMeasured);
        line("time saved, quoted", own.valueQuoted);
    }
    if (!entries->empty()) {
        Table entered({"entry", "kind", "dollars>", "note"});
        for (const CostEntry& entry : *entries)
            entered.add({entry.id, entry.kind, formatMoney(entry.dollars), entry.note});
        printText("\n{}", entered.text());
    }
    printText("\n~ is worked out from a price that is not your own: kloop cost price\n");
    return 0;
}

Result<int> commandCostPrice(Program& program, const Options& options)
{
    const Result<Store*> store = program.store();
    if (!store)
        return store.error();
    const LearningOptions& said = options.learning;
    if (said.reset || said.dollars) {
        if (options.first.empty() || (said.reset && said.dollars))
            return Error{ErrorCode::usage,
                         "A price belongs to one GPU and is either set or reset.",
                         "kloop cost price \"NVIDIA H200\" 3.50",
                         "GPU",
                         {}};
        if (const Status set = setGpuPrice(**store, options.first, said.dollars); !set)
            return set.error();
    }
    const Result<std::vector<GpuPrice>> prices = gpuPrices(**store);
    if (!prices)
        return prices.error();
    std::vector<GpuPrice> listed = *prices;
    if (!options.first.empty()) {
        const std::optional<GpuPrice> one = priceOf(*prices, options.first);
        if (!one)
            return Error{ErrorCode::notFound,
                         fmt::format("No price is known for \"{}\".", options.first),
                         fmt::format("Set one: kloop cost price \"{}\" DOLLARS", options.first),
                         options.first,
                         {}};
        listed = {*one};
    }
    Json answer{{"schema", "kernelloop.gpu-prices/1"}, {"prices", Json::array()}};
    Table table({"GPU", "an hour>", "as of", "class", "source"});
    for (const GpuPrice& price : listed) {
        answer["prices"].push_back(priceToJson(price));
        table.add({price.gpu, formatMoney(price.dollarsPerHour), price.date, price.priceClass, price.source});
    }
    if (!program.printed(answer))
        printText("{}", table.text());
    return 0;
}

Result<int> commandCostRate(Program& program, const Options& options)
{
    return showFigure(program, options, "engineer-rate", &engineerRate, &setEngineerRate, "an hour of an engineer's work");
}

Result<int> commandCostBudget(Program& program, const Options& options)
{
    return showFigure(program, options, "session-cost-target", &sessionCostTarget, &setSessionCostTarget,
                      "a session: GPU, assistant and other together");
}

Result<int> commandCostAdd(Program& program, const Options& options)
{
    const LearningOptions& said = options.learning;
    const std::pair<const char*, std::optional<double>> given[] = {
        {"assistant", said.assistant}, {"gpu", said.gpu}, {"other", said.other}, {"value", said.value}};
    if (std::none_of(std::begin(given), std::end(given), [](const auto& item) { return item.second.has_value(); }))
        return Error{ErrorCode::usage, "No amount is given.", "Say --assistant, --gpu, --other or --value with dollars.", "cost add", {}};
    for (const auto& [kind, dollars] : given) // all or nothing
        if (dollars && !(std::isfinite(*dollars) && *dollars >= 0))
            return Error{ErrorCode::badInput,
                         fmt::format("--{} has to be an amount of 0 or more.", kind),
                         "Give dollars; kloop cost remove takes an entry back.",
                         kind,
                         {}};
    const Result<SessionHeader> header = pickSession(program, options, Pick::latest);
    if (!header)
        return header.error();
    Json answer{{"schema", "kernelloop.cost-entries/1"}, {"session", header->name}, {"entries", Json::array()}};
    for (const auto& [kind, dollars] : given) {
        if (!dollars)
            continue;
        const Result<CostEntry> entry = addCost(**program.store(), header->id, kind, *dollars, said.note);
        if (!entry)
            return entry.error();
        answer["entries"].push_back(entryToJson(*entry));
    }
    if (!program.printed(answer))
        for (const Json& entry : answer["entries"])
            printText("{}: {} {}\n", header->name, entry["kind"].get<std::string>(), formatMoney(entry["dollars"].get<double>()));
    return 0;
}

Result<int> commandCostRemove(Program& program, const Options& options)
{
    const Result<Store*> store = program.store();
    if (!store)
        return store.error();
    if (const Status removed = (*store)->removeCost(options.first); !removed)
        return removed.error();
    if (!program.printed({{"schema", "kernelloop.cost-entries/1"}, {"removed", options.first}}))
        printText("Removed {}.\n", options.first);
    return 0;
}

} // namespace kl
