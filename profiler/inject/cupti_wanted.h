// SPDX-License-Identifier: MIT
#pragma once

namespace kl {

/// From now on a library of the program that subscribes to CUPTI (PyTorch's profiler does when it begins) gets it: the tracer stands back
/// first. Sees the libraries that are loaded already and link CUPTI; one that looks CUPTI up by itself hears that CUPTI is taken.
void yieldCuptiWhenWanted();

} // namespace kl
