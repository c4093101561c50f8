// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/common/program.h"

#include <string>
#include <string_view>
#include <utility>

namespace kl::cli {

enum class WhichRuns { all, profiles };

/// What a command accepts, for the hint about an unknown kernel.
inline constexpr std::string_view kRunOrKernel = "a run (run:ID) or a kernel";
inline constexpr std::string_view kRunOrFile = "a file, a run (run:ID) or a kernel";

/// The run whose id is or starts with `id`, which `text` names ("run:ID"). Errors: usage where there is no id; those of runStarting().
Result<RunId> findRunById(const Store& store, const std::string& id, const std::string& text);

/// "run:ID" or the start of one, or an address for its newest run (or profile), on the problem where one is given. Errors: notFound with
/// what to do, for an unknown kernel with what the command accepts; badInput.
Result<RunId> resolveRun(Program& program, const std::string& text, const Params& problem, WhichRuns which = WhichRuns::all,
                         std::string_view accepted = kRunOrKernel);

/// Two runs to compare. Of two addresses without a problem: the newest runs of a problem that both have, of several such problems the one
/// measured last; of a run and an address: the address's newest run of that run's problem. Where there is none, each side's newest run.
/// Errors: those of resolveRun.
Result<std::pair<RunId, RunId>> resolvePair(Program& program, const std::string& a, const std::string& b, const Params& problem);

} // namespace kl::cli
