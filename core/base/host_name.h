// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace kl {

/// Name of this machine on its network; "unknown" where the system does not tell.
std::string hostName();

} // namespace kl
