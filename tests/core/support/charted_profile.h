// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"
#include "tests/core/support/profiles.h"

namespace kl::test {

/// 1e9 FLOPs by formula, 1.25e9 executed in 100 µs; 8 MB needed, 10 MB of DRAM, 40 MB of L2 and 64 MB of L1 traffic.
inline RunRecord profile()
{
    RunRecord run = test::h200Run("user/k", 100, 8e6, 1e9);
    MetricSet metrics;
    metrics.clockMhz = 1980;
    metrics.launch = run.launches.empty() ? "" : run.launches.front().entry;
    metrics.values = {{"gpu__time_duration.sum", 100e3},
                      {"dram__bytes_read.sum", 6e6},
                      {"dram__bytes_write.sum", 4e6},
                      {"lts__t_bytes.sum", 40e6},
                      {"l1tex__t_sectors.sum", 2e6},
                      {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 0.25e9},
                      {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", 0.0},
                      {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 0.5e9},
                      {"smsp__sass_inst_executed_op_global_ld.sum", 1e6},
                      {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", 4.0},
                      {"smsp__sass_inst_executed_op_global_st.sum", 0.0},
                      {"lts__t_sector_hit_rate.pct", 75.0}};
    run.metrics = metrics;
    return run;
}

} // namespace kl::test
