// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/model/descriptor.h"

#include <cstdint>
#include <map>
#include <string>

namespace kl::inline kernels {

/// When a user's files were last written, to notice that one was saved: also by an editor that writes a new file and renames it.
class FileStamps {
public:
    /// Records the stamps of new files of a kernel; call it before they are read.
    void add(const KernelOrigin& origin);

    /// Whether a known file was replaced or removed.
    bool changed() const;

private:
    struct Stamp {
        std::int64_t time = 0;
        std::uintmax_t size = 0;
        bool operator==(const Stamp&) const = default;
    };
    static Stamp of(const std::string& path);

    std::map<std::string, Stamp> stamps_;
};

} // namespace kl::inline kernels
