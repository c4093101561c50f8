// SPDX-License-Identifier: MIT
// The first Ctrl-C or SIGTERM ends every command within two seconds: nobody knows how often to press, and a scheduler sends SIGKILL next.
#include "../profiler/fake_slurm.h"
#include "kloop.h"
#include "tests/support/build_folder.h"
#include "tests/support/process_end.h"

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <functional>
#include <sstream>
#include <sys/stat.h>
#include <thread>

namespace kl::test {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::seconds;

/// The behavior under test is two seconds; a busy host is slow.
constexpr seconds kMost{10};
constexpr seconds kPatience{120};

class Interrupt : public Kloop {
protected:
    /// A worker with a GPU that never answers what it is asked, nor ends when its input does.
    static constexpr const char* kHangs = R"(
trap '' TERM
echo '{"event":"hello","protocol":1,"version":"test","devices":[{"name":"Fake GPU","uuid":"GPU-1","cc_major":9,"sm_count":132}],"unavailable":null}'
echo $$ > "$(dirname "$0")/worker.pid"
while read -r line; do echo "$line" > "$(dirname "$0")/asked"; done
while true; do sleep 1; done
)";
    static constexpr const char* kNeverGreets = R"(
trap '' TERM
echo $$ > "$(dirname "$0")/worker.pid"
while true; do sleep 1; done
)";

    /// `folder`: of the worker, the database and what the command writes; the test's own unless it starts several.
    void start(const std::vector<std::string>& words, const std::string& input = "/dev/null", std::string output = {},
               const std::string& folder = {})
    {
        const auto file = [&](const std::string& name) { return Kloop::file(folder + name); };
        if (output.empty())
            output = file("out");
        child_ = ::fork();
        ASSERT_GE(child_, 0);
        if (child_ != 0)
            return;
        ::setenv("KERNELLOOP_WORKER", file("worker.sh").c_str(), 1);
        ::setenv("KERNELLOOP_DB", file("test.db").c_str(), 1);
        ::setenv("KERNELLOOP_INJECT", file("worker.sh").c_str(), 1);
        ::setenv("TMPDIR", file("").c_str(), 1);
        ::setenv("XDG_CONFIG_HOME", file("config").c_str(), 1); // the list of hosts
        std::vector<std::string> all = words;
        all.insert(all.begin(), test::buildFolder() + "/bin/kloop");
        std::vector<char*> argv;
        for (std::string& word : all)
            argv.push_back(word.data());
        argv.push_back(nullptr);
        if (!std::freopen(input.c_str(), "r+", stdin) || !std::freopen(output.c_str(), "w", stdout) ||
            !std::freopen(file("err").c_str(), "w", stderr))
            ::_exit(99);
        ::execv(argv[0], argv.data());
        ::_exit(98);
    }
    void waitUntil(const std::function<bool()>& ready) const
    {
        bool done = false;
        for (const auto end = Clock::now() + kPatience; !(done = ready()) && Clock::now() < end;)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        ASSERT_TRUE(done);
    }
    /// It waits for something: each time it is looked at it sleeps, and no time of the processor passed.
    void waitUntilBlocked() const
    {
        constexpr int kEnough = 10;
        int idle = 0;
        std::string before;
        waitUntil([&] {
            const std::string now = processorTime(child_);
            idle = readState(child_) == 'S' && comm(child_) == "kloop" && now == before ? idle + 1 : 0;
            before = now;
            return idle == kEnough;
        });
    }
    /// The exit code after one signal, which must not take long.
    int codeAfter(int signal)
    {
        ::kill(child_, signal);
        return waitForExitCode(signal);
    }
    int waitForExitCode(int signal)
    {
        const auto begin = Clock::now();
        int status = 0;
        pid_t ended = 0;
        while ((ended = ::waitpid(child_, &status, WNOHANG)) == 0 && Clock::now() - begin < kMost)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        if (ended == 0) {
            ADD_FAILURE() << "still alive " << kMost.count() << " s after signal " << signal << ": " << read("err");
            ::kill(child_, SIGKILL);
            ::waitpid(child_, &status, 0);
        }
        RecordProperty("seconds", std::to_string(std::chrono::duration<double>(Clock::now() - begin).count()));
        return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    }
    pid_t worker(const std::string& folder = {}) const { return std::atoi(read(folder + "worker.pid").c_str()); }

    /// What follows the name in /proc/PID/stat; empty once it is gone.
    static std::string readStat(pid_t process)
    {
        std::ifstream in("/proc/" + std::to_string(process) + "/stat");
        const std::string text(std::istreambuf_iterator<char>(in), {});
        const auto end = text.rfind(')');
        return end == std::string::npos ? std::string() : text.substr(end + 2);
    }
    static char readState(pid_t process)
    {
        const std::string stat = readStat(process);
        return stat.empty() ? '?' : stat.front();
    }
    /// Ticks in user and in kernel mode: fields 14 and 15 of proc(5), 12 and 13 of readStat().
    static std::string processorTime(pid_t process)
    {
        std::istringstream fields(readStat(process));
        std::string field, ticks;
        for (int i = 1; i <= 13 && fields >> field; ++i)
            if (i >= 12)
                ticks += field + ' ';
        return ticks;
    }
    static std::string comm(pid_t process)
    {
        std::ifstream in("/proc/" + std::to_string(process) + "/comm");
        std::string name;
        std::getline(in, name);
        return name;
    }

    pid_t child_ = -1;
};

