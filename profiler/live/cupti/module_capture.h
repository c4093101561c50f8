// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

namespace kl::inline live {

/// The cubin of the last module that the driver loads while `load` runs: the driver hands out what it assembles nowhere else. Empty where
/// no module was loaded, or CUPTI is absent or held by another tool.
std::string captureCubin(const std::function<void()>& load);

} // namespace kl::inline live
