// SPDX-License-Identifier: MIT
#include "core/base/ids.h"
#include "core/base/trimmed.h"
#include "profiler/remote/host_trouble.h"
#include "profiler/remote/last_line.h"
#include "profiler/remote/route.h"
#include "profiler/remote/ssh_command.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace kl::inline remote {
namespace {

constexpr int kNoSsh = 127;                                     ///< of env, for a program that does not exist
constexpr int kSshFailed = 255;                                 ///< of ssh, for its own failures
constexpr std::array kBroken{"closed", "reset", "Broken pipe"}; ///< what ssh says of a connection that was there

/// Whether a connection that did not get as far as a worker was there and broke: another one may do better.
bool wasThere(const std::optional<ProcessEnd>& end, const std::string& words)
{
    const bool broke = std::ranges::any_of(kBroken, [&](const char* how) { return words.find(how) != std::string::npos; });
    return end && (end->signal || (end->status == kSshFailed && (broke || trimText(words).empty())));
}

Error cannotReach(const std::string& host, const std::optional<ProcessEnd>& end, const std::string& words)
{
    if (end && end->status == kNoSsh && words.find("ssh") != std::string::npos && words.find("No such file") != std::string::npos)
        return makeHostLostError(host, "The program ssh was not found.", "Install the OpenSSH client.");
    const std::string reportedLine = lastLine(words);
    return makeHostLostError(
        host, fmt::format("{} cannot be reached over ssh{}.", host, reportedLine.empty() ? std::string() : ": " + reportedLine),
        fmt::format("\"ssh {} true\" must work without a prompt: check the name, your key or agent, and the host's key.", host));
}

class SshRoute final : public Route {
public:
    SshRoute(std::string host, std::string key, std::vector<std::string> arguments)
        : host_(std::move(host)), key_(std::move(key)), arguments_(std::move(arguments)), name_(newUuid())
    {
    }

    const std::string& host() const override { return host_; }
    const std::string& name() const override { return name_; }
    bool startsByItself() const override { return false; }

    Result<std::vector<std::string>> command(bool again) const override
    {
        std::vector<std::string> words{name_, key_, again ? "again" : "new"};
        words.insert(words.end(), arguments_.begin(), arguments_.end());
        return sshCommand(host_, kAttachScript, words);
    }

    std::optional<Error> findRefusal(const std::optional<ProcessEnd>& end, const std::string& words) const override
    {
        if (!end && words.empty()) // it was waited for
            return makeHostLostError(
                host_, fmt::format("{} does not answer over ssh.", host_),
                fmt::format("\"ssh {} true\" must end by itself: look at what the files of your shell there wait for.", host_));
        if (wasThere(end, words))
            return {};
        const bool shell = end && end->status != kSshFailed && end->status != kNoSsh && !end->signal;
        if (!shell)
            return cannotReach(host_, end, words);
        const std::string why = lastLine(words);
        return makeWorkerMissingError(
            host_, fmt::format("The kloop-worker on {} cannot be used: {}.", host_, why.empty() ? "it is too old" : why), {});
    }

    std::optional<Error> findEnd() const override { return {}; }

private:
    std::string host_;
    std::string key_;
    std::vector<std::string> arguments_;
    std::string name_;
};

} // namespace

std::unique_ptr<Route> routeOverSsh(const std::string& host, const std::string& key, std::vector<std::string> arguments)
{
    return std::make_unique<SshRoute>(host, key, std::move(arguments));
}

} // namespace kl::inline remote
