// SPDX-License-Identifier: MIT
#include "profiler/live/baselines/cudnn_library.h"

#include "profiler/live/baselines/cudnn_graph.h"
#include "profiler/live/baselines/open_library.h"

#include <fmt/format.h>
#include <optional>

namespace kl::cudnn {
namespace {

constexpr std::size_t kOldest = 90000; // the first with these enumerations and with flash attention on every architecture from 8.0 on
constexpr const char* kHint = "Install it for the python3 in use (pip install nvidia-cudnn-cu13), or NVIDIA's package libcudnn9-cuda-13.";

Result<Functions> bindAll(const std::vector<std::string>& folders)
{
    const Result<SharedLibrary> library = openLibrary({"libcudnn.so.9"}, folders, "cudnn");
    if (!library)
        return Error{ErrorCode::environment, "cuDNN 9 was not found: " + library.error().message + '.', kHint, "libcudnn.so.9",
                     library.error().detail};
    Functions functions;
    FunctionBinder bind(*library);
    bind(functions.getVersion, "cudnnGetVersion");
    bind(functions.create, "cudnnCreate");
    bind(functions.destroy, "cudnnDestroy");
    bind(functions.setStream, "cudnnSetStream");
    bind(functions.errorString, "cudnnGetErrorString");
    bind(functions.lastError, "cudnnGetLastErrorString");
    bind(functions.createDescriptor, "cudnnBackendCreateDescriptor");
    bind(functions.destroyDescriptor, "cudnnBackendDestroyDescriptor");
    bind(functions.setAttribute, "cudnnBackendSetAttribute");
    bind(functions.getAttribute, "cudnnBackendGetAttribute");
    bind(functions.finalize, "cudnnBackendFinalize");
    bind(functions.execute, "cudnnBackendExecute");
    if (!bind.missing().empty() || functions.getVersion() < kOldest)
        return Error{ErrorCode::environment,
                     bind.missing().empty() ? fmt::format("cuDNN {} is too old: 9.0 or newer is needed.", versionText(functions))
                                            : fmt::format("{} has no function {}.", library->path(), bind.missing()),
                     kHint,
                     library->path(),
                     {}};
    return functions;
}

} // namespace

Result<const Functions*> load(const std::vector<std::string>& folders)
{
    static std::optional<Functions> loaded; // the worker's GPU thread alone asks
    if (!loaded) {
        Result<Functions> bound = bindAll(folders);
        if (!bound)
            return bound.error();
        loaded = *bound;
    }
    return &*loaded;
}

std::string versionText(const Functions& functions)
{
    const std::size_t number = functions.getVersion();
    return fmt::format("{}.{}.{}", number / 10000, number % 10000 / 100, number % 100);
}

Result<std::unique_ptr<Session>> Session::open(const Functions& functions, void* stream)
{
    Handle handle = nullptr;
    if (const int status = functions.create(&handle); status != 0)
        return failureOf(functions, "to start", status);
    std::unique_ptr<Session> session(new Session(functions, handle));
    if (const int status = functions.setStream(handle, stream); status != 0)
        return failureOf(functions, "our stream", status);
    return session;
}

} // namespace kl::cudnn
