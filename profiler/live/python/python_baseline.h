// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline live {

/// One block of baseline measurements.
struct PythonSamples {
    std::string name;                 ///< implementation that ran, for display: "PyTorch SDPA (cuDNN)"
    std::string version;              ///< "torch 2.11.0+cu130, cuDNN 9.19"
    std::vector<double> gpuNs;        ///< per call, L2 cold: span of the call's GPU activities
    std::vector<double> kernelsNs;    ///< per call: times of its kernels added up, without copies, fills and gaps
    std::vector<double> hostNs;       ///< per call, call to completion
    std::vector<std::string> kernels; ///< names of the kernels that ran
    /// Inputs and what a call allocates at its peak; unset where the operation's memory is not PyTorch's.
    std::optional<std::int64_t> memoryBytes;
};

/// The long-lived python helper, a child of the worker with the original environment. Data stay on the GPU between blocks; it
/// uses the same device as the worker. One caller; calls alternate with the worker's own GPU work, never at the same time.
class PythonBaseline {
public:
    /// Starts the helper and waits until it is ready. Error environment: no python3, no torch, no GPU in torch, with the fix.
    static Result<std::unique_ptr<PythonBaseline>> start(const std::string& deviceUuid);

    virtual ~PythonBaseline() = default; ///< stops the helper

    /// "python3 3.12.3, torch 2.11.0+cu130".
    virtual const std::string& description() const noexcept = 0;

    /// Measures one block of `samples` calls of `op` ("sdpa", "cub-sum"), warm, L2 cold before each. The first call for an op
    /// and its params prepares the inputs; later ones reuse them. Error environment (not available, why) or kernelFailed.
    virtual Result<PythonSamples> measure(const std::string& op, const std::map<std::string, double>& params, int samples) = 0;

    /// The output of `op` for these inputs, in memory order (SDPA: Q, K, V): `bytes` bytes. "sdpa-own" is PyTorch's
    /// own 16-bit attention kernel, without other libraries. Errors as measure().
    virtual Result<std::vector<std::byte>> output(const std::string& op, const std::map<std::string, double>& params,
                                                  const std::vector<const std::vector<std::byte>*>& inputs, std::size_t bytes) = 0;
};

/// Folders of NVIDIA's libraries that the user's python3 would load; empty when there is no python3. Starts the interpreter once.
std::vector<std::string> pythonLibraryFolders();

/// "python3 3.12.3, torch 2.11.0+cu130" without starting the helper's GPU part; empty when there is no python3.
std::string describePython();

} // namespace kl::inline live
