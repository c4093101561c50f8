// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/measurement.h"
#include "kernels/model/work.h"

#include <filesystem>
#include <string>

namespace kl::inline subjects {

/// Compares the outputs that a program wrote with those of its reference, file by file (*.npy): the figures of the worst element of all. An
/// output that is missing counts as never written. Errors badInput: the reference wrote none, or one that cannot be read.
Result<SuiteRow> compareOutputs(const std::filesystem::path& written, const std::filesystem::path& reference, const Tolerance& tolerance,
                                const std::string& problem);

} // namespace kl::inline subjects
