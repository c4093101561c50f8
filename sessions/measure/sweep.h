// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "core/model/run.h"
#include "sessions/measure/workbench.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline measure {

/// One size of a sweep.
struct SweepRow {
    Address kernel;
    Params problem;
    std::optional<RunRecord> run; ///< unset if it could not be measured
    std::string missing;          ///< why not, one sentence
    std::string hint = {};        ///< what to do about it; of a recording, which sizes it has

    std::optional<double> ns() const;             ///< median GPU time; unset without a usable run
    std::optional<double> bytesPerSecond() const; ///< ideal bytes by formula / time
    std::optional<double> flopsPerSecond() const; ///< FLOPs by formula / time
    std::optional<double> speedup() const;        ///< baseline's time / time
    std::string classId() const;                  ///< of the finding; empty without one
};

/// Profiles the kernel on each problem. What was not recorded, does not fit the kernel or the device, or fails on one size is a row without
/// a run. Errors: interrupted, those that would repeat on every size (no GPU, no permission, a database that cannot be written), and the
/// first usage or badInput where every size has one. `onRow`: given every row as soon as it is known, on the calling thread; may be empty.
Result<std::vector<SweepRow>> sweep(Workbench& bench, const std::vector<std::pair<Address, Params>>& points, const ProfileScope& scope,
                                    const Job& job, const std::function<void(const SweepRow&)>& onRow = {});

/// Names of the sizes that have several values among the rows, those with the most values first; else by name.
std::vector<std::string> listSweptAxes(const std::vector<SweepRow>& rows);

/// {kernel, problem, gpu_ns, bytes_per_s, flops_per_s, speedup, baseline, class, correctness, run, missing, hint}; null where there is
/// none.
Json toJson(const SweepRow& row);

/// A header line, then a line per row: the axes as columns, then what toJson() has but the hint. Fields with commas or quotes are quoted.
std::string sweepCsv(const std::vector<SweepRow>& rows);

} // namespace kl::inline measure
