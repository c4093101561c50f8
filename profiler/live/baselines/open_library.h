// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/try.h"
#include "profiler/live/host/shared_library.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline live {

/// Folders of the libraries of the user's python: queried only when a library is needed, since this starts the interpreter.
/// An empty one means none.
using LibraryFolders = std::function<std::vector<std::string>()>;

/// An optional library.
struct OptionalLibrary {
    std::string title;              ///< "cuBLAS"
    std::vector<std::string> names; ///< of its file, the best first
    std::string component;          ///< part of NVIDIA's wheels that has it: "cublas"
    std::string hint;               ///< how to get it
};

/// The first of the library's names that one of `folders` holds (the user's python's: then a library and PyTorch are of one version); else
/// as SharedLibrary::open, with a toolkit's folders and those of the component. Error environment: not found, with the hint.
Result<SharedLibrary> openLibrary(const OptionalLibrary& wanted, const std::vector<std::string>& folders);

/// Looks functions up by name, one after the other.
class FunctionBinder {
public:
    explicit FunctionBinder(const SharedLibrary& library) : library_(library) {}

    template <class F> void operator()(F& function, const char* name)
    {
        function = library_.function<F>(name);
        if (function == nullptr && missing_.empty())
            missing_ = name;
    }

    /// Error environment names the first function that the library does not have.
    Status complete(const OptionalLibrary& wanted) const;

    const std::string& path() const noexcept { return library_.path(); }

private:
    const SharedLibrary& library_;
    std::string missing_;
};

/// The functions of a library, bound once per process by `bind(FunctionBinder&, Functions&)`, whose Status says whether it is usable;
/// otherwise the next call tries again. One thread. Errors: openLibrary's and `bind`'s.
template <class Functions, class Bind>
Result<const Functions*> loadOnce(const OptionalLibrary& wanted, const LibraryFolders& folders, Bind bind)
{
    static std::optional<Functions> loaded;
    if (!loaded) {
        KL_ASSIGN(const SharedLibrary library, openLibrary(wanted, folders ? folders() : std::vector<std::string>{}));
        Functions functions;
        FunctionBinder binder(library);
        KL_TRY(bind(binder, functions));
        loaded = functions;
    }
    return &*loaded;
}

} // namespace kl::inline live
