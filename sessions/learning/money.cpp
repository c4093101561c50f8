// SPDX-License-Identifier: MIT
#include "sessions/learning/money.h"

#include "core/base/format.h"
#include "core/base/resource.h"
#include "core/base/try.h"
#include "core/codec/fields.h"
#include "core/device/device_table.h"
#include "sessions/hosts/host_list.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace kl::inline learning {

template <class V> void fields(V& v, GpuPrice& p)
{
    v("gpu", p.gpu);
    v("dollars_per_hour", p.dollarsPerHour);
    v("date", p.date);
    v("class", p.priceClass);
    v("source", p.source);
}

namespace {

constexpr const char* kOwnPrices = "gpu-prices";
constexpr const char* kRate = "engineer-rate";
constexpr const char* kTarget = "session-cost-target";

struct PriceFile {
    std::vector<GpuPrice> prices;
};
template <class V> void fields(V& v, PriceFile& f)
{
    v("prices", f.prices);
}

Error badFigure(const std::string& what, const std::string& where)
{
    return {.code = ErrorCode::badInput, .message = what, .hint = "Give an amount in US dollars, e.g. 3.50.", .where = where};
}

/// A setting that is a number above 0, or the default.
double rateIn(const Store& store, const char* key, double otherwise)
{
    const std::optional<std::string> text = store.setting(key);
    if (!text)
        return otherwise;
    char* end = nullptr;
    const double value = std::strtod(text->c_str(), &end);
    return end != text->c_str() && *end == '\0' && std::isfinite(value) && value > 0 ? value : otherwise;
}

bool isAmount(double dollars, double most)
{
    return std::isfinite(dollars) && dollars > 0 && dollars <= most;
}

/// Whether two names are of one product: "H200" and "NVIDIA H200".
bool isSameGpu(const std::string& a, const std::string& b)
{
    const GpuRow* product = findGpu(a);
    return a == b || (product != nullptr && findGpu(b) == product);
}

Status setRate(Store& store, const char* key, double dollars, double most)
{
    if (!isAmount(dollars, most))
        return badFigure(fmt::format("The amount must be above 0 and at most {}.", formatMoney(most)), key);
    return store.setSetting(key, fmt::format("{}", dollars));
}

Result<std::vector<GpuPrice>> ownPrices(const Store& store)
{
    const std::optional<std::string> text = store.setting(kOwnPrices);
    if (!text)
        return std::vector<GpuPrice>{};
    return parsePrices(*text, "setting gpu-prices");
}

} // namespace

Result<std::vector<GpuPrice>> parsePrices(std::string_view text, std::string_view where)
{
    KL_ASSIGN(const Json json, parseJson(text, where));
    KL_ASSIGN(PriceFile file, fromJson<PriceFile>(json, where));
    for (const GpuPrice& price : file.prices)
        if (price.gpu.empty() || !(price.dollarsPerHour > 0))
            return Error{.code = ErrorCode::badInput,
                         .message = fmt::format("{}: the price of \"{}\" has no GPU or is not above 0.", where, price.gpu),
                         .hint = "Name the GPU and its cost per hour in US dollars.",
                         .where = std::string(where)};
    return std::move(file.prices);
}

Result<std::vector<GpuPrice>> loadShippedPrices()
{
    constexpr const char* kPath = "resources/gpu-prices.json";
    KL_ASSIGN(const std::string_view text, resource(kPath));
    return parsePrices(text, kPath);
}

Result<std::vector<GpuPrice>> gpuPrices(const Store& store)
{
    KL_ASSIGN(std::vector<GpuPrice> prices, loadShippedPrices());
    KL_ASSIGN(const std::vector<GpuPrice> own, ownPrices(store));
    for (const GpuPrice& mine : own) {
        const auto there = std::find_if(prices.begin(), prices.end(), [&](const GpuPrice& p) { return isSameGpu(p.gpu, mine.gpu); });
        if (there != prices.end())
            *there = mine;
        else
            prices.push_back(mine);
    }
    return prices;
}

std::optional<GpuPrice> findPrice(const std::vector<GpuPrice>& prices, const std::string& device)
{
    for (const GpuPrice& price : prices)
        if (price.gpu == device)
            return price;
    const GpuRow* product = findGpu(device);
    for (const GpuPrice& price : prices)
        if (product && findGpu(price.gpu) == product)
            return price;
    return std::nullopt;
}

std::optional<GpuPrice> priceOn(const std::string& host, const std::string& device, const std::vector<KnownHost>& hosts,
                                const std::vector<GpuPrice>& prices)
{
    const auto known = std::ranges::find(hosts, host, &KnownHost::host);
    if (host.empty() || known == hosts.end() || !known->dollarsPerHour)
        return findPrice(prices, device);
    return GpuPrice{device, *known->dollarsPerHour, known->usedAt.substr(0, 10), "own", fmt::format("the price of {}", host)};
}

