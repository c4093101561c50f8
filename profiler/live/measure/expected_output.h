// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/reference/reference.h"
#include "profiler/live/session/gpu_session.h"

namespace kl::inline live {

/// The expected output of the work, from its reference: evaluated on the host, computed by a reference kernel on this device from the same
/// inputs, or by a python script. No values without a reference. Error: the reference failed; the message says that it is the
/// reference's fault.
Result<Expected> computeExpectedOutput(GpuSession& session, const BuiltWork& work, const BufferSpec& output);

} // namespace kl::inline live
