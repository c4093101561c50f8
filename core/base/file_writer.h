// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/leftovers.h"
#include "core/base/result.h"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>

namespace kl {

/// writeFile() piece by piece, for what is larger than memory should hold: the file that was there stays as it was until finish() returns
/// success, and a writer that goes before leaves nothing behind.
class FileWriter {
public:
    /// Errors badInput: writeFile's; a database that is open, which must not be replaced under it.
    static Result<FileWriter> begin(const std::filesystem::path& file);

    FileWriter(FileWriter&& other) noexcept;
    FileWriter& operator=(FileWriter&&) = delete;
    ~FileWriter();

    Status write(std::string_view bytes);
    /// Puts what was written into its place. Nothing may be written after it.
    Status finish();

    std::uint64_t size() const { return size_; } ///< bytes written so far

private:
    enum class Way {
        beside,  ///< another file in the folder, which takes the place
        inPlace, ///< no other name can be made there: written to a temporary file first, then over what is there
        straight ///< not a plain file: written data cannot be taken back
    };
    struct Closer {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };

    explicit FileWriter(std::filesystem::path file) : file_(std::move(file)), target_(file_) {}
    int open();
    Status overwrite(int from);

    std::filesystem::path file_;           ///< as it was named
    std::filesystem::path target_;         ///< a link's target, where there is one
    std::filesystem::path part_;           ///< to be removed where the writing ends early; empty: there is none
    std::unique_ptr<Leftover> unfinished_; ///< of part_, where the program is stopped
    Way way_ = Way::beside;
    bool exists_ = false;
    unsigned permissions_ = 0;
    int descriptor_ = -1;
    bool owned_ = false; ///< descriptor_ was opened here
    std::unique_ptr<std::FILE, Closer> temporary_;
    int place_ = -1; ///< of inPlace: the target, opened early so that a missing permission is found before the work
    std::uint64_t size_ = 0;
};

} // namespace kl
