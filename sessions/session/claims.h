// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/run.h"
#include "sessions/session/session_parts.h"

#include <optional>
#include <string>

namespace kl::inline session {

/// "source=README of flash-x,figure=1.5x,about=kernel" as a claim; source and figure are required. Error usage says what is missing.
Result<Claim> parseClaim(const std::string& text);

/// A claim and the measured value of the same quantity: a speedup ("1.5x", "90 % of the baseline" means 0.9), a GPU time ("12 us"), a
/// bandwidth over the kernel's minimum traffic ("900 GB/s") or a rate of its floating-point operations ("40 TFLOP/s"); of the kernel, or of
/// its baseline (times only). Any other figure is shown but not compared.
ClaimView makeClaimView(const Claim& claim, const std::optional<RunRecord>& run);

} // namespace kl::inline session
