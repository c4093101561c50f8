// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.h"

#include <muParser.h>
#include <string>

namespace kl::inline kernels {

/// A parser for the language of descriptors' formulas, without names.
mu::Parser formulaParser();

/// The error of a formula that cannot be evaluated.
Error badFormula(const std::string& formula, const std::string& why);

} // namespace kl::inline kernels
