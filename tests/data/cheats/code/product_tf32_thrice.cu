// SPDX-License-Identifier: MIT
// Three TF32 products on the tensor cores instead of one: two of them add back what the first one dropped. As accurate as FP32.
#define KIND 3
#include "tensor.cuh"
