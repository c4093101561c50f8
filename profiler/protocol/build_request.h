// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "kernels/model/work.h"

#include <string>

namespace kl {

/// The request `build`: compile for an architecture, whichever GPU there is, or none. The answer is a CompileAnswer without launches, which
/// only a device can describe. Error badInput: the kernel comes compiled.
struct BuildRequest {
    WorkSpec work;
    std::string arch = "sm_90";
};

// As in message_codec.h.
Json toJsonMessage(const BuildRequest& request);

} // namespace kl
