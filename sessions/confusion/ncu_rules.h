// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/codec/json.h"
#include "core/model/imported.h"
#include "core/model/measurement.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline confusion {

/// The messages of Nsight Compute's rules about one launch of a variant, its longest.
struct NcuVerdict {
    std::vector<RuleResult> rules;
    std::map<std::string, std::optional<double>> metrics; ///< those that tell units apart where a rule only says "memory"
};

/// By "family/variant PROBLEM", as tests/bench/ncu_rules.py writes them.
using NcuRules = std::map<std::string, NcuVerdict>;

/// Error badInput names what is wrong with the file.
Result<NcuRules> parseNcuRules(std::string_view json, std::string_view where);

/// One of them: {rules, metrics}.
Result<NcuVerdict> ncuVerdictFromJson(const Json& json, std::string_view where);

} // namespace kl::inline confusion
