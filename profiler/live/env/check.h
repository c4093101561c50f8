// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/live/env/env_checks.h"
#include "profiler/live/env/env_host.h"
#include "profiler/protocol/gpu_choice.h"

#include <optional>
#include <string>

/// The single checks behind runEnvChecks; each fills one line. Not for other folders.
namespace kl::inline live::env {

struct Context {
    const EnvRequest& request;
    const EnvFacts& facts;
    const EnvHost& host;
    Nvml* nvml = nullptr;   ///< of device(); null without one
    std::string nvmlReason; ///< why it is null

    /// The measuring device, or null.
    const DeviceInfo* device() const { return findMeasuredDevice(facts.hello); }
};

/// The information from python. Empty versions: not installed.
struct PythonAnswer {
    std::string error; ///< why python failed
    std::string python;
    std::string numpy;
    std::string torch;
    std::string torchError; ///< why torch cannot be imported
    bool cuda = false;
    std::string cudaDetail; ///< device name, or why CUDA is not available
};

inline constexpr const char* kNoGpu = "There is no GPU.";

EnvCheck passCheck(EnvCheck line, std::string found);
EnvCheck failCheck(EnvCheck line, std::string found, std::string fix);
EnvCheck skipCheck(EnvCheck line, std::string reason);

/// Major and minor of "13.0", "12 (API 24)" or "2.11.0+cu130" as major × 1000 + minor × 10, as CUDA numbers versions;
/// unset when the text starts with no number.
std::optional<int> versionNumber(const std::string& text);

/// 13000 as "13.0".
std::string cudaVersionText(int version);

EnvCheck gpu(const Context& context);
EnvCheck driver(const Context& context);
EnvCheck nvrtc(const Context& context);
EnvCheck cupti(const Context& context);
/// nvcc: required only if the request has an extension.
EnvCheck toolkit(const Context& context);
EnvCheck counters(const Context& context);
EnvCheck computeCapabilityCheck(const Context& context);
EnvCheck sharedMemory(const Context& context);
EnvCheck gpuIdle(const Context& context);
EnvCheck throttling(const Context& context);
EnvCheck clocks(const Context& context);
EnvCheck persistence(const Context& context);
EnvCheck disk(const Context& context);
EnvCheck loaderPath(const Context& context);
EnvCheck preemption(const Context& context);
EnvCheck smokeKernel(const Context& context);

/// Builds the extension of the request; takes as long as its build does.
EnvCheck extensionBuild(const Context& context);
/// Imports what was built, with the cause of a failure.
EnvCheck extensionImport(const Context& context, const EnvCheck& build);

/// Runs python once for all three checks; takes seconds with torch.
PythonAnswer askPython(const EnvHost& host);
EnvCheck python(const PythonAnswer& answer);
EnvCheck torch(const PythonAnswer& answer, const std::string& requiredVersion);
/// numpy below 2 where torch, or the required one, is older than 2.3.
EnvCheck numpy(const PythonAnswer& answer, const std::string& requiredTorch);
EnvCheck torchCuda(const PythonAnswer& answer, bool haveGpu);

} // namespace kl::inline live::env