/// Commands that wait for a worker that hangs: each request that there is. They wait side by side.
TEST_F(Interrupt, AHangingWorkerEndsWithItsCommand)
{
    const std::vector<std::vector<std::string>> commands = {{"run", "transpose/naive"},
                                                            {"profile", "transpose/naive", "--tier", "0"},
                                                            {"ab", "transpose/naive", "transpose/tiled"},
                                                            {"env"},
                                                            {"metrics"},
                                                            {"launch", "transpose/naive"},
                                                            {"calibrate", "transpose/naive"},
                                                            {"baselines", "transpose/naive"},
                                                            {"compile", "transpose/naive", "--arch", "sm_80"},
                                                            {"search", "attention/fused"}};
    std::vector<pid_t> children;
    for (const auto& command : commands) {
        const std::string folder = command.front() + '/';
        std::filesystem::create_directories(file(folder));
        useWorker(kHangs, folder);
        start(command, "/dev/null", {}, folder);
        children.push_back(child_);
    }
    for (std::size_t i = 0; i < commands.size(); ++i) {
        const std::string folder = commands[i].front() + '/';
        waitUntil([&] { return !read(folder + "asked").empty(); });
        EXPECT_EQ(read(folder + "asked").find("shutdown"), std::string::npos) << "it has ended by itself: " << read(folder + "err");
        ::kill(children[i], SIGINT);
    }
    for (std::size_t i = 0; i < commands.size(); ++i) {
        const std::string folder = commands[i].front() + '/';
        child_ = children[i];
        EXPECT_EQ(waitForExitCode(SIGINT), 130) << folder << ' ' << read(folder + "err");
        EXPECT_TRUE(endsSoon(worker(folder))) << folder;
    }
}

TEST_F(Interrupt, AWorkerThatNeverGreetsEndsWithItsCommand)
{
    useWorker(kNeverGreets);
    start({"run", "transpose/naive"});
    waitUntil([this] { return !read("worker.pid").empty(); });
    EXPECT_EQ(codeAfter(SIGTERM), 130);
    EXPECT_TRUE(endsSoon(worker()));
}

TEST_F(Interrupt, APromptEnds)
{
    ASSERT_EQ(::mkfifo(file("fifo").c_str(), 0600), 0);
    start({"session", "batch"}, file("fifo"));
    waitUntilBlocked();
    EXPECT_EQ(codeAfter(SIGTERM), 130);
}

TEST_F(Interrupt, AReadThatBlocksEnds)
{
    ASSERT_EQ(::mkfifo(file("fifo").c_str(), 0600), 0);
    for (const char* command : {"import", "analyze"}) {
        start({command, file("fifo")});
        waitUntilBlocked();
        EXPECT_EQ(codeAfter(SIGINT), 130) << command;
    }
}

