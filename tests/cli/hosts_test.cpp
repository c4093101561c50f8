// SPDX-License-Identifier: MIT
// Measuring on another machine from the command line, with a program in the place of ssh; and the list of hosts.
#include "../profiler/fake_ssh.h"
#include "kloop.h"
#include "tests/support/build_folder.h"

#include <algorithm>

namespace kl {
namespace {

using test::Answer;
using test::FakeSsh;
using testing::Contains;

class Hosts : public test::Kloop {
protected:
    /// In a home and a configuration of this test's own, with the real worker.
    Answer there(const std::vector<std::string>& words) const
    {
        return kloop(words, "XDG_CONFIG_HOME=" + quoted(file("config")) + " XDG_DATA_HOME=" + quoted(file("data")) +
                                " KERNELLOOP_WORKER=" + quoted(test::kBuiltWorker));
    }
    void replay() const
    {
        ssh_.installWorker("exec '" + test::buildFolder() +
                           "/bin/kloop-worker' --replay '" KL_SOURCE_DIR "/resources/captures/h200-transpose.zst' \"$@\"");
    }
    Json host(const std::string& name) const
    {
        const Json answer = there({"hosts", "list", "--json"}).json();
        for (const Json& row : answer["hosts"])
            if (row["host"] == name)
                return row;
        return {};
    }

