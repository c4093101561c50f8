// SPDX-License-Identifier: MIT
#include "profiler/remote/ssh_command.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline remote {
namespace {

bool isAlphanumeric(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool isMadeOf(std::string_view text, std::string_view others)
{
    return std::all_of(text.begin(), text.end(), [&](char c) { return isAlphanumeric(c) || others.find(c) != std::string_view::npos; });
}

bool isName(std::string_view text)
{
    return !text.empty() && text.front() != '-' && text.size() <= 255 && isMadeOf(text, "._-");
}

} // namespace

// A copy that this program made comes first: it is the same build. The libraries that came with it lie beside it.
const std::string_view kAttachScript =
    R"sh(n=$1; d=${XDG_CACHE_HOME:-$HOME/.cache}/kernelloop/workers/$2; s=$3; shift 3; )sh"
    R"sh(if [ -x "$d/bin/kloop-worker" ]; then LD_LIBRARY_PATH=$d/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}; export LD_LIBRARY_PATH; )sh"
    R"sh(exec "$d/bin/kloop-worker" --attach "$n" "--$s" "$@"; fi; )sh"
    R"sh(for w in "$(command -v kloop-worker)" "$HOME/.local/bin/kloop-worker"; do )sh"
    R"sh(if [ -x "$w" ]; then exec "$w" --attach "$n" "--$s" "$@"; fi; done; echo; echo "kloop-attach/1 $n missing $(uname -sm)")sh";

// Complete or not at all: the last file of the archive shows that the connection was not cut before its end.
const std::string_view kInstallScript =
    R"sh(umask 077; d=${XDG_CACHE_HOME:-$HOME/.cache}/kernelloop/workers; t=$d/.new.$$; )sh"
    R"sh(mkdir -p "$t" && tar -xf - -C "$t" && [ -f "$t/complete" ] && LD_LIBRARY_PATH=$t/lib "$t/bin/kloop-worker" --version )sh"
    R"sh(&& rm -rf "$d/$1" && mv "$t" "$d/$1" || { rm -rf "$t"; exit 1; })sh";

bool isSshHost(std::string_view host)
{
    const std::size_t at = host.find('@');
    return at == std::string_view::npos ? isName(host) : isName(host.substr(0, at)) && isName(host.substr(at + 1));
}

bool isPlainWord(std::string_view word)
{
    return !word.empty() && isMadeOf(word, "._-+=:,/");
}

Result<std::vector<std::string>> sshCommand(const std::string& host, std::string_view script, const std::vector<std::string>& words)
{
    if (!isSshHost(host))
        return Error{.code = ErrorCode::usage,
                     .message = fmt::format("\"{}\" is not a host that ssh can be given.", host),
                     .hint = "Write HOST or USER@HOST; for a port or an address with colons, name the host in your ssh configuration.",
                     .where = "--on"};
    std::string remote = fmt::format("sh -c '{}' kloop", script);
    for (const std::string& word : words) {
        if (!isPlainWord(word))
            return Error{.code = ErrorCode::internal, .message = "A word for another host is not plain.", .where = word};
        remote += ' ' + word;
    }
    // Compressed: sources and answers are text (docs/dev/decisions). Forwardings of the user's would collide between connections.
    return std::vector<std::string>{
        "/usr/bin/env",       "ssh", "-T", "-C",  "-o", "BatchMode=yes", "-o", "ConnectTimeout=15", "-o", "ClearAllForwardings=yes", "-o",
        "RemoteCommand=none", "--",  host, remote};
}

} // namespace kl::inline remote
