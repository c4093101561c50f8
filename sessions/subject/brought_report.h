// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/diagnosis/tree.h"
#include "core/model/run.h"
#include "sessions/target/target_spec.h"

#include <string>

namespace kl::inline subjects {

/// The profile of a target's kernel from a report that the user brings, in the place of one that is measured now: the result of the
/// target's kernel and launch shape with the most time, with how old it is and at which clock it was taken as warnings. `now`: the record
/// of the kernel as it is. Errors: openFile's; refused by profile-before-optimizing for a report that is foreign (another kernel, shape or
/// GPU) or stale (of another text of an edited file, or older than one).
Result<RunRecord> takeBroughtReport(const TargetSpec& spec, const std::string& report, const RunRecord& now, const DiagnosisTree& tree);

} // namespace kl::inline subjects
