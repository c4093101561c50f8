// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/file_cache.h"
#include "profiler/live/nvrtc/nvrtc.h"

#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>

namespace kl {

/// The one way to compiled code: what was compiled before, by whichever process of this user, is read from disk; what several threads or
/// processes ask for at the same time is compiled once. Safe from any thread.
class CompileCache {
public:
    using Compiled = std::shared_ptr<const CompiledSource>;
    /// Does the work of a task that is nowhere.
    using Compile = std::function<Result<CompiledSource>(const CompileTask&, const std::stop_token&)>;
    /// What the outcome depends on.
    using Identity = std::function<std::string(const CompileTask&)>;

    CompileCache(FileCache files, Compile compile, Identity identity)
        : files_(std::move(files)), compile_(std::move(compile)), identity_(std::move(identity))
    {
    }

    /// NVRTC behind the user's cache folder (compileFiles()). Error environment: there is no NVRTC.
    static Result<CompileCache*> shared();

    /// Code that does not compile is answered with ok false, and not kept. Errors as Nvrtc::compile.
    Result<Compiled> compile(const CompileTask& task, const std::stop_token& stop = {});

    /// What keepNote() put beside the code of this task; nothing where there is none. For what is dear to find out from code.
    std::optional<std::string> note(const CompileTask& task) const;
    void keepNote(const CompileTask& task, const std::string& text) const;

private:
    std::string keyOf(const CompileTask& task) const;
    Result<Compiled> make(const std::string& key, const CompileTask& task, const std::stop_token& stop);
    std::optional<CompiledSource> read(const std::string& key) const;

    FileCache files_;
    Compile compile_;
    Identity identity_;
    std::mutex mutex_;
    std::map<std::string, std::shared_future<Result<Compiled>>> running_; ///< by key
};

/// An entry's text, and back; nothing when it is none.
std::string packCompiled(const CompiledSource& compiled);
std::optional<CompiledSource> unpackCompiled(const std::string& packed);

} // namespace kl
