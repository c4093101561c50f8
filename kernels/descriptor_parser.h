// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "kernels/model/descriptor.h"

#include <string_view>

namespace kl::inline kernels {

/// The JSON schema of descriptors, as an embedded resource; `kloop kernels schema` prints it.
inline constexpr const char* kDescriptorSchema = "resources/kernel.schema.json";

/// `none`: of a text that a test has checked, which every start of a program reads. `formulas`: on top of the structure, those that cannot
/// be evaluated on the descriptor's own problems.
enum class DescriptorChecks { none, structure, formulas };

/// Parses a descriptor file; the files that it names are not read. `where` names it in errors.
/// Error badInput names file, line, column and field ("kernel.json:14:12: variants[0].launches[0].grid: should be a list, is a text"), and
/// further faults in its detail: text that is not JSON, what the schema forbids, undefined names, formulas.
Result<KernelFamily> parseDescriptor(std::string_view json, std::string_view where, DescriptorChecks checks = DescriptorChecks::structure);

} // namespace kl::inline kernels
