// SPDX-License-Identifier: MIT
#include "sessions/import/derived_metrics.h"

#include "core/device/metric_catalog.h"
#include "core/device/metric_value.h"

#include <array>
#include <fmt/format.h>

namespace kl::inline imports {
namespace {

constexpr const char* kNotThere = "not in the file; ncu --set full collects most";

void derive(MetricSet& metrics, MetricName name, std::optional<double> value, const std::string& from)
{
    if (!value || metricValue(metrics, name))
        return;
    const std::string text(name);
    metrics.values[text] = value;
    metrics.missing.erase(text);
    metrics.spelled[text] = from;
}

/// factor × a / b. Where there was nothing to divide by there is no quotient.
void deriveQuotient(MetricSet& metrics, MetricName name, double factor, MetricName a, MetricName b)
{
    const auto above = metricValue(metrics, a);
    const auto below = metricValue(metrics, b);
    if (above && below && *below > 0)
        derive(metrics, name, factor * *above / *below,
               fmt::format("{}{} / {}", factor == 1 ? "" : fmt::format("{:g} × ", factor), a.text(), b.text()));
}

/// Requests and instructions of atomics: the LSU makes one request of a warp's instruction.
void deriveAtomics(MetricSet& metrics)
{
    const struct {
        MetricName name;
        std::array<MetricName, 2> from;
    } rows[] = {
        {"smsp__sass_inst_executed_op_global_atom.sum",
         {"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum"}},
        {"smsp__sass_inst_executed_op_global_red.sum",
         {"smsp__inst_executed_op_global_red.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"}},
    };
    for (const auto& row : rows)
        for (const MetricName from : row.from)
            derive(metrics, row.name, metricValue(metrics, from), std::string(from));
    std::optional<double> all = 0;
    for (const MetricName part :
         {MetricName("smsp__sass_inst_executed_op_global_ld.sum"), MetricName("smsp__sass_inst_executed_op_global_st.sum"),
          MetricName("smsp__sass_inst_executed_op_global_atom.sum"), MetricName("smsp__sass_inst_executed_op_global_red.sum")})
        if (const auto value = metricValue(metrics, part); value && all)
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
            if (const auto found = metrics.values.find(std::string(other)); found != metrics.values.end())
                derive(metrics, info, found->second, std::string(other));
    deriveQuotient(metrics, "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", 1,
                   "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum");
    deriveQuotient(metrics, "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio", 1,
                   "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum");
    deriveQuotient(metrics, "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct", 100,
                   "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio",
                   "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.max_rate");
    deriveQuotient(metrics, "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct", 100,
                   "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio",
                   "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.max_rate");
    if (const auto sectors = metricValue(metrics, "lts__t_sectors.sum"))
        derive(metrics, "lts__t_bytes.sum", 32 * *sectors, "32 × lts__t_sectors.sum");
    deriveAtomics(metrics);
    for (const std::string& name : listTierMetrics(2))
        if (metrics.values.try_emplace(name).second)
            metrics.missing.try_emplace(name, kNotThere);
}

} // namespace kl::inline imports
