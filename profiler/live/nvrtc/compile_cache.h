// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/file_cache.h"
#include "profiler/live/nvrtc/nvrtc.h"

#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>

namespace kl::inline live {

/// All compilation goes through here: earlier results of any process of this user are read from disk; simultaneous requests of several
/// threads or processes are compiled once. Safe from any thread.
class CompileCache {
public:
    using Compiled = std::shared_ptr<const CompiledSource>;
    /// Compiles a task that is not cached.
    using Compile = std::function<Result<CompiledSource>(const CompileTask&, const std::stop_token&)>;
    /// The inputs that determine the result.
    using Identity = std::function<std::string(const CompileTask&)>;

    CompileCache(FileCache files, Compile compile, Identity identity)
        : files_(std::move(files)), compile_(std::move(compile)), identity_(std::move(identity))
    {
    }

    /// NVRTC behind the user's cache folder (compileFiles()). Error environment: there is no NVRTC.
    static Result<CompileCache*> shared();

    /// Code that does not compile returns ok false and is not cached. Errors as Nvrtc::compile.
    Result<Compiled> compile(const CompileTask& task, const std::stop_token& stop = {});

    /// The note that keepNote() stored with the code of this task; unset if there is none. For facts that are expensive to derive from
    /// code.
    std::optional<std::string> note(const CompileTask& task) const;
    void keepNote(const CompileTask& task, const std::string& text) const;

private:
    std::string makeKey(const CompileTask& task) const;
    Result<Compiled> make(const std::string& key, const CompileTask& task, const std::stop_token& stop);
    std::optional<CompiledSource> read(const std::string& key) const;

    FileCache files_;
    Compile compile_;
    Identity identity_;
    std::mutex mutex_;
    std::map<std::string, std::shared_future<Result<Compiled>>> running_; ///< by key
};

/// An entry's text, and its inverse; unset for another text.
std::string packCompiled(const CompiledSource& compiled);
std::optional<CompiledSource> unpackCompiled(const std::string& packed);

} // namespace kl::inline live
