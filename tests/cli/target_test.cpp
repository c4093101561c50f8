// SPDX-License-Identifier: MIT
// Programs as the subject of sessions, on the command line: new-target, registering, consent, and what other commands say.
#include "kloop.h"
#include "tests/support/fake_program.h"

namespace kl::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class Targets : public Kloop {
protected:
    void make(const std::string& starter = "command")
    {
        const Answer made = kloop({"new-target", "mine", "--template", starter, "--dir", file("mine"), "--json"});
        ASSERT_EQ(made.code, 0) << made.err;
        EXPECT_EQ(made.json()["target"], file("mine/kernelloop.json"));
    }
};

TEST_F(Targets, ATemplateIsSoundAndCanBeRegistered)
{
    for (const char* starter : {"pytorch", "triton", "cmake", "command"}) {
        make(starter);
        EXPECT_EQ(kloop({"kernels", "check", file("mine/kernelloop.json")}).code, 0) << starter;
        std::filesystem::remove_all(file("mine"));
    }
    make();
    EXPECT_EQ(kloop({"kernels", "add", file("mine")}).code, 0);
    const Json listed = kloop({"kernels", "--json"}).json();
    ASSERT_THAT(listed["programs"], SizeIs(1));
    EXPECT_EQ(listed["programs"][0]["id"], "mine");
    EXPECT_THAT(listed["broken"], IsEmpty());
    EXPECT_EQ(kloop({"kernels", "remove", "mine"}).code, 0);
    EXPECT_EQ(kloop({"new-target", "mine", "--dir", file("mine")}).code, 4) << "the folder is not empty";
    EXPECT_EQ(kloop({"new-target", "mine", "--template", "fortran"}).code, 2);
}

TEST_F(Targets, TheSchemaIsThatOfTheFile)
{
    make();
    const Answer schema = kloop({"kernels", "schema", "--project"});
    EXPECT_TRUE(schema.json()["properties"].is_object());
    EXPECT_EQ(schema.out, std::string(*resource("resources/kernelloop.schema.json")));
    EXPECT_EQ(read("mine/kernelloop.schema.json"), schema.out);
}

TEST_F(Targets, AnErrorNamesLineAndField)
{
    std::filesystem::create_directories(file("bad"));
    write("bad/kernelloop.json", "{\n  \"schema\": 2,\n  \"target\": {\"id\": \"x\"}\n}\n");
    const Answer answer = kloop({"kernels", "check", file("bad/kernelloop.json"), "--json"});
    EXPECT_EQ(answer.code, 4);
    EXPECT_THAT(answer.json()["error"]["where"].get<std::string>(), HasSubstr("kernelloop.json:3:3"));
}

TEST_F(Targets, ItsCommandsAreAllowedByTheirHash)
{
    make();
    const std::string own = "XDG_DATA_HOME=" + quoted(file("data"));
    EXPECT_EQ(kloop({"trust", "add", file("mine/kernelloop.json")}, own).code, 0);
    const Json trusted = kloop({"trust", "list", "--json"}, own).json();
    const std::string all = trusted.dump();
    EXPECT_THAT(all, HasSubstr(file("mine/kernelloop.json")));
    EXPECT_THAT(all, HasSubstr("nvcc"));
}

TEST_F(Targets, CommandsOfAWorkerTakeNone)
{
    make();
    for (const char* command : {"run", "compile"}) {
        const Answer answer = kloop({command, file("mine/kernelloop.json"), "--json"});
        EXPECT_EQ(answer.code, 1) << command << answer.out << answer.err;
        EXPECT_EQ(answer.json()["error"]["code"], "refused") << command;
        EXPECT_THAT(answer.err, Not(HasSubstr("Rule:"))) << "no rule of a session";
    }
}

TEST_F(Targets, OnTheSampleNoSessionIsOpened)
{
    make();
    const Answer answer = kloop({"session", "new", "N+1", "faster", "--kernel", file("mine"), "--on", "sample", "--json"});
    EXPECT_EQ(answer.code, 5) << answer.out;
    EXPECT_EQ(answer.json()["error"]["code"], "environment");
}

