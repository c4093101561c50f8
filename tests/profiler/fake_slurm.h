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

/// Programs of Slurm's in front of all others on PATH, for a cluster whose node is this machine. A job is a folder with its state, which
/// tests change: jobs/ID/state, .../pid of its process group, .../elapsed. New jobs get the state in `first`, RUNNING without one.
class FakeSlurm {
public:
    FakeSlurm()
        : folder_(std::filesystem::temp_directory_path() / ("kl-fake-slurm-" + std::to_string(::getpid()) + "-" + std::to_string(next())))
    {
        std::filesystem::create_directories(folder_ / "path");
        std::filesystem::create_directories(folder_ / "jobs");
        std::filesystem::create_directories(folder_ / "cache");
        const std::string begin = "#!/bin/bash\nhere='" + folder_.string() + "'\n";
        write("path/sbatch", begin + R"sh(
printf '%s\n' "$@" >> "$here/sbatch-words"; echo >> "$here/sbatch-words"
[ -e "$here/refuse" ] && { echo 'sbatch: error: invalid partition specified: nowhere' >&2; exit 1; }
tasks=0
while [ "${1#--}" != "$1" ]; do
  case $1 in --array=0-*) tasks=${1#--array=0-} ;; --output=*) log=${1#--output=} ;; esac
  shift
done
cp "$1" "$here/script-$$"; shift
id=$(($(cat "$here/last" 2>/dev/null || echo 0) + 1))
echo $((id + tasks)) > "$here/last"
for task in $(seq 0 "$tasks"); do
  job=$here/jobs/$((id + tasks - task)); [ "$tasks" = 0 ] && job=$here/jobs/$id
  mkdir "$job"
  mv "$here/script-$$" "$job/script" 2>/dev/null || cp "$last/script" "$job/script"
  last=$job
  echo "$id" > "$job/array"; [ "$tasks" = 0 ] && echo N/A > "$job/task" || echo "$task" > "$job/task"
  echo "${log/\%j/$(basename "$job")}" > "$job/log"
  printf '%s\0' "$@" > "$job/words"
  if [ -e "$here/first" ]; then cp "$here/first" "$job/state"; else "$here/path/start-job" "$(basename "$job")"; fi
done
echo "$id;cluster"
)sh");
        // What the controller does on its own: the test, or sbatch, calls it.
        write("path/start-job", begin + R"sh(
job=$here/jobs/$1
mapfile -d '' words < "$job/words"
SLURM_JOB_ID=$1 setsid sh "$job/script" "${words[@]}" > "$(cat "$job/log")" 2>&1 < /dev/null &
while [ "$(ps -o sid= -p $! || echo $!)" -ne $! ]; do sleep 0.01; done # who runs sbatch kills what stays in its group
echo $! > "$job/pid"; echo RUNNING > "$job/state"
)sh");
        write("path/squeue", begin + R"sh(
[ -e "$here/mute" ] && exit 1
for word in "$@"; do case $word in --jobs=*) wanted=${word#--jobs=} ;; esac; done
for job in "$here"/jobs/*; do
  id=$(basename "$job")
  [ "$id" = "$wanted" ] || [ "$(cat "$job/array")" = "$wanted" ] || continue
  echo "$id|$(cat "$job/task")|$(cat "$job/state")|$(cat "$job/elapsed" 2>/dev/null || echo 0:00)|node1|N/A|$(cat "$job/reason" 2>/dev/null || echo None)"
done
)sh");
        write("path/srun", begin + R"sh(
while [ "${1#--}" != "$1" ]; do case $1 in --jobid=*) id=${1#--jobid=} ;; esac; shift; done
[ "$(cat "$here/jobs/$id/state")" = RUNNING ] || { echo "srun: error: Unable to confirm allocation for job $id" >&2; exit 1; }
echo $$ > "$here/jobs/$id/step"
SLURM_JOB_ID=$id exec "$@"
)sh");
        write("path/scancel", begin + R"sh(
shift
[ -e "$here/stubborn" ] && { echo 'scancel: error: Unable to contact slurm controller' >&2; exit 1; }
echo "$1" >> "$here/canceled"
for job in "$here"/jobs/*; do
  [ "$(cat "$job/array")" = "$1" ] || [ "$(cat "$job/array")_$(cat "$job/task")" = "$1" ] || continue
  [ -e "$job/pid" ] && kill -9 -- -$(cat "$job/pid") 2>/dev/null
  case $(cat "$job/state") in RUNNING|PENDING) echo CANCELLED > "$job/state" ;; esac
done
exit 0
)sh");
        const char* path = std::getenv("PATH");
        before_ = path ? path : "";
        ::setenv("PATH", ((folder_ / "path").string() + ':' + before_).c_str(), 1);
        const char* cache = std::getenv("XDG_CACHE_HOME");
        cacheBefore_ = cache ? cache : "";
        ::setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
    }
    FakeSlurm(const FakeSlurm&) = delete;
    FakeSlurm& operator=(const FakeSlurm&) = delete;
    ~FakeSlurm()
    {
        ::setenv("PATH", before_.c_str(), 1);
        cacheBefore_.empty() ? ::unsetenv("XDG_CACHE_HOME") : ::setenv("XDG_CACHE_HOME", cacheBefore_.c_str(), 1);
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }

    /// The process group of a job, or of the newest step in it, is killed.
    void kill(int job, const char* what = "pid") const
    {
        if (const std::string pid = read("jobs/" + std::to_string(job) + '/' + what); !pid.empty())
            ::kill(-static_cast<pid_t>(std::stol(pid)), SIGKILL);
    }
    /// As Slurm does: its processes end, then it has another state.
    void end(int job, const std::string& state) const
    {
        put("jobs/" + std::to_string(job) + "/state", "COMPLETING");
        kill(job);
        kill(job, "step");
        put("jobs/" + std::to_string(job) + "/state", state);
    }
    void start(int job) const
    {
        [[maybe_unused]] const int status = std::system(("'" + (folder_ / "path/start-job").string() + "' " + std::to_string(job)).c_str());
    }

    void put(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text << '\n'; }
    void remove(const std::string& name) const { std::filesystem::remove(folder_ / name); }
    /// Without its last line end.
    std::string read(const std::string& name) const
    {
        std::ifstream in(folder_ / name);
        std::string text{std::istreambuf_iterator<char>(in), {}};
        while (text.ends_with('\n'))
            text.pop_back();
        return text;
    }
    bool has(const std::string& name) const { return std::filesystem::exists(folder_ / name); }
    std::filesystem::path folder() const { return folder_; }

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
    std::string before_;      ///< PATH
    std::string cacheBefore_; ///< XDG_CACHE_HOME
};

} // namespace kl::test
