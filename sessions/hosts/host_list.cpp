// SPDX-License-Identifier: MIT
#include "sessions/hosts/host_list.h"

#include "core/base/clean_text.h"
#include "core/base/file_lock.h"
#include "core/base/format.h"
#include "core/base/read_file.h"
#include "core/base/try.h"
#include "core/base/write_file.h"
#include "core/codec/json_read.h"
#include "core/model/model_words.h"
#include "profiler/device/slurm_partition.h"
#include "profiler/remote/host_trouble.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <span>

namespace kl::inline hosts {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHostsSchema = "kernelloop.hosts/1";
constexpr std::size_t kMostGpus = 64;     ///< kept of a host
constexpr std::size_t kMostWords = 500;   ///< bytes
constexpr std::size_t kMostCounted = 100; ///< spans; a worker that was there before the last hundred of others is rare

Error unusableList(const fs::path& file, const std::string& why)
{
    return {.code = ErrorCode::badInput,
            .message = fmt::format("The list of your hosts {}.", why),
            .hint = "Correct the file, or remove it.",
            .where = file.string()};
}

Error unknownHost(const std::string& host)
{
    return {.code = ErrorCode::notFound,
            .message = fmt::format("\"{}\" is not in the list of your hosts.", host),
            .hint = "See the list of hosts.",
            .where = host};
}

/// What a host says of itself may have any length.
std::string shortenWords(const std::string& words)
{
    return cleanLine(std::string_view(words).substr(0, kMostWords));
}

KnownHost readHost(const Json& row)
{
    KnownHost host;
    host.host = textAt(row, "host");
    host.dollarsPerHour = numberAt(row, "dollars_per_hour");
    host.heldSeconds = numberAt(row, "held_seconds").value_or(0);
    host.dollars = numberAt(row, "dollars").value_or(0);
    host.note = textAt(row, "note");
    host.state = enumFrom<HostState>(textAt(row, "state"));
    host.reason = textAt(row, "reason");
    if (const auto gpus = row.find("gpus"); gpus != row.end() && gpus->is_array())
        for (const Json& gpu : *gpus)
            if (gpu.is_string())
                host.gpus.push_back(gpu.get<std::string>());
    host.worker = textAt(row, "worker");
    host.checkedAt = textAt(row, "checked_at");
    host.usedAt = textAt(row, "used_at");
    if (const auto counted = row.find("counted"); counted != row.end() && counted->is_array())
        for (const Json& span : *counted)
            if (span.is_array() && span.size() == 2 && span[0].is_number() && span[1].is_number())
                host.counted.push_back({span[0].get<double>(), span[1].get<double>()});
    return host;
}

/// Counts a span: the seconds of it that none of the others, which it is joined with, has counted.
double count(std::vector<HeldSpan>& counted, HeldSpan span)
{
    double fresh = span.end - span.begin;
    HeldSpan joined = span;
    std::erase_if(counted, [&](const HeldSpan& other) {
        if (other.end < span.begin || other.begin > span.end)
            return false;
        fresh -= std::min(other.end, span.end) - std::max(other.begin, span.begin);
        joined = {std::min(other.begin, joined.begin), std::max(other.end, joined.end)};
        return true;
    });
    counted.insert(std::ranges::lower_bound(counted, joined.begin, {}, &HeldSpan::begin), joined);
    if (counted.size() > kMostCounted)
        counted.erase(counted.begin());
    return fresh;
}

} // namespace

fs::path HostList::defaultFile()
{
    // NOLINTBEGIN(concurrency-mt-unsafe): never changed
    const char* config = std::getenv("XDG_CONFIG_HOME");
    const char* home = std::getenv("HOME");
    // NOLINTEND(concurrency-mt-unsafe)
    const bool absolute = config && *config == '/'; // the XDG specification asks to ignore a relative path
    return (absolute ? fs::path(config) : fs::path(home ? home : "") / ".config") / "kernelloop" / "hosts.json";
}

Result<std::vector<KnownHost>> HostList::list() const
{
    std::error_code failed;
    if (!fs::exists(file_, failed))
        return std::vector<KnownHost>();
    if (!fs::is_regular_file(file_, failed))
        return unusableList(file_, "is not a file");
    const Result<std::string> text = readFile(file_);
    const Result<Json> json = text ? parseJson(*text, file_.string()) : Result<Json>(text.error());
    const auto rows = json && json->is_object() ? json->find("hosts") : Json::const_iterator();
    if (!json || !json->is_object() || rows == json->end() || !rows->is_array())
        return unusableList(file_, "cannot be read");
    std::vector<KnownHost> all;
    for (const Json& row : *rows)
        if (row.is_object() && !textAt(row, "host").empty())
            all.push_back(readHost(row));
    return all;
}

