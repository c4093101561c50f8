// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/data/npy.h"
#include "kernels/reference/reference.h"

#include <string>
#include <vector>

namespace kl::inline live {

/// An input of the script: NAME.npy.
struct NamedArray {
    std::string name;
    DType type = DType::f32;
    const std::vector<std::byte>* bytes = nullptr;
};

/// Runs a reference script with the user's python3 in a folder of its own, which holds NAME.npy of every input (flat) and problem.json
/// (sizes, tunables, constants), and reads OUTPUT.npy that it writes there: `count` elements of any shape and number type. Errors badInput,
/// with the end of the script's output as detail: it fails, takes longer than its time, writes no file or another count. Error environment:
/// no python3, no room for the files.
Result<Expected> runReferenceScript(const ReferenceSpec& reference, const std::vector<NamedArray>& inputs, std::int64_t count);

} // namespace kl::inline live
