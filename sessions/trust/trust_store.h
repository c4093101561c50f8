// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/file_command.h"
#include "core/base/result.h"

#include <filesystem>
#include <vector>

namespace kl::inline trust {

/// A command that the user has allowed.
struct TrustedCommand {
    FileCommand command;
    std::string at; ///< when, ISO 8601
};

/// What the user has allowed to run, by the hash of what runs. It lies with the user's own data, readable for the user alone: never in a
/// project or a database, which may be somebody else's. Several programs may write at once. Errors badInput: the file is damaged or cannot
/// be read or written, or others may write to it.
class TrustStore {
public:
    explicit TrustStore(std::filesystem::path file = defaultFile()) : file_(std::move(file)) {}

    /// trusted.json of the user's data folder.
    static std::filesystem::path defaultFile();

    const std::filesystem::path& file() const noexcept { return file_; }

    /// Newest first.
    Result<std::vector<TrustedCommand>> list() const;
    Result<bool> holds(const std::string& hash) const;
    /// Again with the same hash: the newer one stays.
    Status add(const FileCommand& command) const;
    /// The one command whose hash begins so. Error notFound: none does, or several.
    Result<TrustedCommand> remove(const std::string& hash) const;

private:
    Status write(const std::vector<TrustedCommand>& all) const;

    std::filesystem::path file_;
};

} // namespace kl::inline trust
