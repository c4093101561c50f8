// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/common/measured.h"
#include "app/kloop/diagnose/metric_choice.h"
#include "core/base/result.h"

#include <optional>
#include <string>

namespace kl::cli {

/// What `kloop profile` takes of another program: `kloop profile … -- CMD`.
struct ProgramOptions {
    std::string kernel;      ///< expression searched in demangled names; empty: every kernel
    int skip = 0;            ///< launches of each kernel before one is profiled
    int count = 0;           ///< shapes to profile at most; 0: the default
    bool once = false;       ///< run the program once and profile in order of launch
    std::string range;       ///< only launches inside this NVTX range; empty: all
    bool byRange = false;    ///< a row for each range
    bool executions = false; ///< count what instructions do beside the counters, too
    std::string out;         ///< file for the JSON answer; empty: none

    bool given() const
    {
        return !kernel.empty() || skip > 0 || count > 0 || once || byRange || executions || !range.empty() || !out.empty();
    }
};

struct ProfileOptions {
    SubjectOptions subjects;
    MetricOptions metrics;
    ProgramOptions program;
    bool plan = false;          ///< print the passes and stop
    std::string cacheControl;   ///< "flush" or "none"; empty: not given
    bool noCounters = false;    ///< measure and infer; of a program, record times alone
    bool countersOnly = false;  ///< no correctness, timing or baseline
    bool experiments = false;   ///< change the launch's shape, beside counters, too
    std::optional<bool> source; ///< hot lines; unset: the tier decides
    bool energy = false;        ///< per launch, too
    bool pmSampling = false;    ///< metrics over the launch's duration, too
    bool explain = false;       ///< print every question of the tree
};

/// Profiles the program after "--". The exit code is the program's; 126 or 127 where it cannot be started.
Result<int> profileProgram(Program& program, const ProfileOptions& options);

} // namespace kl::cli
