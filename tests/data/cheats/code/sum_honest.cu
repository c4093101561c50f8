// SPDX-License-Identifier: MIT
// Reads every element in every call.
#include "sum.cuh"

extern "C" __global__ void sum_parts(const float* in, float* partial, int n) { writePartial(in, partial, n); }

extern "C" __global__ void sum_all(const float* partial, float* out, int parts) { addPartials(partial, out, parts); }
