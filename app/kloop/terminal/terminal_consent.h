// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/client/consent.h"

#include <memory>
#include <string>

namespace kl::cli {

class ProgressLine;

/// Consent on the command line: a new command is asked about once on a terminal; `trust` allows all of them; otherwise it is refused.
std::shared_ptr<Consent> terminalConsent(bool trust, ProgressLine& progress);

/// Prints a question and reads the answer from the terminal; only y and yes are a yes. Error interrupted.
Result<bool> askYesNo(const std::string& question, const Job& job);

} // namespace kl::cli
