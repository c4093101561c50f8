// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace kl {

/// The interpreter to use: KLOOP_PYTHON where it is set and not empty, else "python3" (looked up on PATH).
std::string pythonProgram();

/// The environment that this program was started in: ours ("NAME=VALUE"), but LD_LIBRARY_PATH without what a bundle's launcher
/// added, so that python loads its own libraries. A launcher may keep the user's value in KLOOP_ORIGINAL_LD_LIBRARY_PATH; without
/// it the bundle's own folder (`programFolder`/../lib) is left out.
std::vector<std::string> originalEnvironment(const std::vector<std::string>& environment, const std::string& programFolder);

/// originalEnvironment of this process.
std::vector<std::string> originalEnvironment();

} // namespace kl
