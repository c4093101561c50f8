// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "profiler/live/baselines/cudnn_functions.h"
#include "profiler/live/baselines/open_library.h"

#include <memory>
#include <string>

namespace kl::inline live::cudnn {

/// The functions of libcudnn.so.9, loaded once per process: from the loader's path, CUDA toolkits, wheels, and `folders` (of the user's
/// python). Error environment: not found, too old, or without a function; with the fix.
Result<const Functions*> load(const LibraryFolders& folders);

/// "9.19.0".
std::string versionText(const Functions& functions);

/// A cuDNN handle on the current context that queues on `stream`.
class Session {
public:
    static Result<std::unique_ptr<Session>> open(const Functions& functions, void* stream);
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;
    ~Session() { functions_->destroy(handle_); }

    const Functions& functions() const noexcept { return *functions_; }
    Handle handle() const noexcept { return handle_; }

private:
    Session(const Functions& functions, Handle handle) : functions_(&functions), handle_(handle) {}

    const Functions* functions_;
    Handle handle_;
};

} // namespace kl::inline live::cudnn
