// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace kl::inline imports {

/// Reads the bytes of a file in parts; an empty part is the end. A part is valid until the next call.
using ByteSource = std::function<Result<std::string_view>()>;

/// Bytes that stay where they are for as long as the source is used.
ByteSource toByteSource(std::string_view bytes);

/// A plain file that is read part by part, as often as it is requested: of any size.
class PlainFile {
public:
    /// Errors badInput: no such file, no permission, empty, no plain file, an open database.
    static Result<PlainFile> open(const std::string& path);

    /// The first bytes, enough to recognize the kind of file.
    const std::string& head() const { return head_; }

    /// From the start. One source at a time.
    ByteSource bytes() const;

private:
    struct File;
    std::shared_ptr<File> file_;
    std::string head_;
};

/// Whether bytes begin as a zstd frame does.
bool isCompressed(std::string_view bytes);

/// Whether bytes begin as a compressed report of Nsight Compute (.ncu-repz) does: the whole report in one zstd frame, which is what
/// NVIDIA's ncu_report 2026.3.1 opens under this suffix. The first 192 KiB decide.
bool isPackedReport(std::string_view bytes);

/// What a zstd frame unpacks to, in bounded memory, regardless of the size in its header. Error badInput for a damaged frame and for one
/// that is cut off, once that is seen.
ByteSource unpackSource(ByteSource frame, std::string where);

} // namespace kl::inline imports
