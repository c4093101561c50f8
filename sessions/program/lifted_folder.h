// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "kernels/model/work.h"
#include "profiler/protocol/lifted_launch.h"

#include <filesystem>
#include <optional>
#include <string>

namespace kl::inline program {

/// What its user says about a launch that is lifted.
struct LiftedAs {
    std::string name;          ///< of the kernel, in addresses; empty: made from the kernel's own
    DType type = DType::u8;    ///< of the elements that it writes; bytes: compared bit by bit
    double tolerance = 0;      ///< largest absolute difference, and of the relative L2 norm
    bool deterministic = true; ///< false: floating-point atomics and the like
};

/// The folder that was written.
struct LiftedFolder {
    std::filesystem::path descriptor; ///< its kernel.json
    std::string id;                   ///< of the kernel
    std::uint64_t bytes = 0;          ///< of the memory, and as files
    std::uint64_t storedBytes = 0;
    std::uint64_t changedBytes = 0; ///< of it, that the launch changed: pieces of 512 bytes
    int buffers = 0;
};

/// lift.json in the folder that the injected library wrote; unset where it wrote none. Error badInput: it is damaged.
Result<std::optional<LiftedLaunch>> readLift(const std::filesystem::path& raw);

/// Makes a kernel of a lifted launch: a folder with kernel.json (variants "lifted", its machine code, and "rewrite", a source to fill in),
/// arguments, compressed memory and lift.json. `out` is made; it must not exist, or be an empty folder. Precondition: `lift` is readLift's,
/// and was lifted. Errors badInput: `out` cannot be written; the raw folder lacks a file or is not what lift.json says.
Result<LiftedFolder> writeLifted(const LiftedLaunch& lift, const std::filesystem::path& raw, const std::filesystem::path& out,
                                 const LiftedAs& as);

/// A kernel's source with the lifted one's parameters, named and typed as far as their sizes tell, and an empty body.
std::string rewriteSource(const LiftedLaunch& lift, std::string_view arguments);

} // namespace kl::inline program
