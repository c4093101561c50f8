// SPDX-License-Identifier: MIT
#pragma once

#include "core/device/metric_name.h"
#include "core/diagnosis/quantities.h"
#include "core/model/run.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

/// Runs with counters for the formulas of quantities and estimates.
namespace kl::test {

inline constexpr const char* kSectorsPerLoad = "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio";
inline constexpr const char* kSectorsPerStore = "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio";
inline constexpr const char* kUsefulLoad = "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct";
inline constexpr const char* kLoads = "smsp__sass_inst_executed_op_global_ld.sum";
inline constexpr const char* kStores = "smsp__sass_inst_executed_op_global_st.sum";
inline constexpr const char* kDramOfPeak = "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed";
inline constexpr const char* kL2OfPeak = "lts__throughput.avg.pct_of_peak_sustained_elapsed";
inline constexpr const char* kL1OfPeak = "l1tex__throughput.avg.pct_of_peak_sustained_elapsed";
inline constexpr const char* kFmaOfPeak = "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active";
inline constexpr const char* kTensorOfPeak = "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed";

/// A run of one launch on an H200 of the table, with these metrics.
inline RunRecord countedRun(std::map<std::string, std::optional<double>> values)
{
    RunRecord run;
    run.device.name = "NVIDIA H200";
    run.device.ccMajor = 9;
    run.device.smCount = 132;
    run.device.clockMhz = 1980;
    run.device.l2Bytes = 60 << 20;
    run.launches.resize(1);
    run.launches[0].gridBlocks = 264;
    run.launches[0].blockThreads = 256;
    run.metrics.emplace();
    run.metrics->values = std::move(values);
    return run;
}

inline Value computed(const RunRecord& run, std::string_view id)
{
    return findQuantity(id)->compute(RunFacts(run));
}

/// 100 loads of 8 sectors with half of them useful: 25600 bytes moved, 12800 asked for.
inline std::map<std::string, std::optional<double>> halfUseful()
{
    return {{kLoads, 100.0}, {kStores, 0.0}, {kSectorsPerLoad, 8.0}, {kUsefulLoad, 50.0}};
}

/// Shares of a warp's latency of 20 cycles: long scoreboard 50 %, barrier 25, LG 20, wait 15, short scoreboard 10, MIO 5, not selected 5.
inline RunRecord stalledRun()
{
    return countedRun({{"smsp__average_warp_latency_per_inst_issued.ratio", 20.0},
                       {std::string(stallMetric("selected")), 100.0},
                       {std::string(stallMetric("long_scoreboard")), 10.0},
                       {std::string(stallMetric("barrier")), 5.0},
                       {std::string(stallMetric("lg_throttle")), 4.0},
                       {std::string(stallMetric("wait")), 3.0},
                       {std::string(stallMetric("short_scoreboard")), 2.0},
                       {std::string(stallMetric("mio_throttle")), 1.0},
                       {std::string(stallMetric("not_selected")), 1.0},
                       {std::string(stallMetric("math_pipe_throttle")), 0.0}});
}

} // namespace kl::test
