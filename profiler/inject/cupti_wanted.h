// SPDX-License-Identifier: MIT
#pragma once

namespace kl::inject {

/// From now on a library of the program that begins to use CUPTI (PyTorch's profiler subscribes when it starts) gets it: the tracer steps
/// back first. Handles libraries that are already loaded and link CUPTI; one that looks up CUPTI itself gets the error that CUPTI is in
/// use.
void yieldCuptiWhenWanted();

} // namespace kl::inject
