// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/live/host/shared_library.h"

#include <string>
#include <vector>

namespace kl {

/// The first of `names` that one of `folders` holds (the user's python's: then a library and PyTorch are of one version); else as
/// SharedLibrary::open, with a toolkit's folders and those of `component`.
Result<SharedLibrary> openLibrary(const std::vector<std::string>& names, const std::vector<std::string>& folders,
                                  const std::string& component);

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

    /// The first one that the library does not have; empty: it has all.
    const std::string& missing() const noexcept { return missing_; }

private:
    const SharedLibrary& library_;
    std::string missing_;
};

} // namespace kl
