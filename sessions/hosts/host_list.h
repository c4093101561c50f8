// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "profiler/protocol/messages.h"

#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline hosts {

/// What was last seen of a host: nothing yet; a GPU of it can measure; it answers, but nothing can be measured; it does not answer.
enum class HostState { unknown, ready, unusable, unreachable };

constexpr auto enumWords(HostState)
{
    using S = HostState;
    return std::array<std::pair<S, const char*>, 4>{
        {{S::ready, "ready"}, {S::unusable, "unusable"}, {S::unreachable, "unreachable"}, {S::unknown, "unknown"}}};
}

/// A machine with GPUs that is reached over ssh, or a partition of Slurm's. Times are ISO 8601, empty: never.
struct KnownHost {
    std::string host;                     ///< as ssh takes it, or "slurm:PARTITION"
    std::optional<double> dollarsPerHour; ///< of the machine, or of one worker's job
    double heldSeconds = 0;               ///< for which workers were there, all of them together
    double dollars = 0;                   ///< that this cost, at the price of its time; none while no price was known
    std::string note;
    HostState state = HostState::unknown;
    std::string reason; ///< of a state other than ready; may be empty
    std::vector<std::string> gpus;
    std::string worker; ///< version of kloop-worker there
    std::string checkedAt;
    std::string usedAt;

    bool operator==(const KnownHost&) const = default;
};

/// The hosts that a user measures on, with what was last seen of each: hosts.json of the user's configuration. Errors badInput: the file
/// cannot be read or written, or is damaged.
class HostList {
public:
    explicit HostList(std::filesystem::path file = defaultFile()) : file_(std::move(file)) {}

    /// $XDG_CONFIG_HOME/kernelloop/hosts.json, else below ~/.config.
    static std::filesystem::path defaultFile();

    const std::filesystem::path& file() const noexcept { return file_; }

    /// By name.
    Result<std::vector<KnownHost>> list() const;
    /// Error notFound.
    Result<KnownHost> find(const std::string& host) const;
    /// Changes a host, which joins the list unless it is there. Other threads and programs can do so at the same time.
    Status change(const std::string& host, const std::function<void(KnownHost&)>& edit) const;
    /// Error notFound.
    Status remove(const std::string& host) const;

    /// Notes what a worker there said of it.
    Status noteUse(const std::string& host, const Hello& hello) const;
    /// Notes for how long a worker was there, and what that cost.
    Status noteHeld(const std::string& host, double seconds) const;
    /// Notes that it cannot be reached, or was lost, where it is in the list.
    Status noteFailure(const std::string& host, const Error& error) const;

private:
    Status write(const std::vector<KnownHost>& all) const;

    std::filesystem::path file_;
};

// In the user's list, from any thread. A list that cannot be written must not keep anybody from measuring.
void noteHeldTime(const std::string& host, double seconds);
void noteMeeting(const std::string& host, const Result<Hello>& met); ///< its worker's hello, or why there is none

/// Fills in what a worker's hello says of its host.
void describeHost(KnownHost& host, const Hello& hello);

/// "2 × NVIDIA H200".
std::string gpusText(const KnownHost& host);

/// "2026-11-23 17:20"; empty: never.
std::string lastUse(const KnownHost& host);

Json toJson(const KnownHost& host);

} // namespace kl::inline hosts
