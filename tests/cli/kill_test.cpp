// SPDX-License-Identifier: MIT
#include "kloop.h"
#include "tests/support/build_folder.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <random>
#include <thread>

namespace kl::test {
namespace {

/// kloop is killed without warning at 50 moments of sessions on the sample. What an answer has confirmed must be there ever after.
class Kill : public Kloop {
protected:
    /// Runs kloop and kills it after so long, unless it ends by itself first; whether it did.
    bool endedBefore(std::vector<std::string> words, std::chrono::microseconds moment) const
    {
        words.insert(words.begin(), test::buildFolder() + "/bin/kloop");
        const std::string out = file("killed.out");
        const std::string db = file("test.db");
        std::vector<char*> argv;
        for (std::string& word : words)
            argv.push_back(word.data());
        argv.push_back(nullptr);
        const pid_t child = ::fork();
        if (child == 0) {
            ::setenv("KERNELLOOP_DB", db.c_str(), 1);
            if (!std::freopen(out.c_str(), "w", stdout) || !std::freopen("/dev/null", "w", stderr))
                ::_exit(99);
            ::execv(argv[0], argv.data());
            ::_exit(98);
        }
        std::this_thread::sleep_for(moment);
        ::kill(child, SIGKILL);
        int status = 0;
        ::waitpid(child, &status, 0);
        return WIFEXITED(status);
    }
    Json shown() const { return kloop({"session", "show", id_, "--json"}).json(); }
    void open(int number)
    {
        static constexpr const char* kKinds[] = {"optimize", "baseline", "expert", "debug"};
        const Answer answer = kloop({"session", "new", "S" + std::to_string(number), "Survive", "--kind", kKinds[number % 4], "--kernel",
                                     "transpose", "--on", "sample", "--json"});
        ASSERT_EQ(answer.code, 0) << answer.err;
        id_ = answer.json()["session"];
        confirmed_ = answer.json()["events"];
    }
    /// What was confirmed is the beginning of what is there.
    void expectNothingLost(const Json& view, int moment) const
    {
        ASSERT_TRUE(view.contains("events")) << "moment " << moment << ": " << view;
        ASSERT_GE(view["events"].size(), confirmed_.size()) << "moment " << moment;
        for (std::size_t i = 0; i < confirmed_.size(); ++i)
            ASSERT_EQ(view["events"][i], confirmed_[i]) << "moment " << moment;
    }

    std::string id_;
    Json confirmed_;
};

TEST_F(Kill, NothingConfirmedIsLostAtAnyOfFiftyMoments)
{
    KL_NEEDS_SAMPLE();
    std::mt19937 random(20251121);
    int latest = 25'000; // µs; sooner where most steps are over by then
    int sessions = 0;
    int killed = 0;
    open(sessions);
    for (int moment = 0; moment < 400 && killed < 50; ++moment) {
        const bool ended = endedBefore({"session", "step", "--session", id_, "--on", "sample", "--json"},
                                       std::chrono::microseconds(std::uniform_int_distribution<int>(0, latest)(random)));
        killed += ended ? 0 : 1;
        latest = ended ? latest * 9 / 10 : std::min(25'000, latest + latest / 50 + 1);
        if (const Result<Json> answer = ended ? parseJson(read("killed.out"), "answer") : Result<Json>(Error{}); answer)
            confirmed_ = answer->contains("events") ? (*answer)["events"] : confirmed_;
        const Json view = shown();
        expectNothingLost(view, moment);
        if (HasFatalFailure())
            return;
        confirmed_ = view["events"];
        if (view["phase"] == "done")
            open(++sessions);
    }
    EXPECT_EQ(killed, 50);
    const Answer check = kloop({"db", "check", "--json"});
    EXPECT_EQ(check.code, 0) << check.out;
    Json view = kloop({"session", "resume", id_, "--json"}).json();
    for (int steps = 0; view["phase"] != "done" && steps < 40; ++steps)
        view = kloop({"session", "step", "--session", id_, "--on", "sample", "--json"}).json();
    EXPECT_EQ(view["phase"], "done");
    const Json listed = kloop({"session", "list", "--json"}).json()["sessions"];
    EXPECT_FALSE(listed.empty());
    for (const Json& row : listed)
        EXPECT_EQ(row["phase"], "done") << row["name"];
}

} // namespace
} // namespace kl::test
