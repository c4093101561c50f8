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

/// From when to when, in seconds since 1970.
struct HeldSpan {
    double begin = 0;
    double end = 0;

    bool operator==(const HeldSpan&) const = default;
};

/// A machine with GPUs that is reached over ssh, or a partition of Slurm's. Times are ISO 8601, empty: never.
struct KnownHost {
    std::string host;                     ///< as ssh takes it, or "slurm:PARTITION"
    std::optional<double> dollarsPerHour; ///< of the machine, or of one worker's job
    double heldSeconds = 0;               ///< for which at least one worker was there; of a partition, of all jobs together
    double dollars = 0;                   ///< that this cost, at the price of its time; none while no price was known
    std::string note;
    HostState state = HostState::unknown;
    std::string reason; ///< of a state other than ready; may be empty
    std::vector<std::string> gpus;
    std::string worker; ///< version of kloop-worker there
    std::string checkedAt;
    std::string usedAt;
    std::vector<HeldSpan> counted; ///< the latest spans of heldSeconds, apart from each other, in order; none of a partition

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
    /// Notes when a worker was there, and what that cost. A machine costs the same however many workers are there at the same time.
    Status noteHeld(const std::string& host, HeldSpan span) const;
    /// Notes that it cannot be reached or was lost (isHostLost), or that no worker can be used there, where it is in the list.
    Status noteFailure(const std::string& host, const Error& error) const;

private:
    Status write(const std::vector<KnownHost>& all) const;

    std::filesystem::path file_;
};

// In the user's list, from any thread. A list that cannot be written must not keep anybody from measuring.
void noteHeldTime(const std::string& host, double seconds);          ///< until now
void noteMeeting(const std::string& host, const Result<Hello>& met); ///< its worker's hello, or why there is none

/// Fills in what a worker's hello says of its host.
void describeHost(KnownHost& host, const Hello& hello);

/// "2 × NVIDIA H200".
std::string gpusText(const KnownHost& host);

/// "2026-11-23 17:20"; empty: never.
std::string lastUse(const KnownHost& host);

/// Without what was counted.
Json toJson(const KnownHost& host);

} // namespace kl::inline hosts