Result<KnownHost> HostList::find(const std::string& host) const
{
    KL_ASSIGN(const std::vector<KnownHost> all, list());
    const auto found = std::ranges::find(all, host, &KnownHost::host);
    return found == all.end() ? Result<KnownHost>(unknownHost(host)) : *found;
}

Status HostList::change(const std::string& host, const std::function<void(KnownHost&)>& edit) const
{
    KL_ASSIGN([[maybe_unused]] const FileLock lock, FileLock::take(file_));
    KL_ASSIGN(std::vector<KnownHost> all, list());
    auto row = std::ranges::lower_bound(all, host, {}, &KnownHost::host);
    if (row == all.end() || row->host != host)
        row = all.insert(row, {.host = host});
    edit(*row);
    return write(all);
}

Status HostList::remove(const std::string& host) const
{
    KL_ASSIGN([[maybe_unused]] const FileLock lock, FileLock::take(file_));
    KL_ASSIGN(std::vector<KnownHost> all, list());
    if (std::erase_if(all, [&](const KnownHost& other) { return other.host == host; }) == 0)
        return unknownHost(host);
    return write(all);
}

Status HostList::write(const std::vector<KnownHost>& all) const
{
    Json rows = Json::array();
    for (const KnownHost& host : all) {
        Json& row = rows.emplace_back(toJson(host));
        for (const HeldSpan& span : host.counted)
            row["counted"].push_back({span.begin, span.end});
    }
    return writeFile(file_, encodePretty({{"schema", kHostsSchema}, {"hosts", std::move(rows)}}) + '\n');
}

Status HostList::noteUse(const std::string& host, const Hello& hello) const
{
    return change(host, [&](KnownHost& known) {
        describeHost(known, hello);
        known.usedAt = known.checkedAt;
    });
}

Status HostList::noteHeld(const std::string& host, HeldSpan span) const
{
    constexpr double kHour = 3600;
    return change(host, [&](KnownHost& known) {
        const double seconds = isPartitionHost(host) ? span.end - span.begin : count(known.counted, span);
        known.heldSeconds += seconds;
        known.dollars += seconds / kHour * known.dollarsPerHour.value_or(0);
    });
}

Status HostList::noteFailure(const std::string& host, const Error& error) const
{
    KL_ASSIGN([[maybe_unused]] const KnownHost listed, find(host));
    return change(host, [&](KnownHost& known) {
        known.state = isHostLost(error) ? HostState::unreachable : HostState::unusable;
        known.reason = shortenWords(error.message);
        known.checkedAt = isoNow();
    });
}

void noteHeldTime(const std::string& host, double seconds)
{
    const double now = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
    static_cast<void>(HostList().noteHeld(host, {now - seconds, now}));
}

void noteMeeting(const std::string& host, const Result<Hello>& met)
{
    const HostList hosts;
    static_cast<void>(met ? hosts.noteUse(host, *met) : hosts.noteFailure(host, met.error()));
}

void describeHost(KnownHost& host, const Hello& hello)
{
    host.state = hello.unavailable ? HostState::unusable : HostState::ready;
    host.reason = shortenWords(hello.unavailable.value_or(""));
    host.worker = shortenWords(hello.version);
    host.gpus.clear();
    for (const DeviceInfo& device : std::span(hello.devices).first(std::min(hello.devices.size(), kMostGpus)))
        host.gpus.push_back(shortenWords(device.name));
    host.checkedAt = isoNow();
}

std::string gpusText(const KnownHost& host)
{
    std::vector<std::string> parts;
    for (auto gpu = host.gpus.begin(); gpu != host.gpus.end();) {
        const auto next = std::find_if(gpu, host.gpus.end(), [&](const std::string& other) { return other != *gpu; });
        parts.push_back(next - gpu == 1 ? *gpu : fmt::format("{} × {}", next - gpu, *gpu));
        gpu = next;
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::string lastUse(const KnownHost& host)
{
    constexpr std::size_t kDay = 10;
    constexpr std::size_t kMinute = 16;
    std::string text = host.usedAt.substr(0, kMinute);
    if (text.size() > kDay)
        text[kDay] = ' ';
    return text;
}

Json toJson(const KnownHost& host)
{
    return {{"host", host.host},
            {"state", toWord(host.state)},
            {"reason", host.reason},
            {"gpus", host.gpus},
            {"dollars_per_hour", host.dollarsPerHour ? Json(*host.dollarsPerHour) : Json()},
            {"held_seconds", host.heldSeconds},
            {"dollars", host.dollars},
            {"note", host.note},
            {"worker", host.worker},
            {"checked_at", host.checkedAt},
            {"used_at", host.usedAt}};
}

} // namespace kl::inline hosts
