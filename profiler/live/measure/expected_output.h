// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/reference/reference.h"
#include "profiler/live/session/gpu_session.h"

namespace kl {

/// What the work's output must hold, from its reference: evaluated on the host, computed by a reference kernel on this device from the same
/// inputs, or by a python script beside it. No values without a reference. Error: the reference cannot be had, said to be its fault.
Result<Expected> expectedOutput(GpuSession& session, const BuiltWork& work, const BufferSpec& output);

} // namespace kl
