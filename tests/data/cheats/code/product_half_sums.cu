// SPDX-License-Identifier: MIT
// FP16 on the tensor cores, accumulating 16 products in FP16.
#define KIND 0
#include "tensor.cuh"
