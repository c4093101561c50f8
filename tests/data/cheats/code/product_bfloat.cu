// SPDX-License-Identifier: MIT
// BF16 on the tensor cores, accumulating in FP32.
#define KIND 1
#include "tensor.cuh"
