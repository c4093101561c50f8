// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"
#include "sessions/learning/recommend.h"
#include "sessions/learning/rule_outcomes.h"
#include "sessions/store/rows.h"
#include "ui/models/kernel_row.h"
#include "ui/style/tokens.h"

namespace kl::ui {

struct Engine;

/// Everything that the Diagnose page shows of one run, read together.
struct DiagnosisData {
    std::vector<RunSummary> profiles; ///< all that can be chosen, newest first
    std::optional<RunRecord> run;     ///< unset when there is no profile at all
    std::vector<RunRecord> family;    ///< newest profile of each other variant on the same problem and device
    std::vector<KernelRow> kernels;   ///< of the run's report or program, itself included; only itself if it is of neither
    std::vector<RunRecord> baselines; ///< the pinned runs that are there, `run` not among them
    std::vector<Token> colors;        ///< of the baselines
    std::optional<RuleOutcome> rule;  ///< how estimates of this finding's class turned out in this database
    std::optional<Advice> advice;     ///< for `run`; unset without a diagnosis

    /// `run` first, then the baselines, then the rest of `family`: the order in which charts show them. Valid as long as this object is.
    std::vector<const RunRecord*> runs() const;
};

/// Reads the run with the id `wanted`, else the newest profile of the kernel with that address, else the newest profile of all. `opened`:
/// runs from files that the store does not hold; `pinned`: the baselines, of which those that are gone are left out. Errors: the store's.
Result<DiagnosisData> readDiagnosis(Engine& engine, const std::string& wanted, const std::vector<RunRecord>& opened,
                                    const std::vector<RunId>& pinned);

} // namespace kl::ui
