// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kl::inline kernels {

/// A parameter of a kernel function, as written.
struct SourceParameter {
    std::string name;
    std::string type; ///< of an element, or the scalar, as a descriptor names it: "f32"; empty for one that it has no name for
    bool pointer = false;
    bool readOnly = false; ///< const T*

    bool operator==(const SourceParameter&) const = default;
};

/// A kernel function in CUDA C++.
struct SourceKernel {
    std::string name;
    bool externC = false; ///< else a descriptor cannot name it
    int line = 1;         ///< of __global__
    std::vector<SourceParameter> parameters;

    bool operator==(const SourceKernel&) const = default;
};

/// The kernel functions of a source in their order, without templates, which have no name before they are instantiated. Reads declarations
/// as text: comments and launch bounds are skipped, macros are not expanded.
std::vector<SourceKernel> kernelsInSource(std::string_view source);

/// The text of a kernel function, from the line of __global__ to its closing brace; empty if the source has none of this name.
std::string kernelText(std::string_view source, const std::string& name);

} // namespace kl::inline kernels
