// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <map>
#include <string>

namespace kl::inline kernels {

/// Values by name for the formulas of a descriptor.
using Scope = std::map<std::string, double>;

/// Evaluates one formula (muParser's language, plus ceildiv(a,b), floor(x), ceil(x), mod(a,b)).
/// Error badInput with the formula and its fault; a result that is not finite, and several results, are errors too.
Result<double> evaluate(const std::string& formula, const Scope& scope);

/// Evaluates each formula by name, into `out`.
Status evaluateAll(const std::map<std::string, std::string>& formulas, const Scope& scope, std::map<std::string, double>& out);

/// Largest count: up to here every whole number has an exact double.
inline constexpr std::int64_t kMaxCount = 1LL << 53;

/// The same for a count: the result must be a whole number from `least` to `most`.
Result<std::int64_t> evaluateCount(const std::string& formula, const Scope& scope, std::int64_t least, std::int64_t most = kMaxCount);

/// Replaces every {FORMULA} in a text by its value, written without a decimal point where it is whole.
Result<std::string> substitute(const std::string& text, const Scope& scope);

} // namespace kl::inline kernels
