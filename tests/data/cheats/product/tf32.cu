// SPDX-License-Identifier: MIT
// TF32 on the tensor cores: 13 bits of every input are cut off.
#define KIND 2
#include "tensor.cuh"
