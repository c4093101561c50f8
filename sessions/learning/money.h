// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/next_step.h"
#include "core/base/result.h"
#include "sessions/learning/figure.h"
#include "sessions/store/amounts.h"
#include "sessions/store/store.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline hosts {
struct KnownHost;
}

namespace kl::inline learning {

/// What an engineer costs, dollars per hour, unless setting "engineer-rate" overrides it (October 2025 documents).
inline constexpr double kEngineerRate = 30;
/// What a session may cost, dollars, GPU and assistant together, unless setting "session-cost-target" overrides it (October 2025
/// documents).
inline constexpr double kSessionCostTarget = 5;

/// What one GPU costs, dollars per hour.
struct GpuPrice {
    std::string gpu; ///< product name, as the driver gives it
    double dollarsPerHour = 0;
    std::string date;       ///< as of when
    std::string priceClass; ///< "list price", "derived", "own"
    std::string source;     ///< the source
    bool operator==(const GpuPrice&) const = default;
};

/// resources/gpu-prices.json. Error badInput names the field.
Result<std::vector<GpuPrice>> loadShippedPrices();
Result<std::vector<GpuPrice>> parsePrices(std::string_view json, std::string_view where);

/// The shipped prices with the user's own (class "own") in place of that of the same product; own ones of other GPUs at the end.
Result<std::vector<GpuPrice>> gpuPrices(const Store& store);
/// The price for a device name: the row whose name it is, else the one of the same product of the device table ("NVIDIA H200" for
/// "NVIDIA H200 NVL"). Unset when none fits: a cost is then unknown, not 0.
std::optional<GpuPrice> findPrice(const std::vector<GpuPrice>& prices, const std::string& device);

/// What an hour of that GPU costs on a host, as Collector::remoteHost() names it: the host's price where the user has set one.
std::optional<GpuPrice> priceOn(const std::string& host, const std::string& device, const std::vector<KnownHost>& hosts,
                                const std::vector<GpuPrice>& prices);

/// Sets the user's own price; it cannot be removed. Any name of a known GPU sets the price of that product. Error badInput for a
/// name that is empty, or a price that is not above 0 or more than kMostDollarsPerHour.
Status setGpuPrice(Store& store, const std::string& gpu, std::optional<double> dollarsPerHour);

double engineerRate(const Store& store);      ///< dollars per hour
double sessionCostTarget(const Store& store); ///< dollars
/// Error badInput unless above 0 and at most kMostDollarsPerHour, or kMostDollars for the target.
Status setEngineerRate(Store& store, double dollarsPerHour);
Status setSessionCostTarget(Store& store, double dollars);

/// The values of CostEntry::kind with their meaning.
inline constexpr const char* kCostKinds[] = {"gpu", "assistant", "other", "value"};
/// Adds a cost or value to a session; returns the stored entry. Errors: badInput for an unknown kind, an amount below 0 or above
/// kMostDollars, and a value for a session on recorded data, which earns nothing; notFound for the session.
Result<CostEntry> addCost(Store& store, const SessionId& session, const std::string& kind, double dollars, const std::string& note);

/// Cost and value of a session. Figures of one list are alternatives, the first is the one to show.
struct SessionMoney {
    std::vector<Figure> gpu;        ///< entered bills; else working hours × the price
    std::vector<Figure> assistant;  ///< entered
    std::vector<Figure> other;      ///< entered
    std::optional<double> engineer; ///< working hours × the engineer's rate
    std::vector<Figure> value;      ///< entered value of the result
    std::string why;                ///< why the GPU's cost is unknown
    std::optional<NextStep> next;   ///< what would make it known

    bool operator==(const SessionMoney&) const = default;
};

/// `minutes`: working time; `price`: of the session's device, unset when unknown. `entries` may hold other sessions' too.
SessionMoney computeMoney(const std::string& session, std::optional<double> minutes, const std::string& device,
                          const std::optional<GpuPrice>& price, double engineerRate, const std::vector<CostEntry>& entries);

/// GPU, assistant and other together, the shown figure of each; unset when none is known.
std::optional<double> computeCash(const SessionMoney& money);
/// Likewise with its kind: derived where one of them is, else that of the first.
std::optional<Figure> cashFigure(const SessionMoney& money);

} // namespace kl::inline learning