Status setGpuPrice(Store& store, const std::string& gpu, std::optional<double> dollarsPerHour)
{
    if (gpu.empty())
        return badFigure("The price names no GPU.", "gpu");
    if (dollarsPerHour && !isAmount(*dollarsPerHour, kMostDollarsPerHour))
        return badFigure(fmt::format("The price of {} must be above 0 and at most {} per hour.", gpu, formatMoney(kMostDollarsPerHour)),
                         gpu);
    KL_ASSIGN(std::vector<GpuPrice> own, ownPrices(store));
    std::erase_if(own, [&](const GpuPrice& price) { return isSameGpu(price.gpu, gpu); });
    const GpuRow* product = findGpu(gpu);
    if (dollarsPerHour)
        own.push_back({product ? product->name : gpu, *dollarsPerHour, isoNow().substr(0, 10), "own", "set in this database"});
    return store.setSetting(kOwnPrices, encode(toJson(PriceFile{std::move(own)})));
}

double engineerRate(const Store& store)
{
    return rateIn(store, kRate, kEngineerRate);
}

double sessionCostTarget(const Store& store)
{
    return rateIn(store, kTarget, kSessionCostTarget);
}

Status setEngineerRate(Store& store, double dollarsPerHour)
{
    return setRate(store, kRate, dollarsPerHour, kMostDollarsPerHour);
}

Status setSessionCostTarget(Store& store, double dollars)
{
    return setRate(store, kTarget, dollars, kMostDollars);
}

Result<CostEntry> addCost(Store& store, const SessionId& session, const std::string& kind, double dollars, const std::string& note)
{
    if (std::none_of(std::begin(kCostKinds), std::end(kCostKinds), [&](const char* word) { return kind == word; }))
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("\"{}\" is not a kind of cost.", kind),
                     .hint = "Kinds: gpu, assistant, other, value.",
                     .where = kind};
    if (dollars != 0 && !isAmount(dollars, kMostDollars))
        return badFigure(fmt::format("An amount is 0 to {}.", formatMoney(kMostDollars)), kind);
    KL_ASSIGN(const SessionHeader header, store.session(session));
    if (kind == "value" && header.source == Source::sample)
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("Session {} ran on recorded data: its result is not counted.", header.name),
                     .hint = "Enter the value with a session on a GPU.",
                     .where = kind};
    CostEntry entry{newUuid(), session.text, isoNow(), kind, dollars, note};
    KL_TRY(store.saveCost(entry));
    return entry;
}

SessionMoney computeMoney(const std::string& session, std::optional<double> minutes, const std::string& device,
                          const std::optional<GpuPrice>& price, double engineerRate, const std::vector<CostEntry>& entries)
{
    SessionMoney money;
    const auto entered = [&](const char* kind, std::vector<Figure>& figures) {
        double sum = 0;
        int count = 0;
        std::string notes;
        for (const CostEntry& entry : entries) {
            if (entry.session != session || entry.kind != kind)
                continue;
            sum += entry.dollars;
            ++count;
            if (!entry.note.empty())
                notes += (notes.empty() ? "" : "; ") + entry.note;
        }
        if (count > 0)
            figures.push_back({sum, FigureKind::entered, notes});
    };
    entered("gpu", money.gpu);
    entered("assistant", money.assistant);
    entered("other", money.other);
    entered("value", money.value);
    if (minutes && price)
        money.gpu.push_back({*minutes / 60 * price->dollarsPerHour, price->priceClass == "own" ? FigureKind::measured : FigureKind::derived,
                             fmt::format("measured time × {} per hour for {} ({}, {}: {})", formatMoney(price->dollarsPerHour), price->gpu,
                                         price->priceClass, price->date, price->source)});
    else if (money.gpu.empty()) {
        money.why = !minutes         ? std::string("no time is recorded")
                    : device.empty() ? std::string("the session names no device")
                                     : fmt::format("no price is known for {}", device);
        if (minutes && !device.empty())
            money.next =
                NextStep{StepId::setPrice, {{StepArgument::device, device}}, {{StepArgument::dollars, "How many dollars per hour?"}}};
    }
    if (minutes)
        money.engineer = *minutes / 60 * engineerRate;
    return money;
}

std::optional<double> computeCash(const SessionMoney& money)
{
    const std::optional<Figure> cash = cashFigure(money);
    return cash ? std::optional(cash->value) : std::nullopt;
}

std::optional<Figure> cashFigure(const SessionMoney& money)
{
    std::optional<Figure> sum;
    for (const auto* figures : {&money.gpu, &money.assistant, &money.other})
        if (const std::optional<Figure> figure = findShownFigure(*figures)) {
            if (!sum)
                sum = Figure{0, figure->kind, {}};
            sum->value += figure->value;
            if (figure->kind == FigureKind::derived)
                sum->kind = FigureKind::derived;
        }
    return sum;
}

} // namespace kl::inline learning
