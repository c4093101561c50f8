// SPDX-License-Identifier: MIT
#include "sessions/hosts/host_list.h"

#include "core/base/format.h"
#include "core/base/try.h"
#include "core/base/write_file.h"
#include "core/codec/json_read.h"
#include "core/model/model_words.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <mutex>
#include <nlohmann/json.hpp>

namespace kl::inline hosts {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHostsSchema = "kernelloop.hosts/1";

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
    return host;
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
    std::ifstream in(file_, std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(in), {});
    const Result<Json> json = in ? parseJson(text, file_.string()) : Result<Json>(Error{});
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

Status HostList::put(const KnownHost& host) const
{
    KL_ASSIGN(std::vector<KnownHost> all, list());
    std::erase_if(all, [&](const KnownHost& other) { return other.host == host.host; });
    all.insert(std::ranges::lower_bound(all, host.host, {}, &KnownHost::host), host);
    return write(all);
}

Status HostList::remove(const std::string& host) const
{
    KL_ASSIGN(std::vector<KnownHost> all, list());
    if (std::erase_if(all, [&](const KnownHost& other) { return other.host == host; }) == 0)
        return unknownHost(host);
    return write(all);
}

Status HostList::write(const std::vector<KnownHost>& all) const
{
    Json rows = Json::array();
    for (const KnownHost& host : all)
        rows.push_back(toJson(host));
    std::error_code failed;
    fs::create_directories(file_.parent_path(), failed);
    return writeFile(file_, encodePretty({{"schema", kHostsSchema}, {"hosts", std::move(rows)}}) + '\n');
}

Status HostList::noteUse(const std::string& host, const Hello& hello) const
{
    const Result<KnownHost> known = find(host);
    if (!known && known.error().code != ErrorCode::notFound)
        return known.error();
    KnownHost now = describeHost(known ? *known : KnownHost{.host = host}, hello);
    now.usedAt = now.checkedAt;
    return put(now);
}

Status HostList::noteHeld(const std::string& host, double seconds) const
{
    constexpr double kHour = 3600;
    const Result<KnownHost> known = find(host);
    if (!known && known.error().code != ErrorCode::notFound)
        return known.error();
    KnownHost now = known ? *known : KnownHost{.host = host};
    now.heldSeconds += seconds;
    now.dollars += seconds / kHour * now.dollarsPerHour.value_or(0);
    return put(now);
}

Status HostList::noteFailure(const std::string& host, const Error& error) const
{
    KL_ASSIGN(KnownHost known, find(host));
    known.state = HostState::unreachable;
    known.reason = error.message;
    known.checkedAt = isoNow();
    return put(known);
}

void noteHeldTime(const std::string& host, double seconds)
{
    static std::mutex oneAtATime;
    const std::scoped_lock lock(oneAtATime);
    static_cast<void>(HostList().noteHeld(host, seconds));
}

KnownHost describeHost(KnownHost before, const Hello& hello)
{
    before.state = hello.unavailable ? HostState::unusable : HostState::ready;
    before.reason = hello.unavailable.value_or("");
    before.worker = hello.version;
    before.gpus.clear();
    for (const DeviceInfo& device : hello.devices)
        before.gpus.push_back(device.name);
    before.checkedAt = isoNow();
    return before;
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
