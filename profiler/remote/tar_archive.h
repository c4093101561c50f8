// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace kl::inline remote {

/// A tar archive (POSIX ustar) of plain files in memory.
class TarArchive {
public:
    /// `name`: its path in the archive, 99 bytes at most. Files that programs run have mode 0755, others 0644.
    void add(std::string_view name, bool runs, std::string_view content);

    /// The whole archive; nothing may be added afterwards.
    std::string finish();

private:
    std::string bytes_;
};

} // namespace kl::inline remote
