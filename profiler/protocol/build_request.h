// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "kernels/model/work.h"

#include <string>

namespace kl::inline protocol {

/// The request `build`: compile for an architecture, regardless of the GPU, or without one. The answer is a CompileAnswer without launches,
/// which need a device. Error badInput: the kernel is a binary.
struct BuildRequest {
    WorkSpec work;
    std::string arch = "sm_90";
};

// As in message_codec.h.
Json toJsonMessage(const BuildRequest& request);

} // namespace kl::inline protocol
