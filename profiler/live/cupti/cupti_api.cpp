// SPDX-License-Identifier: MIT
#include "profiler/live/cupti/cupti_api.h"

#include "profiler/live/host/shared_library.h"

#include <filesystem>

namespace kl::inline live {
namespace {

// libcupti opens its own helpers by bare name when first used; a wheel's or toolkit's folder need not be on the loader's path.
void preloadHelpers(const std::string& libraryPath)
{
    const std::filesystem::path folder = std::filesystem::path(libraryPath).parent_path();
    if (folder.empty())
        return;
    for (const char* helper : {"libnvperf_host.so", "libnvperf_target.so"})
        (void)SharedLibrary::open({helper}, {folder.string()});
}

Result<CuptiApi> loadOnce()
{
    Result<SharedLibrary> library =
        SharedLibrary::open({"libcupti.so.13", "libcupti.so.12", "libcupti.so"}, toolkitLibraryFolders("cuda_cupti"));
    if (!library) {
        Error error = library.error();
        error.message = "CUPTI, the library that reads performance counters, was not found.";
        error.hint = "Install the CUDA toolkit's CUPTI (package cuda-cupti-13-0, or pip install nvidia-cuda-cupti), or set CUDA_HOME.";
        return error;
    }
    preloadHelpers(library->path());
    CuptiApi api;
    api.path = library->path();
#define KL_CUPTI_BIND(name)                                                                                                                \
    api.name = library->function<decltype(&::cupti##name)>("cupti" #name);                                                                 \
    if (!api.name)                                                                                                                         \
        return Error{.code = ErrorCode::environment,                                                                                       \
                     .message = "The CUPTI that was found is too old: it has no cupti" #name ".",                                          \
                     .hint = "Install CUPTI of CUDA 12.6 or newer.",                                                                       \
                     .where = api.path,                                                                                                    \
                     .detail = {}};
    KL_CUPTI_FUNCTIONS(KL_CUPTI_BIND)
#undef KL_CUPTI_BIND
#define KL_CUPTI_BIND_NEWER(name) api.name = library->function<decltype(&::cupti##name)>("cupti" #name);
    KL_CUPTI_NEWER_FUNCTIONS(KL_CUPTI_BIND_NEWER)
#undef KL_CUPTI_BIND_NEWER
    return api;
}

struct Known {
    CUptiResult result;
    const char* message;
    const char* hint;
};

constexpr Known kKnown[] = {
    {CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED, "Performance counters cannot be read on this virtual GPU.",
     "Use a host with the whole GPU, or ask its operator for a vGPU profile that allows profiling."},
    {CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES, "This virtual GPU does not permit performance counters.",
     "Ask the host's operator to enable profiling for the virtual GPU."},
    {CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED, "Performance counters cannot be read on a mining card (CMP).", "Use another GPU."},
    {CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED, "Performance counters cannot be read on this MIG slice.",
     "Use a whole GPU, or have an administrator disable MIG: nvidia-smi -mig 0."},
    {CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, "Another profiler holds CUPTI in this process.",
     "Run without ncu, nsys or cuda-gdb: CUPTI supports one user at a time."},
    {CUPTI_ERROR_HARDWARE_BUSY, "Another program is reading the GPU's performance counters.",
     "Stop the other profiler (ncu, nsys, dcgm), or pause it: dcgmi profile --pause."},
    {CUPTI_ERROR_NOT_COMPATIBLE, "This CUPTI does not match the installed driver.",
     "Use the CUPTI of the driver's CUDA version, or an older one of the same major version."},
};

} // namespace

const Result<CuptiApi>& CuptiApi::load()
{
    static const Result<CuptiApi> api = loadOnce();
    return api;
}

Error makeNotPermittedError()
{
    return Error{.code = ErrorCode::environment,
                 .message =
                     "This user may not read performance counters: the driver restricts them to administrators (RmProfilingAdminOnly: 1).",
                 .hint = "As root on the GPU host: echo 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' > "
                         "/etc/modprobe.d/kernelloop.conf, then reboot; in a container: --cap-add=SYS_ADMIN. "
                         "Otherwise KernelLoop continues in counter-free mode."};
}

bool countersBusy(const Error& error)
{
    return error.detail.find("HARDWARE_BUSY") != std::string::npos;
}

Status checkCupti(CUptiResult result, const char* call)
{
    if (result == CUPTI_SUCCESS)
        return {};
    const char* words = nullptr;
    if (const Result<CuptiApi>& api = CuptiApi::load(); api.ok() && api.value().GetResultString(result, &words) != CUPTI_SUCCESS)
        words = nullptr;
    const std::string detail = std::string(call) + ": " + (words ? words : "CUPTI error " + std::to_string(result));
    if (result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES) {
        Error error = makeNotPermittedError();
        error.detail = detail;
        return error;
    }
    for (const Known& known : kKnown)
        if (known.result == result)
            return Error{.code = ErrorCode::environment, .message = known.message, .hint = known.hint, .detail = detail};
    return Error{.code = ErrorCode::environment,
                 .message = "A CUPTI call failed: " + detail + ".",
                 .hint = "The check of this machine says what it lacks.",
                 .detail = detail}
        .leadTo({StepId::checkEnvironment});
}

} // namespace kl::inline live
