// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/kernel_code.h"

#include <string>
#include <string_view>
#include <vector>

namespace kl::inline sass {

/// The instructions of functions of a cubin, each with its source line and, where the cubin has its PTX, the PTX that it was assembled
/// from; ready to be disassembled (disassemble.h). `functions`: mangled names, first the kernel. Without instructions when the cubin cannot
/// be read or lacks the kernel: then `notDisassembled` says so.
KernelCode readKernelCode(std::string_view cubin, const std::vector<std::string>& functions);

/// The code of a kernel with samples and counts already joined to the instructions by another way, for runs without their cubin: the
/// rows of `profile` in the order of their addresses.
KernelCode makeCodeFromSamples(const SourceProfile& profile);

/// Sets the sampled stalls of an instruction, whose reasons are added to `code.stalls` where they are new, and its sum of samples.
void addStalls(KernelCode& code, CodeInstruction& instruction, const std::map<std::string, std::int64_t>& stalls);

/// The instruction at an offset of code.functions[function]; null where there is none.
CodeInstruction* findInstruction(KernelCode& code, int function, std::int64_t offset);

} // namespace kl::inline sass
