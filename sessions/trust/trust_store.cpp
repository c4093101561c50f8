// SPDX-License-Identifier: MIT
#include "sessions/trust/trust_store.h"

#include "core/base/data_folder.h"
#include "core/base/file_lock.h"
#include "core/base/format.h"
#include "core/base/read_file.h"
#include "core/base/try.h"
#include "core/base/write_file.h"
#include "core/codec/json_read.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

namespace kl::inline trust {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTrustSchema = "kernelloop.trust/1";
constexpr mode_t kMine = 0600;
constexpr mode_t kOthersWrite = 022;

Error unusableTrust(const fs::path& file, const std::string& why)
{
    return {.code = ErrorCode::badInput,
            .message = fmt::format("The list of commands that you have allowed, {}, {}.", file.string(), why),
            .hint = "Correct that, or remove the file; you are then asked about each command again.",
            .where = file.string()};
}

Json toJsonRow(const TrustedCommand& row)
{
    return {{"hash", row.command.hash},
            {"file", row.command.file},
            {"command", row.command.command},
            {"folder", row.command.folder},
            {"at", row.at}};
}

} // namespace

fs::path TrustStore::defaultFile()
{
    return dataFolder() / "trusted.json";
}

Result<std::vector<TrustedCommand>> TrustStore::list() const
{
    std::vector<TrustedCommand> rows;
    struct stat info = {};
    if (::stat(file_.c_str(), &info) != 0 && (errno == ENOENT || errno == ENOTDIR))
        return rows;
    if (!S_ISREG(info.st_mode)) // reading a folder would throw
        return unusableTrust(file_, "is not a file");
    if ((info.st_mode & kOthersWrite) != 0)
        return unusableTrust(file_, "can be written by others");
    if (info.st_uid != ::geteuid())
        return unusableTrust(file_, "belongs to another user");
    struct stat folder = {};
    if (::stat(file_.parent_path().c_str(), &folder) != 0 || (folder.st_mode & kOthersWrite) != 0 ||
        (folder.st_uid != ::geteuid() && folder.st_uid != 0))
        return unusableTrust(file_, "is in a folder that others can write to");
    const Result<std::string> text = readFile(file_);
    if (!text)
        return unusableTrust(file_, "cannot be read");
    if (text->empty())
        return rows;
    const Result<Json> json = parseJson(*text, file_.string());
    const auto list = json && json->is_object() ? json->find("trusted") : Json::const_iterator();
    if (!json || !json->is_object() || list == json->end() || !list->is_array())
        return unusableTrust(file_, "is damaged");
    for (const Json& row : *list) {
        TrustedCommand trusted{{textAt(row, "file"), {}, textAt(row, "folder"), textAt(row, "hash"), {}}, textAt(row, "at")};
        if (const auto words = row.find("command"); row.is_object() && words != row.end() && words->is_array())
            for (const Json& word : *words)
                if (word.is_string())
                    trusted.command.command.push_back(word.get<std::string>());
        rows.push_back(std::move(trusted));
    }
    return rows;
}

Result<bool> TrustStore::holds(const std::string& hash) const
{
    KL_ASSIGN(const std::vector<TrustedCommand> rows, list());
    return std::any_of(rows.begin(), rows.end(), [&](const TrustedCommand& row) { return row.command.hash == hash; });
}

Status TrustStore::write(const std::vector<TrustedCommand>& all) const
{
    Json rows = Json::array();
    for (const TrustedCommand& row : all)
        rows.push_back(toJsonRow(row));
    const int made = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, kMine); // writeFile keeps a file's permissions
    if (made >= 0)
        ::close(made);
    return writeFile(file_, encodePretty({{"schema", kTrustSchema}, {"trusted", std::move(rows)}}) + '\n');
}

Status TrustStore::add(const FileCommand& command) const
{
    KL_ASSIGN([[maybe_unused]] const FileLock lock, FileLock::take(file_));
    KL_ASSIGN(std::vector<TrustedCommand> rows, list());
    std::erase_if(rows, [&](const TrustedCommand& row) { return row.command.hash == command.hash; });
    rows.insert(rows.begin(), {command, isoNow()});
    return write(rows);
}

Result<TrustedCommand> TrustStore::remove(const std::string& hash) const
{
    KL_ASSIGN([[maybe_unused]] const FileLock lock, FileLock::take(file_));
    KL_ASSIGN(std::vector<TrustedCommand> rows, list());
    const auto named = [&](const TrustedCommand& row) { return !hash.empty() && row.command.hash.starts_with(hash); };
    const auto count = std::count_if(rows.begin(), rows.end(), named);
    if (count != 1)
        return Error{.code = ErrorCode::notFound,
                     .message = count == 0 ? fmt::format("No allowed command has a hash that begins with \"{}\".", hash)
                                           : fmt::format("The hashes of {} commands begin with \"{}\".", count, hash),
                     .hint = "See which are allowed.",
                     .where = hash}
            .leadTo({StepId::listAllowed});
    const auto found = std::find_if(rows.begin(), rows.end(), named);
    TrustedCommand removed = *found;
    rows.erase(found);
    KL_TRY(write(rows));
    return removed;
}

} // namespace kl::inline trust
