// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/client/consent.h"

#include <memory>

namespace kl {

class ProgressLine;

/// Consent as the command line has it. What is new is asked about once on a terminal; `trust` answers yes to all of it; without either it
/// is refused.
std::shared_ptr<Consent> terminalConsent(bool trust, ProgressLine& progress);

} // namespace kl
