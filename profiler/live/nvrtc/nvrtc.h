// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <map>
#include <string>
#include <vector>

namespace kl {

/// A compiled source: the image for one architecture, and the PTX it was made from.
struct CompiledSource {
    bool ok = false;
    std::string cubin; ///< binary image; empty when not ok
    std::string ptx;
    std::string log; ///< NVRTC's and ptxas's messages
    double seconds = 0;
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

    /// Architectures it can make code for: 90 for sm_90.
    std::vector<int> architectures() const;

    /// Compiles CUDA C++ for `arch` ("sm_90") with the caller's options; `headers` are the texts that it includes by name. Angled includes
    /// (<cuda_fp16.h>) are found where a CUDA toolkit's headers are on this machine. A source that does not compile is an answer with ok
    /// false and the log. Line information is always made: it changes no instruction. Error: NVRTC itself fails, or it does not know the
    /// architecture.
    Result<CompiledSource> compile(const std::string& source, const std::vector<std::string>& options, const std::string& arch,
                                   const std::map<std::string, std::string>& headers = {}) const;

private:
    Nvrtc() = default;
    static Result<Nvrtc> loadLibrary();

    int major_ = 0;
    int minor_ = 0;
};

} // namespace kl
