// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/client/consent.h"

#include <memory>

namespace kl::cli {

class ProgressLine;

/// Consent on the command line: a new command is asked about once on a terminal; `trust` allows all of them; otherwise it is refused.
std::shared_ptr<Consent> terminalConsent(bool trust, ProgressLine& progress);

} // namespace kl::cli
