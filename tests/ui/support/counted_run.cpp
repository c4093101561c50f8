// SPDX-License-Identifier: MIT
#include "tests/ui/support/counted_run.h"

namespace kl::ui {

RunRecord countedRun(const char* id, double ns)
{
    RunRecord run;
    run.id.text = id;
    run.kernel = *parseAddress("fma/fp32");
    run.problem = *parseParams("N=1");
    run.device.name = "NVIDIA H200";
    run.device.ccMajor = 9;
    run.device.smCount = 132;
    run.device.clockMhz = 1980;
    run.device.memoryClockMhz = 3201;
    run.device.memoryBusBits = 6144;
    run.flops = 2e9;
    run.idealBytes = 8e6;
    run.timing = Timing{{ns, ns, ns, 50}, {}, {}, {}, {}, {ns}};
    run.launches = {{"f", 1000, 100, 40, 0, 1024, 512, 8, 100, "warps", 1.0, ns, {}}};
    run.metrics.emplace();
    run.metrics->launch = "f";
    run.metrics->values = {{"dram__bytes_read.sum", 4e6},
                           {"dram__bytes_write.sum", 4e6},
                           {"gpu__time_duration.sum", ns},
                           {kDramShare, 20.0},
                           {kLongScoreboard, 3.0},
                           {kWait, 1.0},
                           {"smsp__average_warp_latency_per_inst_issued.ratio", 5.0}};
    run.diagnosis.emplace();
    Finding& finding = run.diagnosis->finding;
    finding.classId = "dram-bound";
    finding.title = "DRAM is busy.";
    finding.priority = "P1";
    finding.path = {{"a", "dram_percent", 20.0, 70.0, ">=", false}, {"b", "waves", 5.0, 1.0, ">", true}};
    return run;
}

} // namespace kl::ui
