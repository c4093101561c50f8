// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace kl::inline live {

/// A compiled source: the image for one architecture, and the PTX it was made from.
struct CompiledSource {
    bool ok = false;
    std::string cubin; ///< binary image; empty when not ok
    std::string ptx;
    std::string log;     ///< NVRTC's and ptxas's messages
    double seconds = 0;  ///< spent compiling, when it was done
    bool cached = false; ///< cached, perhaps by another process
};

/// The inputs of a compilation.
struct CompileTask {
    std::string source;
    std::vector<std::string> options;                ///< the caller's: "-DTILE=32"
    std::string arch;                                ///< "sm_90", "sm_90a"
    std::map<std::string, std::string> headers = {}; ///< texts that the source includes by name
};

/// CUDA's run-time compiler, loaded at run time (libnvrtc.so.13, .12). Needs no GPU.
class Nvrtc {
public:
    /// Loads the library once per process. Error environment, one sentence with the fix.
    static const Result<Nvrtc>& load();

    /// "13.0".
    std::string version() const;

    /// major * 1000 + minor * 10, as the driver counts.
    int versionNumber() const noexcept { return major_ * 1000 + minor_ * 10; }

    /// Supported architectures: 90 for sm_90.
    std::vector<int> architectures() const;

    /// Whether it supports an architecture. Error environment lists the supported ones, with their feature targets.
    Status checkSupported(const std::string& arch) const;

    /// Compiles CUDA C++. Angled includes (<cuda_fp16.h>) are found where a CUDA toolkit's headers are on this machine. A source that does
    /// not compile returns ok false and the log. Line information is always generated: it does not change instructions. Safe from several
    /// threads. `stop` ends it midway where NVRTC can be stopped (12.8 and newer). Errors: badInput for an option or an inclusion that a
    /// kernel may not have (compilerOptionFault, checkInclusions); NVRTC itself fails; checkSupported's; interrupted.
    Result<CompiledSource> compile(const CompileTask& task, const std::stop_token& stop = {}) const;

    /// Everything that determines the result: the task, the options added to it, the compiler's version and file.
    std::string identity(const CompileTask& task) const;

private:
    Nvrtc() = default;
    static Result<Nvrtc> loadLibrary();

    /// The caller's options after the default ones.
    std::vector<std::string> allOptions(const CompileTask& task) const;

    int major_ = 0;
    int minor_ = 0;
    std::string library_; ///< path and size of the file that was loaded
};

} // namespace kl::inline live
