// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"
#include "sessions/store/rows.h"

#include <QString>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace kl::ui {

/// A kernel in the roofline of a memory level.
struct KernelPoint {
    double intensity = 0; ///< FLOP/byte
    double flops = 0;     ///< per second
};

/// One measured kernel as the kernel table shows it. Times in nanoseconds.
struct KernelRow {
    RunId id;
    QString name;                      ///< demangled with its arguments, or the address of a kernel of the catalog
    QString shortName;                 ///< without result, namespaces and arguments; the address with its tunables
    QString range;                     ///< NVTX ranges open at the launch, outermost first: "forward › layer 3"; empty without any
    QString shape;                     ///< "4,096 × 256", "(64, 64) × (16, 16)": grid × block; the problem of a kernel of the catalog
    double threads = 0;                ///< of the launch: what the shape is sorted by
    std::int64_t calls = 1;            ///< launches that the row stands for
    std::optional<double> ns;          ///< of one call
    std::optional<double> totalNs;     ///< of all calls
    std::optional<double> share;       ///< of the GPU time of its report or program, 0 to 1; unset for other runs
    QString classId;                   ///< of the finding; empty for a run that was only timed
    QString priority;                  ///< "P0" to "P3"
    QString finding;                   ///< its sentence, as it is stored
    std::optional<double> roofPercent; ///< of the roof that the kernel is closest to
    QString roof;                      ///< that roof: "DRAM"
    std::optional<double> speedup;     ///< estimated, if the finding is fixed
    std::optional<double> savedNs;     ///< of totalNs, by the same estimate
    QString origin;                    ///< the same for kernels of one report or one run of a program; empty for other runs
    QString originName;                ///< "step.ncu-rep", "python3 train.py"
    QString device;
    std::string startedAt;                            ///< UTC, ISO 8601
    std::array<std::optional<KernelPoint>, 3> points; ///< by MemoryLevel: its main point (mainPoint)
    bool failed = false;                              ///< it did not run, or something refutes it
};

/// What the record of a run says. The share is left to addShares().
KernelRow describeKernel(const RunRecord& run);

/// What a list knows of a run before its record is read: no NVTX range, no geometry, no roof, no estimate.
KernelRow describeKernel(const RunSummary& run);

/// Fills `share` of the rows that come from the same report or program.
void addShares(std::vector<KernelRow>& rows);

/// Several rows as one: calls, times, shares and savings added up, finding and roof of the one that would save most. Precondition: not
/// empty.
KernelRow sumKernels(const std::vector<const KernelRow*>& rows);

} // namespace kl::ui
