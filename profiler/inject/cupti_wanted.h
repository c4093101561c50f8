// SPDX-License-Identifier: MIT
#pragma once

namespace kl {

/// From now on a library of the program that begins to use CUPTI (PyTorch's profiler subscribes when it starts) gets it: the tracer stands
/// back first. Sees the libraries that are loaded already and link CUPTI; one that looks CUPTI up by itself hears that CUPTI is taken.
void yieldCuptiWhenWanted();

} // namespace kl
