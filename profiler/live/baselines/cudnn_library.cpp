// SPDX-License-Identifier: MIT
#include "profiler/live/baselines/cudnn_library.h"

#include "profiler/live/baselines/cudnn_graph.h"

#include <fmt/format.h>

namespace kl::inline live::cudnn {
namespace {

constexpr std::size_t kOldest = 90000; // the first with these enumerations and with flash attention on every architecture from 8.0 on

const OptionalLibrary& library()
{
    static const OptionalLibrary wanted{
        "cuDNN 9",
        {"libcudnn.so.9"},
        "cudnn",
        "Install it for the python3 in use (pip install nvidia-cudnn-cu13), or NVIDIA's package libcudnn9-cuda-13."};
    return wanted;
}

Status bindAll(FunctionBinder& bind, Functions& functions)
{
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
    if (Status complete = bind.complete(library()); !complete || functions.getVersion() >= kOldest)
        return complete;
    return Error{.code = ErrorCode::environment,
                 .message = fmt::format("cuDNN {} is too old: 9.0 or newer is needed.", versionText(functions)),
                 .hint = library().hint,
                 .where = bind.path()};
}

} // namespace

Result<const Functions*> load(const LibraryFolders& folders)
{
    return loadOnce<Functions>(library(), folders, bindAll);
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
        return makeCudnnError(functions, "to start", status);
    std::unique_ptr<Session> session(new Session(functions, handle));
    if (const int status = functions.setStream(handle, stream); status != 0)
        return makeCudnnError(functions, "our stream", status);
    return session;
}

} // namespace kl::inline live::cudnn
