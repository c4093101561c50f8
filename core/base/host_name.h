// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace kl {

/// Name of this machine on its network; "unknown" where the system does not report it.
std::string hostName();

} // namespace kl
