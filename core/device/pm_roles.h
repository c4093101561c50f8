// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/pm_sampling.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline device {

/// What is shown of a launch over its duration, in percent of what the hardware sustains.
enum class PmRole { activeSms, activeWarps, sm, instructions, tensor, l1, l2, dram };

struct PmRoleInfo {
    PmRole role;
    const char* word;  ///< "dram"
    const char* label; ///< "DRAM throughput"
    /// Names without unit, configuration and rollup, best first: chips and CUPTI versions differ.
    std::array<std::string_view, 4> bases;
};

/// In the order in which they are shown.
std::span<const PmRoleInfo> pmRoles();
const PmRoleInfo& findPmRoleInfo(PmRole role);

/// The rollup of all of them: share of the peak over the whole sample.
inline constexpr std::string_view kPmRollup = ".avg.pct_of_peak_sustained_elapsed";

/// The part of a metric's name behind unit and configuration, without a rollup: "dramc__throughput" of
/// "FBSP.TriageCompute.dramc__throughput.avg.pct_of_peak_sustained_elapsed" and of "pmsampling:dramc__throughput.sum".
std::string_view findPmBase(std::string_view metric);

/// What a sampled metric shows; unset for any other, and for one with another rollup.
std::optional<PmRole> findPmRole(std::string_view metric);

/// A series that is shown.
struct PmCurve {
    PmRole role;
    const PmPass* pass;
    const PmSeries* series;
    double mean; ///< over the launch, weighted by the samples' durations
    double peak; ///< largest sample
};

/// The series that are shown, each role once, in the roles' order. The pointers are into `sampling`.
std::vector<PmCurve> pmCurves(const PmSampling& sampling);

/// The last sample's end of the passes, nanoseconds; 0 without one.
double pmDuration(const PmSampling& sampling);

/// "Active SMs fall below half of their peak for the last 18 % of the launch": what the curves show at a look; empty where they show
/// nothing of the kind.
std::string pmFinding(const PmSampling& sampling);

/// Cuts a pass to the samples from the first in which an SM was active to the last, and counts its time from the begin of the first.
/// `active`: one value per sample, above 0 where an SM was. Empty where none was.
PmPass trimToLaunch(PmPass pass, const std::vector<double>& active);

} // namespace kl::inline device
