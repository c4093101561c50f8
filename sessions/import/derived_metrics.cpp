// SPDX-License-Identifier: MIT
#include "sessions/import/derived_metrics.h"

#include "core/device/metric_catalog.h"

#include <array>
#include <fmt/format.h>

namespace kl {
namespace {

constexpr const char* kNotThere = "not in the file; ncu --set full collects most";

std::optional<double> valueIn(const MetricSet& metrics, const std::string& name)
{
    const auto found = metrics.values.find(name);
    return found == metrics.values.end() ? std::nullopt : found->second;
}

void derive(MetricSet& metrics, const std::string& name, std::optional<double> value, const std::string& from)
{
    if (!value || valueIn(metrics, name))
        return;
    metrics.values[name] = value;
    metrics.missing.erase(name);
    metrics.spelled[name] = from;
}

/// factor × a / b. Where there was nothing to divide by there is no quotient.
void deriveQuotient(MetricSet& metrics, const std::string& name, double factor, const std::string& a, const std::string& b)
{
    const auto above = valueIn(metrics, a);
    const auto below = valueIn(metrics, b);
    if (above && below && *below > 0)
        derive(metrics, name, factor * *above / *below, fmt::format("{}{} / {}", factor == 1 ? "" : fmt::format("{:g} × ", factor), a, b));
}

/// Requests and instructions of atomics: the LSU makes one request of a warp's instruction.
void deriveAtomics(MetricSet& metrics)
{
    const struct {
        const char* name;
        std::array<const char*, 2> from;
    } rows[] = {
        {"smsp__sass_inst_executed_op_global_atom.sum",
         {"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum"}},
        {"smsp__sass_inst_executed_op_global_red.sum",
         {"smsp__inst_executed_op_global_red.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"}},
    };
    for (const auto& row : rows)
        for (const char* from : row.from)
            derive(metrics, row.name, valueIn(metrics, from), from);
    std::optional<double> all = 0;
    for (const char* part : {"ld", "st", "atom", "red"})
        if (const auto value = valueIn(metrics, fmt::format("smsp__sass_inst_executed_op_global_{}.sum", part)); value && all)
            *all += *value;
        else
            all.reset();
    derive(metrics, "smsp__sass_inst_executed_op_global.sum", all, "global loads + stores + atomics + reductions");
}

} // namespace

void addDerivedMetrics(MetricSet& metrics)
{
    for (const MetricInfo& info : metricCatalog())
        for (const std::string_view other : info.alternatives)
            derive(metrics, std::string(info.name), valueIn(metrics, std::string(other)), std::string(other));
    for (const char* side : {"ld", "st"}) {
        const std::string sectors = fmt::format("l1tex__t_sectors_pipe_lsu_mem_global_op_{}.sum", side);
        const std::string requests = fmt::format("l1tex__t_requests_pipe_lsu_mem_global_op_{}.sum", side);
        deriveQuotient(metrics, fmt::format("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_{}.ratio", side), 1, sectors,
                       requests);
        const std::string useful = fmt::format("smsp__sass_average_data_bytes_per_sector_mem_global_op_{}", side);
        deriveQuotient(metrics, useful + ".pct", 100, useful + ".ratio", useful + ".max_rate");
    }
    if (const auto sectors = valueIn(metrics, "lts__t_sectors.sum"))
        derive(metrics, "lts__t_bytes.sum", 32 * *sectors, "32 × lts__t_sectors.sum");
    deriveAtomics(metrics);
    for (const std::string& name : metricsOfTier(2))
        if (metrics.values.try_emplace(name).second)
            metrics.missing.try_emplace(name, kNotThere);
}

} // namespace kl
