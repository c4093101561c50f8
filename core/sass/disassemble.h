// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/kernel_code.h"

namespace kl::inline sass {

/// The code with its SASS, by nvdisasm of a CUDA toolkit on this machine ($KERNELLOOP_NVDISASM, PATH, $CUDA_HOME, /usr/local/cuda), with
/// live registers where its whole cubin is known. The image is dropped then. Without it the code stays as it is, and notDisassembled says
/// why; code that is SASS already, or that has no image, stays as it is. Takes about 10 ms for a small kernel; at most 20 s.
KernelCode disassemble(KernelCode code);

/// The same in place; a profile without code, or with nothing to disassemble, is not touched.
void disassemble(SourceProfile& profile);

/// Whether disassemble() has something to do.
bool canDisassemble(const KernelCode& code);

} // namespace kl::inline sass
