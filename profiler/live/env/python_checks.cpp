// SPDX-License-Identifier: MIT
#include "profiler/live/env/check.h"

#include <sstream>

namespace kl::inline live::env {
namespace {

constexpr double kSeconds = 90; // a first import of torch from a cold disk takes most of a minute

// One "key value" a line; anything else that an import prints is passed over. No CUDA context is made, and it does not wait for the
// interpreter to clear up: both take longer than the question.
constexpr const char* kScript = R"(
import os, sys
def say(key, value): print("kloop-" + key, " ".join(str(value).split()), flush=True)
say("python", sys.version.split()[0])
try:
    import numpy
    say("numpy", numpy.__version__)
except Exception:
    pass
try:
    import torch
    say("torch", torch.__version__)
    if torch.cuda.is_available():
        say("cuda", torch.cuda.device_count())
    else:
        say("nocuda", "built for CUDA " + torch.version.cuda if torch.version.cuda else "a build without CUDA")
except ModuleNotFoundError as e:
    say("lost", e)
except Exception as e:
    say("broken", type(e).__name__ + ": " + str(e))
os._exit(0)
)";

constexpr int kNumpy2 = 2000;
constexpr int kTorchWithNumpy2 = 2030; // torch 2.3 is the first built against numpy 2

} // namespace

PythonAnswer askPython(const EnvHost& host)
{
    PythonAnswer answer;
    const Result<std::string> output = host.runPython(kScript, kSeconds);
    if (!output) {
        answer.error = output.error().message;
        return answer;
    }
    std::istringstream lines(*output);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t space = line.find(' ');
        const std::string key = line.substr(0, space);
        const std::string value = space == std::string::npos ? std::string() : line.substr(space + 1);
        if (key == "kloop-python")
            answer.python = value;
        else if (key == "kloop-numpy")
            answer.numpy = value;
        else if (key == "kloop-torch")
            answer.torch = value;
        else if (key == "kloop-lost" || key == "kloop-broken")
            answer.torchError = (key == "kloop-lost" ? "" : "it cannot be imported: ") + value;
        else if (key == "kloop-cuda" || key == "kloop-nocuda") {
            answer.cuda = key == "kloop-cuda";
            answer.cudaDetail = value;
        }
    }
    if (answer.python.empty())
        answer.error = "python3 did not respond.";
    return answer;
}

EnvCheck python(const PythonAnswer& answer)
{
    EnvCheck line{"python", Requirement::optional, {}, {}, "PyTorch's kernels, measured through python, are the baseline of attention.",
                  {}};
    if (answer.python.empty())
        return failCheck(line, answer.error, "Install python3, or name the interpreter to use: export KLOOP_PYTHON=/path/to/python3");
    return passCheck(line, "python " + answer.python + (answer.numpy.empty() ? "" : ", numpy " + answer.numpy));
}

EnvCheck torch(const PythonAnswer& answer, const std::string& requiredVersion)
{
    EnvCheck line{"torch", requiredVersion.empty() ? Requirement::optional : Requirement::required, {},
                  {},      "PyTorch's attention is the baseline that a kernel must beat.",          {}};
    const std::string install = "python3 -m pip install torch" + (requiredVersion.empty() ? std::string() : "==" + requiredVersion);
    if (answer.python.empty())
        return skipCheck(line, "There is no python.");
    if (answer.torch.empty())
        return failCheck(line, answer.torchError.empty() ? "torch is not installed." : "torch: " + answer.torchError, install);
    if (!requiredVersion.empty() && answer.torch != requiredVersion && !answer.torch.starts_with(requiredVersion + "+"))
        return failCheck(line, "torch " + answer.torch + ", where " + requiredVersion + " is required", install);
    return passCheck(line, "torch " + answer.torch);
}

EnvCheck numpy(const PythonAnswer& answer, const std::string& requiredTorch)
{
    const std::string& requestedTorch = answer.torch.empty() ? requiredTorch : answer.torch;
    const std::optional<int> torchNumber = versionNumber(requestedTorch);
    const std::optional<int> numpyNumber = versionNumber(answer.numpy);
    const bool needsOne = torchNumber && *torchNumber < kTorchWithNumpy2;
    EnvCheck line{"numpy",
                  needsOne ? Requirement::required : Requirement::optional,
                  {},
                  {},
                  "torch before 2.3 is built against numpy 1; with numpy 2 it fails when tensors are handed over.",
                  {}};
    const char* below2 = "python3 -m pip install 'numpy<2'";
    if (answer.python.empty())
        return skipCheck(line, "There is no python.");
    if (answer.numpy.empty() && answer.torch.empty())
        return skipCheck(line, "There is neither numpy nor torch.");
    if (answer.numpy.empty())
        return failCheck(line, "numpy is not installed.", needsOne ? below2 : "python3 -m pip install numpy");
    if (needsOne && numpyNumber && *numpyNumber >= kNumpy2)
        return failCheck(line, "numpy " + answer.numpy + ", where torch " + requestedTorch + " needs numpy below 2", below2);
    return passCheck(line, "numpy " + answer.numpy +
                               (needsOne                                 ? ", below 2"
                                : numpyNumber && *numpyNumber >= kNumpy2 ? " (supported by torch 2.3 and later)"
                                                                         : ""));
}

EnvCheck torchCuda(const PythonAnswer& answer, bool haveGpu)
{
    EnvCheck line{"torch-cuda", Requirement::optional, {}, {}, "The baseline must run on the same GPU.", {}};
    if (answer.torch.empty())
        return skipCheck(line, "There is no torch.");
    if (answer.cuda)
        return passCheck(line, "torch sees " + answer.cudaDetail + (answer.cudaDetail == "1" ? " GPU" : " GPUs"));
    if (!haveGpu)
        return skipCheck(line, kNoGpu);
    return failCheck(
        line, "torch does not see the GPU: " + answer.cudaDetail,
        "Install a build for this driver's CUDA: python3 -m pip install torch --index-url https://download.pytorch.org/whl/cu128");
}

} // namespace kl::inline live::env