TEST_F(Interrupt, AWaitForTheDatabaseEnds)
{
    KL_NEEDS_SAMPLE();
    if (std::system("python3 -c 'import sqlite3' 2>/dev/null") != 0)
        GTEST_SKIP() << "no python3 to hold the database's lock";
    ASSERT_EQ(kloop({"profile", "transpose/naive", "--on", "sample"}).code, 0);
    const std::string lock = "import sqlite3, time; c = sqlite3.connect('" + file("test.db") +
                             "', isolation_level=None); c.execute('BEGIN IMMEDIATE'); open('" + file("locked") +
                             "', 'w').write('x'); time.sleep(600)";
    const pid_t holder = ::fork();
    if (holder == 0) {
        ::execlp("python3", "python3", "-c", lock.c_str(), nullptr);
        ::_exit(98);
    }
    waitUntil([this] { return read("locked") == "x"; });
    start({"profile", "transpose/tiled", "--on", "sample"});
    waitUntilBlocked();
    EXPECT_EQ(codeAfter(SIGINT), 0) << "what was measured is printed, and kept beside the database; " << read("err");
    ::kill(holder, SIGKILL);
    ::waitpid(holder, nullptr, 0);
    const Answer check = kloop({"db", "check", "--json"});
    EXPECT_EQ(check.code, 0) << check.out;
}

TEST_F(Interrupt, AnAnswerThatNobodyReadsEnds)
{
    ASSERT_EQ(::mkfifo(file("pipe").c_str(), 0600), 0);
    const int reader = ::open(file("pipe").c_str(), O_RDWR | O_CLOEXEC); // holds it open and never reads
    ASSERT_GE(reader, 0);
    ASSERT_GT(::fcntl(reader, F_SETPIPE_SZ, 4096), 0); // less than the answer
    start({"tree", "--json"}, "/dev/null", file("pipe"));
    waitUntilBlocked();
    EXPECT_EQ(codeAfter(SIGTERM), 130);
    ::close(reader);
}

TEST_F(Interrupt, AProgramUnderAProfileGetsTheSignalAndItsOwnEndIsTheCommands)
{
    start({"profile", "--", "/bin/sh", "-c",
           "trap 'exit 7' TERM; echo $$ > " + quoted(file("program.pid")) + "; while true; do sleep 0.1; done"});
    waitUntil([this] { return !read("program.pid").empty(); });
    EXPECT_EQ(codeAfter(SIGTERM), 7);
}

TEST_F(Interrupt, AClosedTerminalEndsACommandUnlessItShallOutliveThat)
{
    useWorker(kHangs);
    start({"run", "transpose/naive"});
    waitUntil([this] { return !read("asked").empty(); });
    EXPECT_EQ(codeAfter(SIGHUP), 130);
    EXPECT_TRUE(endsSoon(worker()));

    ASSERT_EQ(::mkfifo(file("fifo").c_str(), 0600), 0);
    const auto before = std::signal(SIGHUP, SIG_IGN); // as nohup does
    start({"session", "batch"}, file("fifo"));
    std::signal(SIGHUP, before);
    waitUntilBlocked();
    ::kill(child_, SIGHUP);
    waitUntilBlocked();
    EXPECT_EQ(codeAfter(SIGTERM), 130);
}

/// The request never ends, so that the command is ended in the middle of it.
TEST_F(Interrupt, JobsOfSlurmAreCanceledByAStoppedCommand)
{
    const FakeSlurm slurm;
    useWorker((R"(
case " $* " in *' --supervise '*|*' --attach '*|*' --relay '*) exec ')" +
               test::buildFolder() + R"(/bin/kloop-worker' "$@" ;; esac
)" + std::string(kHangs))
                  .c_str());
    start({"profile", "transpose/naive", "transpose/tiled", "copy/strided", "--on", "slurm:gpu,workers=2"});
    waitUntil([this] { return !read("asked").empty(); });
    EXPECT_EQ(codeAfter(SIGTERM), 130);
    for (const char* job : {"1", "2"})
        EXPECT_EQ(slurm.read(std::string("jobs/") + job + "/state"), "CANCELLED") << read("err");
}

TEST_F(Interrupt, NoTemporaryFileStays)
{
    useWorker(kHangs);
    start({"record", file("capture")});
    waitUntil([this] { return !read("asked").empty(); });
    EXPECT_EQ(codeAfter(SIGINT), 130);
    EXPECT_FALSE(read("capture").empty()) << "what was recorded is worth keeping";
    for (const auto& entry : std::filesystem::directory_iterator(file("")))
        EXPECT_FALSE(entry.path().filename().string().starts_with("kloop-")) << entry.path();
}

} // namespace
} // namespace kl::test
