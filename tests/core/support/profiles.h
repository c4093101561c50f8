// SPDX-License-Identifier: MIT
#pragma once

#include "core/diagnosis/tree.h"
#include "core/model/run.h"

#include <map>
#include <string>

/// Hand-made H200 profiles, one for each class that the kernels show. Figures of `recordedStrided` and `recordedFma` are an Nsight
/// Compute report's; the others follow from the kernels' arithmetic.
namespace kl::test {

RunRecord h200Run(const std::string& kernel, double microseconds, double idealBytes, double flops = 0);

/// Short names for the metrics that fixtures set.
enum class M {
    sm,
    mem,
    dram,
    l2,
    l1,
    tensor,
    occupancy,
    issue,
    issueElapsed,
    fma,
    fp64,
    xu,
    alu,
    lsu,
    threads,
    threadsOn,
    sectorsLd,
    sectorsSt,
    usefulLd,
    usefulSt,
    global,
    globalLd,
    globalSt,
    shared,
    localLd,
    localSt,
    atom,
    conflictsLd,
    conflictsSt,
    wavesLd,
    wavesSt,
    cycles,
    latency,
    barrier,
    longScoreboard,
    shortScoreboard,
    mio,
    lg,
    wait,
    notSelected,
    ffma,
    dfma,
    gmma,
    readBytes,
    writeBytes,
};
void set(RunRecord& run, const std::map<M, double>& values);

RunRecord recordedStrided();
RunRecord recordedFma();

RunRecord copyStrided();
RunRecord copyVector();
RunRecord transposeNaive();
RunRecord transposeTiled();
RunRecord transposePadded();
RunRecord reductionDivergent();
RunRecord reductionConflicting();
RunRecord reductionSequential();
RunRecord reductionGridStride();
RunRecord chainTiny();
RunRecord chainLarge();
RunRecord fmaFp64();
RunRecord fmaTranscendental();
RunRecord fmaInteger();
RunRecord attentionFusedLarge();
RunRecord attentionFusedSmall();
RunRecord spilling();
RunRecord registerHog();
RunRecord histogramAtomics();

/// The same run as a machine without permission for counters gives it.
RunRecord withoutCounters(RunRecord run);

} // namespace kl::test
