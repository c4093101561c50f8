// SPDX-License-Identifier: MIT
#pragma once

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

namespace kl::test {

/// A program `ssh` in front of all others on PATH. It runs the command on this machine, as the login shell of another host would: with a
/// home folder of its own, whose bin/kloop-worker is found there.
class FakeSsh {
public:
    FakeSsh()
        : folder_(std::filesystem::temp_directory_path() / ("kl-fake-ssh-" + std::to_string(::getpid()) + "-" + std::to_string(next())))
    {
        std::filesystem::create_directories(folder_ / "path");
        std::filesystem::create_directories(folder_ / "home");
        std::filesystem::create_directories(folder_ / "bin");
        const std::string here = "'" + folder_.string() + "'";
        write("path/ssh", "#!/bin/sh\nhere=" + here + R"(
until [ "$1" = -- ]; do shift; done
echo "$2" >> "$here/hosts"
if [ -e "$here/down" ] || [ -e "$here/down-$2" ]; then echo "ssh: connect to host $2 port 22: Connection refused" >&2; exit 255; fi
if [ -e "$here/behind-$2" ]; then read -r other < "$here/behind-$2"; until grep -qxF "$other" "$here/hosts"; do sleep 0.05; done; fi
echo $$ > "$here/pid"
[ -e "$here/banner" ] && cat "$here/banner"
export HOME="$here/home" PATH="$here/bin:/usr/bin:/bin"
unset XDG_CACHE_HOME
exec sh -c "$3"
)");
        const char* path = std::getenv("PATH");
        before_ = path ? path : "";
        ::setenv("PATH", ((folder_ / "path").string() + ':' + before_).c_str(), 1);
    }
    FakeSsh(const FakeSsh&) = delete;
    FakeSsh& operator=(const FakeSsh&) = delete;
    ~FakeSsh()
    {
        ::setenv("PATH", before_.c_str(), 1);
        std::filesystem::remove_all(folder_);
    }

    /// What the other host has as kloop-worker: a shell script, given the arguments as "$@".
    void installWorker(const std::string& script) const { write("bin/kloop-worker", "#!/bin/sh\n" + script + '\n'); }
    void touch(const std::string& name) const { std::ofstream(folder_ / name) << '\n'; }
    /// A connection to `host` is made once there was one to `other`.
    void putBehind(const std::string& host, const std::string& other) const
    {
        std::ofstream(folder_ / ("behind-" + host)) << other << '\n';
    }
    void remove(const std::string& name) const { std::filesystem::remove(folder_ / name); }
    void rename(const std::string& from, const std::string& to) const { std::filesystem::rename(folder_ / from, folder_ / to); }
    void print(const std::string& banner) const { std::ofstream(folder_ / "banner", std::ios::binary) << banner; }

    /// Ends the newest connection, as a network does: the process group that ssh has of its own.
    void cut() const
    {
        if (const std::string pid = read("pid"); !pid.empty())
            ::kill(-static_cast<pid_t>(std::stol(pid)), SIGKILL);
    }

    std::string read(const std::string& name) const
    {
        std::ifstream in(folder_ / name);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    std::filesystem::path home() const { return folder_ / "home"; }

private:
    static int next()
    {
        static int counter = 0;
        return ++counter;
    }
    void write(const std::string& name, const std::string& text) const
    {
        std::ofstream(folder_ / name) << text;
        std::filesystem::permissions(folder_ / name, std::filesystem::perms::owner_all);
    }

    std::filesystem::path folder_;
    std::string before_; ///< PATH
};

} // namespace kl::test
