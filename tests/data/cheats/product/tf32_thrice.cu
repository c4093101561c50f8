// SPDX-License-Identifier: MIT
// TF32 on the tensor cores, three times: what one product cuts off of its inputs two others add. As exact as FP32.
#define KIND 3
#include "tensor.cuh"
