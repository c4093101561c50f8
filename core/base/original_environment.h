// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace kl {

/// The environment that this program was started in: ours ("NAME=VALUE"), but LD_LIBRARY_PATH without what a bundle's launcher
/// added, so that other programs load their own libraries. A launcher may keep the user's value in KLOOP_ORIGINAL_LD_LIBRARY_PATH;
/// without it the bundle's own folder (`programFolder`/../lib) is left out.
std::vector<std::string> originalEnvironment(const std::vector<std::string>& environment, const std::string& programFolder);

/// originalEnvironment of this process.
std::vector<std::string> originalEnvironment();

} // namespace kl
