// SPDX-License-Identifier: MIT
#include "sessions/store/spool.h"

#include "core/base/file_cache.h"
#include "core/base/format.h"
#include "core/base/read_file.h"
#include "core/base/write_file.h"
#include "core/codec/run_codec.h"
#include "sessions/store/blob.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

namespace kl::inline store {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSpoolSchema = "kernelloop.bundle/1";
constexpr const char* kSuffix = ".bundle";
constexpr off_t kMostSpooled = off_t{1} << 30; ///< of a file, packed: no measurement comes near it

/// The user's own folder that no one else may write; created if missing.
bool ownFolder(const fs::path& folder)
{
    ::mkdir(folder.c_str(), 0700); // what is wrong with one that is there already shows below
    struct stat found = {};
    return ::lstat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == ::geteuid() && (found.st_mode & 022U) == 0;
}

/// A file that is not a link, pipe or device; and the user's own in a folder that anyone may write.
bool isFile(const fs::path& file, bool shared)
{
    struct stat found = {};
    return ::lstat(file.c_str(), &found) == 0 && S_ISREG(found.st_mode) && (!shared || found.st_uid == ::geteuid()) &&
           found.st_size <= kMostSpooled;
}

Error makeDamagedFileError(const fs::path& file, std::string detail)
{
    return {.code = ErrorCode::badInput,
            .message = fmt::format("{} is damaged.", file.string()),
            .hint = "It was left as it is: move it elsewhere or delete it.",
            .where = file.string(),
            .detail = std::move(detail)};
}

/// `database`: that it must name; empty: any.
Result<Unstored> unpackUnstored(const std::string& bytes, const std::string& database, const fs::path& file)
{
    const Result<std::string> text = unpackBytes(bytes);
    const Result<Json> json = text ? parseJson(*text, file.string()) : Result<Json>(text.error());
    if (!json || !json->is_object() || json->value("schema", Json()) != kSpoolSchema || !json->contains("unstored") ||
        !json->contains("results") || !(*json)["results"].is_array())
        return makeDamagedFileError(file, json ? std::string() : json.error().message);
    if (!database.empty() && (*json)["unstored"].value("database", Json()) != database)
        return Error{.code = ErrorCode::notFound, .message = file.string() + " belongs to another database.", .where = file.string()};
    Result<Unstored> what = unstoredFromJson((*json)["unstored"], file.string());
    if (!what)
        return makeDamagedFileError(file, what.error().message);
    for (const Json& item : (*json)["results"]) {
        Result<RunRecord> run = runFromJson(item);
        if (!run)
            return makeDamagedFileError(file, run.error().message);
        what->runs.push_back(std::move(*run));
    }
    return what;
}

} // namespace

Spool::Spool(const std::string& location)
{
    if (location.starts_with(':'))
        return;
    std::error_code failure;
    const fs::path database = fs::weakly_canonical(fs::absolute(location, failure), failure);
    if (failure)
        return;
    database_ = database.string();
    const std::string hash = contentHash(database_).substr(0, 16) + ".unstored-";
    folders_.push_back({database.parent_path(), database.filename().string() + ".unstored-", false});
    if (const fs::path cache = FileCache::locateFolder("unstored"); !cache.empty())
        folders_.push_back({cache, hash, false});
    if (const fs::path temporary = fs::temp_directory_path(failure); !failure)
        folders_.push_back({temporary / fmt::format("kernelloop-{}", ::geteuid()), hash, true});
}

Result<fs::path> Spool::keep(const Unstored& what) const
{
    Json rest = unstoredToJson(what);
    rest["database"] = database_;
    Json json{{"schema", kSpoolSchema}, {"exported_at", isoNow()}, {"unstored", std::move(rest)}, {"results", Json::array()}};
    for (const RunRecord& run : what.runs)
        json["results"].push_back(runToJson(run));
    const std::string bytes = packBytes(encode(json));
    if (const Result<Unstored> again = unpackUnstored(bytes, database_, "the measurement"); !again)
        return Error{.code = ErrorCode::internal, .message = "It contains a value that is not a number.", .detail = again.error().detail};
    Error last{.code = ErrorCode::badInput, .message = "A database in memory cannot keep it."};
    for (const Folder& folder : folders_) {
        std::error_code none;
        if (folder.shared && !ownFolder(folder.path))
            continue;
        fs::create_directories(folder.path, none);
        const fs::path file = folder.path / (folder.prefix + newUuid() + kSuffix);
        const Status written = writeFile(file, bytes);
        if (written)
            return file;
        last = written.error();
    }
    return last;
}

std::vector<fs::path> Spool::files() const
{
    std::vector<fs::path> found;
    for (const Folder& folder : folders_) {
        std::error_code failure;
        if (folder.shared && (!fs::exists(folder.path, failure) || !ownFolder(folder.path)))
            continue;
        for (fs::directory_iterator at(folder.path, failure), end; !failure && at != end; at.increment(failure)) {
            const std::string name = at->path().filename().string();
            if (name.starts_with(folder.prefix) && name.ends_with(kSuffix) && isFile(at->path(), folder.shared))
                found.push_back(at->path());
        }
    }
    const auto extractSpoolTime = [](const fs::path& file) { // UUIDs of version 7 begin with the time
        const std::string name = file.filename().string();
        return name.substr(name.rfind(".unstored-"));
    };
    std::ranges::sort(found, {}, extractSpoolTime);
    return found;
}

Result<Unstored> Spool::read(const fs::path& file) const
{
    const Result<std::string> bytes = readFile(file, kMostSpooled);
    if (!bytes) {
        std::error_code none;
        if (!fs::exists(file, none)) // stored by another program
            return Error{.code = ErrorCode::notFound, .message = file.string() + " is gone.", .where = file.string()};
        return makeDamagedFileError(file, bytes.error().message);
    }
    // One that lies beside the database moved with it, and may name the folder where both were.
    const bool beside = !folders_.empty() && file.parent_path() == folders_.front().path;
    return unpackUnstored(*bytes, beside ? std::string() : database_, file);
}

void Spool::remove(const fs::path& file)
{
    std::error_code none;
    fs::remove(file, none);
}

} // namespace kl::inline store
