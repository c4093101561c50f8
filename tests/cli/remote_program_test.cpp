// SPDX-License-Identifier: MIT
// kloop profile -- CMD on another machine, with a program in the place of ssh and a recording in that of its GPU.
#include "../profiler/fake_ssh.h"
#include "kloop.h"
#include "tests/support/build_folder.h"
#include "tests/support/scale_trace.h"

#include <fmt/format.h>

namespace kl {
namespace {

using test::Answer;
using test::FakeSsh;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class RemoteProgram : public test::Kloop {
protected:
    void SetUp() override
    {
        Kloop::SetUp();
        write("inject.so", "not loaded by programs without CUDA");
        ssh_.installWorker("exec '" + test::buildFolder() +
                           "/bin/kloop-worker' --replay '" KL_SOURCE_DIR "/resources/captures/h200-transpose.zst' \"$@\"");
    }
    Answer there(std::vector<std::string> options, const std::vector<std::string>& command) const
    {
        options.insert(options.begin(), "profile");
        options.emplace_back("--");
        options.insert(options.end(), command.begin(), command.end());
        return kloop(options, "XDG_CONFIG_HOME=" + quoted(file("config")) + " XDG_DATA_HOME=" + quoted(file("data")) +
                                  " KERNELLOOP_INJECT=" + quoted(file("inject.so")) + " KERNELLOOP_WORKER=" + quoted(test::kBuiltWorker));
    }
    static std::vector<std::string> shell(const std::string& script) { return {"/bin/sh", "-c", script}; }

    FakeSsh ssh_;
};

TEST_F(RemoteProgram, ItsOutputAndExitCodeArePassedOn)
{
    const Answer plain = there({"--trust", "--once", "--on", "ssh:gpu7"}, shell("echo out; echo err >&2; exit 3"));
    EXPECT_EQ(plain.code, 3) << plain.err;
    EXPECT_EQ(plain.out, "out\n");
    EXPECT_THAT(plain.err, HasSubstr("err\n"));
    const Answer json = there({"--trust", "--once", "--on", "ssh:gpu7", "--json"}, shell("echo out; exit 4"));
    EXPECT_EQ(json.code, 4) << json.err;
    EXPECT_EQ(json.json()["program"]["exit_code"], 4);
    EXPECT_THAT(json.err, HasSubstr("out\n")) << "standard output is the answer's";
    const Answer kept = there({"--trust", "--once", "--on", "ssh:gpu7", "--json", "--out", file("answer.json")}, shell("echo out"));
    EXPECT_EQ(kept.out, "out\n");
    EXPECT_EQ(parseJson(read("answer.json"), "answer.json")->at("program")["exit_code"], 0);
}

TEST_F(RemoteProgram, ItRunsOnlyWithConsent)
{
    const Answer refused = there({"--once", "--on", "ssh:gpu7", "--json"}, {"/bin/touch", file("ran")});
    EXPECT_EQ(refused.code, 1) << refused.err;
    EXPECT_EQ(refused.json()["error"]["code"], "needs-consent");
    EXPECT_FALSE(std::filesystem::exists(file("ran")));
}

TEST_F(RemoteProgram, ItSeesTheGpuThatIsNamed)
{
    const auto seen = [&](const char* on) {
        return there({"--trust", "--once", "--on", on}, shell("echo ${CUDA_VISIBLE_DEVICES-all}")).out;
    };
    EXPECT_EQ(seen("ssh:gpu7"), "all\n");
    EXPECT_THAT(seen("ssh:gpu7:0"), testing::StartsWith("GPU-"));
    EXPECT_THAT(seen("ssh:gpu7:0,ssh:gpu8"), testing::StartsWith("GPU-")) << "of a list, too";
}

TEST_F(RemoteProgram, ItIsRunTwiceForItsCounters)
{
    write("canned", test::scaleTrace());
    const std::string script = "cp " + quoted(file("canned")) + " \"$KLOOP_INJECT_SPOOL\"/1-1.trace; echo x >> " + quoted(file("runs"));
    const Answer answer = there({"--trust", "--on", "ssh:gpu7", "--json"}, shell(script));
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_EQ(read("runs"), "x\nx\n");
    ASSERT_THAT(answer.json()["results"], SizeIs(1));
    EXPECT_TRUE(answer.json()["program"]["second_run"].is_object());
}

TEST_F(RemoteProgram, OnThisMachineItNeedsNoDeviceOfTheWorkers)
{
    const Answer answer = there({"--once", "--on", "local"}, shell("echo out"));
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_EQ(answer.out, "out\n");
}

TEST_F(RemoteProgram, WhatCannotBeStoredIsSaidBeforeItRuns)
{
    EXPECT_EQ(there({"--once", "--db", ":sample:"}, {"/bin/touch", file("ran")}).code, 4);
    EXPECT_FALSE(std::filesystem::exists(file("ran")));
}

TEST_F(RemoteProgram, AnExplanationIsThereOnRequest)
{
    write("canned", test::scaleTrace());
    const std::vector<std::string> program = shell("cp " + quoted(file("canned")) + " \"$KLOOP_INJECT_SPOOL\"/1-1.trace");
    const std::string plain = there({"--once"}, program).err, explained = there({"--once", "--explain"}, program).err;
    EXPECT_GT(std::count(explained.begin(), explained.end(), '\n'), std::count(plain.begin(), plain.end(), '\n') + 10);
}

TEST_F(RemoteProgram, AHostThatCannotBeReachedRunsNothing)
{
    ssh_.touch("down");
    const Answer answer = there({"--trust", "--on", "ssh:gpu7", "--json"}, {"/bin/touch", file("ran")});
    EXPECT_EQ(answer.code, 5);
    EXPECT_EQ(answer.json()["error"]["code"], "environment");
    EXPECT_FALSE(std::filesystem::exists(file("ran")));
}

TEST_F(RemoteProgram, OfAHostWithoutAGpuTheHostIsNamed)
{
    ssh_.installWorker("exec '" + test::buildFolder() + "/bin/kloop-worker' --replay '" + file("nothing") + "' \"$@\"");
    const Answer answer = kloop({"run", "transpose/naive", "--on", "ssh:gpu7", "--json"},
                                "XDG_CONFIG_HOME=" + quoted(file("config")) + " KERNELLOOP_WORKER=" + quoted(test::kBuiltWorker));
    EXPECT_EQ(answer.code, 5) << answer.err;
    const Json error = answer.json()["error"];
    EXPECT_EQ(error["where"], "gpu7");
    EXPECT_THAT(error["message"].get<std::string>(), testing::StartsWith("gpu7: "));
    EXPECT_THAT(error["hint"].get<std::string>(), HasSubstr("kloop env --on ssh:gpu7"));
    EXPECT_THAT(error["hint"].get<std::string>(), Not(HasSubstr("--on sample")));
}

} // namespace
} // namespace kl
