// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "kernels/model/work.h"

#include <string>

namespace kl::inline protocol {

/// The request `sanitize`: what compute-sanitizer finds in a launch of the work. Only recordings answer it; on a GPU the client starts
/// a worker under compute-sanitizer and asks that one for the launch.
struct SanitizeRequest {
    WorkSpec work;
    std::string tool; ///< "memcheck"
};

struct SanitizeAnswer {
    std::string log;     ///< everything that the tool wrote
    std::string trouble; ///< why the kernel did not complete; empty if it did
};

// As in message_codec.h.
Json toJsonMessage(const SanitizeRequest& request);
Json toJsonMessage(const SanitizeAnswer& answer);

} // namespace kl::inline protocol
