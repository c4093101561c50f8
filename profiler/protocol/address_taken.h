// SPDX-License-Identifier: MIT
#pragma once

namespace kl::inline protocol {

/// Detail of an error that another worker may not have: addresses that a request needs are taken in this one's process.
inline constexpr const char* kAddressTaken = "KL_ADDRESS_TAKEN";

} // namespace kl::inline protocol