    FakeSsh ssh_;
};

TEST_F(Hosts, ARunIsStoredUnderTheHostThatItWasMeasuredOn)
{
    replay();
    const Answer run = there({"run", "transpose/naive", "--on", "ssh:me@gpu7", "--json"});
    ASSERT_EQ(run.code, 0) << run.err << run.out;
    EXPECT_EQ(run.json()["device"]["source"], "live");
    EXPECT_FALSE(run.json()["device"]["host"].get<std::string>().empty());
    EXPECT_EQ(host("me@gpu7")["state"], "ready");
    EXPECT_FALSE(host("me@gpu7")["used_at"].get<std::string>().empty());
    EXPECT_THAT(host("me@gpu7")["gpus"], Contains("NVIDIA H200"));
}

TEST_F(Hosts, WhatASessionSuggestsMeasuresOnTheSameHost)
{
    replay();
    const Answer opened = there({"session", "new", "N", "Make it fast", "--kernel", "transpose", "--on", "ssh:gpu7", "--json"});
    ASSERT_EQ(opened.code, 0) << opened.err << opened.out;
    ASSERT_FALSE(opened.json()["next"].empty());
    EXPECT_THAT(opened.json()["next"][0]["argv"].get<std::vector<std::string>>(), Contains("ssh:gpu7"));
}

TEST_F(Hosts, AHostThatCannotBeReachedFailsTheEnvironment)
{
    ssh_.touch("down");
    EXPECT_EQ(there({"hosts", "add", "gpu7", "--price", "1e300"}).code, 4);
    EXPECT_EQ(there({"hosts", "add", "gpu7", "--price", "2.5", "--note", "spot"}).code, 0);
    const Answer run = there({"run", "transpose/naive", "--on", "ssh:gpu7", "--json"});
    EXPECT_EQ(run.code, 5);
    EXPECT_EQ(run.json()["error"]["code"], "environment");
    EXPECT_EQ(host("gpu7")["state"], "unreachable");
    EXPECT_EQ(host("gpu7")["dollars_per_hour"], 2.5);
    EXPECT_EQ(host("gpu7")["note"], "spot");
    const Answer environment = there({"env", "--on", "ssh:gpu7", "--json"});
    EXPECT_EQ(environment.code, 5);
    EXPECT_EQ(environment.json()["checks"][0]["id"], "host") << "this machine is not checked";
    EXPECT_EQ(there({"hosts", "check"}).code, 5);
    EXPECT_EQ(there({"hosts", "remove", "gpu7"}).code, 0);
    EXPECT_EQ(there({"hosts", "remove", "gpu7"}).code, 4);
}

TEST_F(Hosts, AWorkerIsCopiedOnlyWithConsentWhichIsRemembered)
{
    const Answer refused = there({"hosts", "check", "gpu7", "--json"});
    EXPECT_EQ(refused.code, 1);
    EXPECT_EQ(refused.json()["error"]["code"], "needs-consent");
    const Answer allowed = there({"hosts", "check", "gpu7", "--trust", "--json"});
    EXPECT_EQ(allowed.json()["hosts"][0]["host"], "gpu7") << allowed.err;
    EXPECT_FALSE(allowed.json()["hosts"][0]["worker"].get<std::string>().empty());
    std::filesystem::remove_all(ssh_.home() / ".cache");
    EXPECT_EQ(there({"hosts", "check", "gpu7", "--json"}).json()["hosts"][0]["host"], "gpu7") << "it may be copied again";
    EXPECT_EQ(there({"trust", "list", "--json"}).json()["trusted"].size(), 1U);
}

TEST_F(Hosts, ADamagedListIsNeitherReadNorReplaced)
{
    std::filesystem::create_directories(file("config/kernelloop"));
    std::ofstream(file("config/kernelloop/hosts.json")) << "{\"hosts\": [{\"host\": ";
    EXPECT_EQ(there({"hosts"}).code, 4);
    EXPECT_EQ(there({"hosts", "add", "gpu7"}).code, 4);
    EXPECT_EQ(std::filesystem::file_size(file("config/kernelloop/hosts.json")), 20U);
    replay();
    EXPECT_EQ(there({"run", "transpose/naive", "--on", "ssh:gpu7"}).code, 0) << "it keeps nobody from measuring";
}

TEST_F(Hosts, APartitionOfSlurmsIsAHostOfTheList)
{
    EXPECT_EQ(there({"hosts", "add", "slurm:gpu", "--price", "3.5"}).code, 0);
    EXPECT_EQ(host("slurm:gpu")["dollars_per_hour"], 3.5);
    EXPECT_EQ(host("slurm:gpu")["held_seconds"], 0);
    EXPECT_EQ(there({"hosts", "add", "slurm:gpu,time=1"}).code, 2) << "options are not part of its name";
}

TEST_F(Hosts, TheTimeOnAHostIsAddedUpAndPriced)
{
    replay();
    EXPECT_EQ(there({"hosts", "add", "gpu7", "--price", "3600"}).code, 0);
    EXPECT_EQ(there({"run", "transpose/naive", "--on", "ssh:gpu7"}).code, 0);
    const double once = host("gpu7")["held_seconds"];
    EXPECT_GT(once, 0);
    EXPECT_NEAR(host("gpu7")["dollars"].get<double>(), once, 1e-6) << "a dollar a second";
    EXPECT_EQ(there({"run", "transpose/naive", "--on", "ssh:gpu7"}).code, 0);
    EXPECT_GT(host("gpu7")["held_seconds"], once);
}

TEST_F(Hosts, ALookIsNoUseButItsTimeCounts)
{
    replay();
    EXPECT_EQ(there({"hosts", "check", "gpu7"}).code, 0);
    EXPECT_EQ(host("gpu7")["state"], "ready");
    EXPECT_EQ(host("gpu7")["used_at"], "");
    EXPECT_GT(host("gpu7")["held_seconds"], 0);
}

TEST_F(Hosts, EachOfSeveralHostsIsNoted)
{
    replay();
    ssh_.touch("down-gpu6");
    ssh_.putBehind("gpu7", "gpu8"); // else it has measured all before gpu6 is given up
    EXPECT_EQ(there({"hosts", "add", "gpu6"}).code, 0);
    EXPECT_EQ(there({"profile", "transpose/naive", "transpose/tiled", "transpose/padded", "--on", "ssh:gpu7+ssh:gpu6,ssh:gpu8"}).code, 0);
    EXPECT_EQ(host("gpu6")["state"], "unreachable");
    for (const char* name : {"gpu7", "gpu8"}) {
        EXPECT_EQ(host(name)["state"], "ready") << name;
        EXPECT_FALSE(host(name)["used_at"].get<std::string>().empty()) << name;
    }
}

TEST_F(Hosts, ABatchIsSpreadOverSeveralHosts)
{
    replay();
    const std::vector<std::string> profile{"profile", "transpose/naive", "transpose/tiled", "transpose/padded", "--json"};
    std::vector<std::string> onBoth = profile, onSample = profile;
    onBoth.insert(onBoth.end(), {"--on", "ssh:gpu7+ssh:gpu8"});
    onSample.insert(onSample.end(), {"--on", "sample"});
    const Json both = there(onBoth).json(), sample = there(onSample).json();
    ASSERT_EQ(both["results"].size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(both["results"][i]["kernel"], sample["results"][i]["kernel"]);
        EXPECT_EQ(both["results"][i]["timing"]["gpu_ns"], sample["results"][i]["timing"]["gpu_ns"]);
        EXPECT_EQ(both["results"][i]["finding"]["class"], sample["results"][i]["finding"]["class"]);
    }
}

TEST_F(Hosts, OtherHostNamesAreUsageErrors)
{
    for (const char* name : {"-oProxyCommand=touch pwned", "a b", "a\nb", "$(touch pwned)", "a;touch pwned"}) {
        EXPECT_EQ(there({"run", "transpose/naive", "--on", std::string("ssh:") + name}).code, 2) << name;
        EXPECT_EQ(there({"run", "transpose/naive", "--on", std::string("slurm:") + name}).code, 2) << name;
        EXPECT_EQ(there({"hosts", "add", name}).code, 2) << name;
    }
    EXPECT_TRUE(ssh_.read("hosts").empty()) << "ssh was started";
}

TEST_F(Hosts, WhatNeedsTheGpuInThisMachineIsRefused)
{
    replay();
    EXPECT_EQ(there({"sanitize", "transpose/naive", "--on", "ssh:gpu7"}).code, 5);
}

} // namespace
} // namespace kl
