// SPDX-License-Identifier: MIT
#include "tests/core/support/profile_parts.h"

/// Kernels without a complete series.
namespace kl::test {

RunRecord chainTiny()
{
    RunRecord run =
        profile("chain/separate", 45, 2 * 262144 * 4, 262144 * 16, with(coalesced(8192), {{M::dram, 10}, {M::l2, 20}, {M::sm, 10}}));
    run.launches.front().gpuNs = 2100;
    run.launches.front().waves = 0.97;
    run.launches.resize(16, run.launches.front());
    run.metrics->values["gpu__time_duration.sum"] = 2100;
    run.timing->busyFraction = 0.42;
    return run;
}

RunRecord chainLarge()
{
    RunRecord run = profile("chain/separate", 16 * 33, 2 * 16777216 * 4.0, 16777216 * 16.0,
                            with(coalesced(16777216 / 32), {{M::dram, 82}, {M::l2, 50}, {M::sm, 20}}));
    run.launches.front().gpuNs = 33000;
    run.launches.resize(16, run.launches.front());
    run.timing->busyFraction = 0.95;
    return run;
}

RunRecord fmaFp64()
{
    return profile(
        "fma/fp64", 300, 8 * 1048576, 2.0 * 1048576 * 1024,
        with(coalesced(32768),
             {{M::sm, 95}, {M::fp64, 94}, {M::dram, 0.5}, {M::l2, 1}, {M::l1, 1}, {M::mem, 1}, {M::issue, 0.5}, {M::dfma, 1e9}}));
}

RunRecord fmaTranscendental()
{
    return profile(
        "fma/transcendental", 300, 8 * 1048576, 1048576.0 * 1024,
        with(coalesced(32768), {{M::sm, 97}, {M::xu, 97}, {M::dram, 0.5}, {M::l2, 1}, {M::l1, 1}, {M::mem, 1}, {M::issue, 0.3}}));
}

RunRecord fmaInteger()
{
    return profile("fma/integer", 300, 8 * 1048576, 0,
                   with(coalesced(32768),
                        {{M::sm, 96}, {M::alu, 96}, {M::fma, 20}, {M::dram, 0.5}, {M::l2, 1}, {M::l1, 1}, {M::mem, 1}, {M::issue, 0.55}}));
}

RunRecord attentionFusedLarge()
{
    RunRecord run = profile("attention/fused", 80, 4 * 2 * 8 * 2048 * 64 * 2.0, 4.0 * 2 * 8 * 2048 * 2048 * 64,
                            {{M::sm, 48},
                             {M::mem, 40},
                             {M::dram, 2},
                             {M::l2, 18},
                             {M::l1, 40},
                             {M::tensor, 68},
                             {M::xu, 35},
                             {M::fma, 25},
                             {M::alu, 25},
                             {M::occupancy, 18},
                             {M::issue, 0.45},
                             {M::shared, 1e6},
                             {M::wavesLd, 4e6},
                             {M::gmma, 0}});
    run.launches.front().waves = 1.94;
    run.launches.front().opcodes["mma"] = 32;
    return run;
}

RunRecord attentionFusedSmall()
{
    RunRecord run =
        profile("attention/fused", 12, 4 * 2 * 8 * 512 * 64 * 2.0, 4.0 * 2 * 8 * 512 * 512 * 64,
                {{M::sm, 16}, {M::mem, 12}, {M::dram, 3}, {M::l2, 10}, {M::l1, 12}, {M::tensor, 12}, {M::occupancy, 12}, {M::issue, 0.3}});
    run.launches.front().waves = 0.48;
    run.launches.front().opcodes["mma"] = 32;
    return run;
}

RunRecord spilling()
{
    RunRecord run =
        profile("spilling/array", 200, kInput, 0, with(coalesced(1e6), {{M::dram, 55}, {M::l1, 60}, {M::localLd, 3e6}, {M::localSt, 1e6}}));
    run.launches.front().localBytes = 512;
    return run;
}

RunRecord registerHog()
{
    RunRecord run =
        profile("occupancy/registers", 200, kInput, 0,
                with(coalesced(1e6), {{M::dram, 35}, {M::l2, 20}, {M::occupancy, 12}, {M::issue, 0.2}, {M::longScoreboard, 14}}));
    run.launches.front().registers = 255;
    run.launches.front().theoreticalOccupancy = 12.5;
    run.launches.front().occupancyLimiter = "registers";
    return run;
}

RunRecord histogramAtomics()
{
    return profile("histogram/global", 500, kInput, 0,
                   with(coalesced(1e6), {{M::dram, 8}, {M::l2, 40}, {M::atom, 1e6}, {M::longScoreboard, 4}, {M::lg, 12}}));
}

} // namespace kl::test