TEST_F(Targets, AStepAsksFirstAndThenMeasures)
{
    useRecorder(
        {},
        R"(*'"verb":"env"'*) echo "{\"event\":\"result\",\"id\":$id,\"body\":{\"checks\":[{\"id\":\"gpu\",\"requirement\":\"required\",\"result\":\"pass\",\"found\":\"\",\"why\":\"\",\"fix\":\"\"}]}}" ;;)");
    const FakeProgram program(file("project"), "GPU-1");
    write("inject.so", "not loaded by programs without CUDA");
    const std::string own = "XDG_DATA_HOME=" + quoted(file("data")) + " KERNELLOOP_INJECT=" + quoted(file("inject.so"));
    const Answer opened = kloop({"session", "new", "N+1", "faster", "--kernel", file("project/kernelloop.json"), "--json"}, own);
    ASSERT_EQ(opened.code, 0) << opened.out << opened.err;

    const Answer refused = kloop({"session", "step", "--json"}, own);
    EXPECT_EQ(refused.code, 1);
    const Json error = refused.json()["error"];
    EXPECT_EQ(error["code"], "needs-consent");
    EXPECT_EQ(error["file"], file("project/kernelloop.json"));
    EXPECT_EQ(error["command"], Json({"sh", "-c", "sh build.sh"}));
    EXPECT_EQ(error["hash"].get<std::string>().size(), 64U);
    EXPECT_FALSE(std::filesystem::exists(file("project/build"))) << "nothing ran";

    const Answer checked = kloop({"session", "step", "--trust", "--json"}, own);
    ASSERT_EQ(checked.code, 0) << checked.out << checked.err;
    Answer measured;
    for (int i = 0; i < 2; ++i) { // the smallest size, then the baseline: allowed for good
        measured = kloop({"session", "step", "--json"}, own);
        ASSERT_EQ(measured.code, 0) << measured.out << measured.err;
    }
    EXPECT_EQ(measured.json()["speedup"], 0.75);
    EXPECT_EQ(measured.json()["next"][0]["action"], "profile");
}

TEST_F(Targets, TheHistoryOfAProgramIsSearched)
{
    useRecorder({}, "");
    const FakeProgram program(file("project"), "GPU-1");
    const auto git = [&](const std::string& words) {
        const std::string line =
            "git -C " + quoted(file("project")) + " -c user.name=T -c user.email=t@example.com " + words + " >/dev/null 2>&1";
        ASSERT_EQ(std::system(line.c_str()), 0) << line;
    };
    const auto commit = [&](const std::string& name) {
        git("add -A");
        git("commit -q -m " + name);
        git("tag " + name);
    };
    git("init -q -b main");
    commit("first");
    program.code(7900);
    commit("faster");
    program.code(4000, "7"); // wrong on one size of the suite
    commit("wrong");
    program.write("kernel.txt", "time=4000\nresult=7\nsyntax error\n");
    commit("broken");
    const std::string target = file("project/kernelloop.json"), own = "XDG_DATA_HOME=" + quoted(file("data"));
    const Answer refused = kloop({"bisect", target, "--good", "first", "--incorrect", "--json"}, own);
    EXPECT_EQ(refused.json()["error"]["code"], "needs-consent");
    const Answer wrong = kloop({"bisect", target, "--good", "first", "--bad", "wrong", "--incorrect", "--trust", "--json"}, own);
    ASSERT_EQ(wrong.code, 0) << wrong.out << wrong.err;
    EXPECT_THAT(wrong.json()["judged"].dump(), HasSubstr("N=7"));
    const Answer builds = kloop({"bisect", target, "--good", "first", "--builds", "--json"}, own);
    ASSERT_EQ(builds.code, 0) << builds.out << builds.err;
    bool named = false;
    const Json found = builds.json();
    for (const Json& row : found["judged"])
        named = named || (row["commit"] == found["first_bad"][0] && row["subject"] == "broken");
    EXPECT_TRUE(named) << builds.out;
    EXPECT_EQ(kloop({"bisect", target, "--good", "first", "--slower-than", "1.1", "--json"}, own).json()["error"]["where"],
              "--slower-than");
}

TEST_F(Targets, ARevisionThatDoesNotBuildIsNotCalledWrong)
{
    useRecorder({}, "");
    const FakeProgram program(file("project"), "GPU-1");
    const auto commit = [&](const std::string& name) {
        const std::string git = "git -C " + quoted(file("project")) + " -c user.name=T -c user.email=t@example.com ";
        const std::string line = '(' + git + "init -q -b main && " + git + "add -A && " + git + "commit -q -m " + name + " && " + git +
                                 "tag " + name + ") >/dev/null 2>&1";
        ASSERT_EQ(std::system(line.c_str()), 0) << line;
    };
    commit("first");
    program.write("kernel.txt", "time=8000\nresult=right\nsyntax error\n");
    commit("broken");
    program.code(8000, "7");
    commit("wrong");
    const Answer found =
        kloop({"bisect", file("project/kernelloop.json"), "--good", "first", "--bad", "wrong", "--incorrect", "--trust", "--json"},
              "XDG_DATA_HOME=" + quoted(file("data")));
    EXPECT_EQ(found.code, 3) << found.out << found.err;
    EXPECT_FALSE(found.json()["found"].get<bool>());
    EXPECT_EQ(found.json()["first_bad"].size(), 2U) << "either of the two";
}

TEST_F(Targets, CalibrationIsOfKernels)
{
    make();
    ASSERT_EQ(kloop({"kernels", "add", file("mine")}).code, 0);
    const Answer answer = kloop({"calibrate", "mine", "--json"});
    EXPECT_EQ(answer.code, 4) << answer.out;
    EXPECT_EQ(answer.json()["error"]["code"], "bad-input");
    EXPECT_EQ(answer.json()["error"]["where"], "mine");
    EXPECT_NE(answer.json()["error"]["hint"], kloop({"calibrate", "nowhere", "--json"}).json()["error"]["hint"]) << "it is there";
}

} // namespace
} // namespace kl::test
