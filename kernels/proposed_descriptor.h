// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "kernels/source_kernel.h"

#include <string>
#include <vector>

namespace kl::inline kernels {

/// What a parameter gets in each launch.
struct ProposedArgument {
    SourceParameter parameter;
    std::string role;  ///< of a buffer: "input", "output", "scratch"; empty for a scalar
    std::string value; ///< a formula over the sizes: a buffer's elements, a scalar's value

    bool operator==(const ProposedArgument&) const = default;
};

/// A descriptor for one kernel function of a .cu file, for its user to complete: what it computes is not known, so it has no reference, and
/// its output is not checked until one is added.
struct ProposedDescriptor {
    std::string id;      ///< of the family
    std::string entry;   ///< the function
    std::string problem; ///< "N=1048576"
    std::string grid;    ///< formulas, separated by semicolons
    std::string block;
    std::vector<ProposedArgument> arguments;

    bool operator==(const ProposedDescriptor&) const = default;
};

/// Sizes are the integer parameters, in capitals; N without any. Buffers have as many elements as the first two sizes make; what is const
/// is an input, the rest outputs. Blocks have 256 threads, one for each element.
ProposedDescriptor proposeDescriptor(const SourceKernel& kernel, const std::string& id);

/// Writes NAME.json beside NAME.cu, after checking it as any descriptor is, and returns its path. That the function is extern "C" is known
/// from kernelsInSource. Errors badInput: a parameter of a type that descriptors have no name for, a file that is there already,
/// parseDescriptor's.
Result<std::string> writeDescriptor(const ProposedDescriptor& proposed, const std::string& source);

} // namespace kl::inline kernels
