// SPDX-License-Identifier: MIT
// Kernels of the user's own through the program: starters, paths as addresses, registration, watch.
#include "kloop.h"

#include <chrono>
#include <sstream>
#include <thread>

namespace kl::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class UserKernels : public Kloop {
protected:
    /// The body of the last request of a verb.
    Json lastRequest(const std::string& verb) const
    {
        const std::vector<Json> bodies = requested(verb);
        return bodies.empty() ? Json() : bodies.back();
    }
    void start(const std::string& name, const std::string& starter = "elementwise") const
    {
        const Answer made = kloop({"new-kernel", name, "--dir", file(name), "--template", starter});
        ASSERT_EQ(made.code, 0) << made.err;
    }
    void replace(const std::string& name, const std::string& from, const std::string& to) const
    {
        std::string text = read(name);
        const auto at = text.find(from);
        ASSERT_NE(at, std::string::npos) << name << " lacks " << from;
        write(name, text.replace(at, from.size(), to));
    }
};

TEST_F(UserKernels, AStarterRunsByItsPath)
{
    useRecorder();
    start("mine");
    const Answer run = kloop({"run", file("mine/kernel.json"), "--json"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.json()["kernel"], "mine");
    EXPECT_EQ(run.json()["variant"], "plain"); // the first
    const Json work = lastRequest("run")["work"];
    EXPECT_EQ(work["source"], read("mine/kernel.cu"));
    EXPECT_EQ(work["reference"]["expression"], "2.5 * x(i) + y(i)");
    EXPECT_EQ(work["reference"]["index"][0]["count"], 16777216);
}

TEST_F(UserKernels, APathTakesAVariantTunablesAndAProblem)
{
    useRecorder();
    start("mine");
    const Answer run = kloop({"run", file("mine") + ":vector@BLOCK=128", "--problem", "N=64", "--json"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.json()["variant"], "vector");
    EXPECT_EQ(run.json()["tunables"], "BLOCK=128");
    const Json work = lastRequest("run")["work"];
    EXPECT_THAT(work["options"].dump(), HasSubstr("-DBLOCK=128"));
    EXPECT_EQ(work["launches"][0]["block"][0], 128);
    const Answer unknown = kloop({"run", file("mine") + ":fast"});
    EXPECT_EQ(unknown.code, 4);
    EXPECT_THAT(unknown.err, HasSubstr("plain, vector"));
}

TEST_F(UserKernels, AnErrorNamesFileLineColumnAndField)
{
    start("mine", "copy");
    replace("mine/kernel.json", "\"block\": [\"256\"]", "\"blok\": [\"256\"]");
    const Answer run = kloop({"run", file("mine"), "--json"});
    EXPECT_EQ(run.code, 4);
    const Json error = run.json()["error"];
    EXPECT_THAT(error["where"].get<std::string>(), testing::EndsWith("kernel.json:22:72"));
    EXPECT_THAT(error["message"].get<std::string>(), HasSubstr("variants[0].launches[0].blok"));
    EXPECT_THAT(error["hint"].get<std::string>(), HasSubstr("\"block\""));
    EXPECT_EQ(kloop({"kernels", "check", file("mine")}).code, 4);
    EXPECT_EQ(kloop({"run", file("nowhere/kernel.json")}).code, 4);
}

/// A stranger's descriptor has no way to files of mine: neither kloop nor a worker that gets the request all the same.
TEST_F(UserKernels, OptionsOfADescriptorTouchNoOtherFile)
{
    useRecorder();
    const std::string precious = file("important.txt");
    for (const std::string& option : {"--create-pch=" + precious, "--time=" + precious, "--fdevice-time-trace=" + precious,
                                      "--pre-include=" + precious, std::string("-I/"), "--ptxas-options=--output-file=" + precious}) {
        std::filesystem::remove_all(file("mine"));
        write("important.txt", "keep me\n");
        start("mine", "copy");
        replace("mine/kernel.json", "\"launches\": [", "\"options\": [\"" + option + "\"], \"launches\": [");
        for (const char* verb : {"compile", "run"}) {
            const Answer answer = kloop({verb, file("mine"), "--json"});
            EXPECT_EQ(answer.code, 4) << option;
            EXPECT_THAT(answer.json()["error"]["message"].get<std::string>(),
                        testing::ContainsRegex("kernel.json:[0-9]+:[0-9]+: variants.0..options.0.: "));
            EXPECT_THAT(answer.json()["error"]["hint"].get<std::string>(), HasSubstr("--ptxas-options")) << "what is allowed";
        }
        EXPECT_EQ(read("important.txt"), "keep me\n") << option;
    }
    start("arch", "copy");
    replace("arch/kernel.json", "\"launches\": [", "\"options\": [\"--gpu-architecture=sm_90a\"], \"launches\": [");
    const Answer named = kloop({"compile", file("arch"), "--arch", "sm_75"});
    EXPECT_EQ(named.code, 4);
    EXPECT_THAT(named.err, HasSubstr("--gpu-architecture=sm_90a"));
    EXPECT_EQ(read("requests").find("build-many"), std::string::npos);
}

TEST_F(UserKernels, CheckNeedsNoGpu)
{
    for (const char* starter : {"elementwise", "copy", "reduction", "matmul"}) {
        start(starter + std::string("-1"), starter);
        const Answer sound = kloop({"kernels", "check", file(starter + std::string("-1"))});
        EXPECT_EQ(sound.code, 0) << sound.err;
    }
    EXPECT_FALSE(std::filesystem::exists(file("test.db"))); // looking makes no database
}

TEST_F(UserKernels, RegisteredOnesAreFoundByName)
{
    useRecorder();
    start("mine");
    ASSERT_EQ(kloop({"kernels", "add", file("mine")}).code, 0);
    ASSERT_EQ(kloop({"kernels", "add", file("mine/kernel.json")}).code, 0); // again
    int found = 0;
    const Json list = kloop({"kernels", "--json"}).json();
    for (const Json& kernel : list["kernels"])
        if (kernel["id"] == "mine") {
            ++found;
            EXPECT_EQ(kernel["origin"]["descriptor"], file("mine/kernel.json"));
            EXPECT_EQ(kernel["origin"]["sources"][0], file("mine/kernel.cu"));
        } else {
            EXPECT_TRUE(kernel["origin"].is_null());
        }
    EXPECT_EQ(found, 1);
    EXPECT_EQ(kloop({"run", "mine/vector"}).code, 0);
    EXPECT_EQ(kloop({"ab", "mine/plain", file("mine") + ":vector"}).code, 3); // no blocks: nothing to judge by
    ASSERT_EQ(kloop({"kernels", "remove", "mine"}).code, 0);
    EXPECT_EQ(kloop({"run", "mine/vector"}).code, 4);
    EXPECT_EQ(kloop({"kernels", "remove", "mine"}).code, 4);
    EXPECT_TRUE(std::filesystem::exists(file("mine/kernel.cu")));
}

TEST_F(UserKernels, ABrokenOneHidesNoOther)
{
    useRecorder();
    start("good");
    start("bad");
    ASSERT_EQ(kloop({"kernels", "add", file("good")}).code, 0);
    ASSERT_EQ(kloop({"kernels", "add", file("bad")}).code, 0);
    replace("bad/kernel.json", "\"sizes\"", "\"size\"");
    const Answer list = kloop({"kernels", "--json"});
    EXPECT_EQ(list.code, 0);
    ASSERT_EQ(list.json()["broken"].size(), 1U);
    EXPECT_EQ(list.json()["broken"][0]["path"], file("bad/kernel.json"));
    EXPECT_EQ(list.json()["broken"][0]["error"]["code"], "bad-input");
    EXPECT_THAT(list.err, HasSubstr("kernel.json"));
    EXPECT_EQ(kloop({"run", "good/plain"}).code, 0);
    EXPECT_EQ(kloop({"kernels", "remove", file("bad")}).code, 0);
    EXPECT_EQ(kloop({"kernels"}).err, "");
}

TEST_F(UserKernels, IdsDoNotCollide)
{
    start("mine");
    EXPECT_EQ(kloop({"new-kernel", "copy", "--dir", file("c")}).code, 4);
    replace("mine/kernel.json", "\"id\": \"mine\"", "\"id\": \"copy\"");
    EXPECT_EQ(kloop({"kernels", "add", file("mine")}).code, 4) << "the id of a built-in kernel";
    EXPECT_EQ(kloop({"run", file("mine")}).code, 4);
    start("one");
    start("two");
    replace("two/kernel.json", "\"id\": \"two\"", "\"id\": \"one\"");
    ASSERT_EQ(kloop({"kernels", "add", file("one")}).code, 0);
    const Answer taken = kloop({"kernels", "add", file("two")});
    EXPECT_EQ(taken.code, 4);
    EXPECT_THAT(taken.err, HasSubstr(file("one/kernel.json")));
}

TEST_F(UserKernels, TheSampleSaysThatItHoldsNone)
{
    KL_NEEDS_SAMPLE();
    start("mine");
    const Answer run = kloop({"run", file("mine"), "--on", "sample"});
    EXPECT_EQ(run.code, 4);
    EXPECT_THAT(run.err, HasSubstr("mine/plain"));
}

TEST_F(UserKernels, ASessionRegistersItsKernel)
{
    useRecorder();
    start("mine");
    const Answer made = kloop({"session", "new", "N", "Faster", "--kernel", file("mine") + ":plain", "--json"});
    EXPECT_EQ(made.code, 0) << made.err;
    EXPECT_THAT(kloop({"kernels"}).out, HasSubstr(file("mine/kernel.json")));
    EXPECT_EQ(kloop({"session", "show", "N"}).code, 0);
}

TEST_F(UserKernels, TheSchemaIsJson)
{
    const Answer schema = kloop({"kernels", "schema"});
    EXPECT_EQ(schema.code, 0);
    EXPECT_TRUE(schema.json()["properties"].is_object());
    EXPECT_EQ(schema.out, std::string(*resource("resources/kernel.schema.json")));
    start("mine", "copy");
    EXPECT_EQ(read("mine/kernel.schema.json"), schema.out);
}

TEST_F(UserKernels, WatchChecksAtEverySave)
{
    useRecorder();
    start("mine", "copy");
    const auto lines = [&] {
        const std::string out = read("out");
        return std::count(out.begin(), out.end(), '\n');
    };
    const auto waitFor = [&](std::ptrdiff_t count) {
        for (int i = 0; i < 2500 && lines() < count; ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
    };
    const auto saved = [&](const std::string& name) {
        std::filesystem::rename(file("saved"), file(name));
    };                // at one stroke, as editors save
    write("out", ""); // of the command before
    std::thread editor([&] {
        waitFor(1);
        write("saved", read("mine/kernel.json"));
        replace("saved", "\"kernel.cu\"", "\"other.cu\"");
        saved("mine/kernel.json");
        waitFor(2);
        write("mine/other.cu", read("mine/kernel.cu") + "// saved\n");
        write("saved", read("mine/kernel.json"));
        replace("saved", "\"other.cu\"", "\"./other.cu\"");
        saved("mine/kernel.json");
        waitFor(3);
        write("saved", read("mine/other.cu") + "// again\n");
        saved("mine/other.cu");
    });
    const Answer watched = kloop({"watch", file("mine"), "--saves", "3", "--json"}, "timeout 110");
    editor.join();
    EXPECT_EQ(watched.code, 0) << watched.out << watched.err;
    std::istringstream out(watched.out);
    std::vector<Json> reported;
    for (std::string line; std::getline(out, line);)
        reported.push_back(*parseJson(line, "line"));
    ASSERT_EQ(reported.size(), 4U) << watched.out;
    EXPECT_EQ(reported[0]["run"]["kernel"], "mine");
    EXPECT_THAT(reported[1]["error"]["message"].get<std::string>(), HasSubstr("other.cu"));
    EXPECT_TRUE(reported[2]["error"].is_null());
    EXPECT_THAT(lastRequest("run")["work"]["source"].get<std::string>(), HasSubstr("// again"));
    EXPECT_FALSE(lastRequest("run")["suite"].empty());
}

TEST_F(UserKernels, AWatchThatEndsOnAnIncorrectResultExitsWithOne)
{
    useRecorder({}, R"(*'"verb":"run"'*) echo "{\"event\":\"result\",\"id\":$id,\"body\":)"
                    R"({\"status\":\"validation_failed\",\"reason\":\"max abs error 3\",\"correctness\":{\"result\":\"fail\"}}}" ;;)");
    start("mine", "copy");
    write("out", "");
    std::thread editor([&] {
        for (int i = 0; i < 2500 && read("out").empty(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        write("saved", read("mine/kernel.cu") + "// saved\n");
        std::filesystem::rename(file("saved"), file("mine/kernel.cu"));
    });
    const Answer watched = kloop({"watch", file("mine"), "--saves", "1", "--json"}, "timeout 110");
    editor.join();
    EXPECT_EQ(watched.code, 1) << watched.out << watched.err;
    EXPECT_EQ(std::count(watched.out.begin(), watched.out.end(), '\n'), 2);
}

TEST_F(UserKernels, WatchRefusesWhatCannotChange)
{
    useRecorder();
    EXPECT_EQ(kloop({"watch", "copy/vector"}).code, 4);
    useWorker(kNoGpu);
    start("mine");
    EXPECT_EQ(kloop({"watch", file("mine")}).code, 5);
}

TEST_F(UserKernels, CheckReadsTheDataOfEverySizeOfProblemsSmallestAndSuite)
{
    start("mine");
    replace("mine/kernel.json", R"(["N=16777216"])", R"(["N=64", "N=128"])");
    replace("mine/kernel.json", "N=1024", "N=8");
    replace("mine/kernel.json", R"(["N=1", "N=3", "N=255", "N=257", "N=4099"])", R"(["N=16", "N=32"])");
    replace("mine/kernel.json", R"("fill": "normal")", R"("fill": "file", "file": "x_{N}.bin")");
    const std::vector<std::size_t> sizes{64, 128, 8, 16, 32};
    const auto makeName = [](std::size_t size) { return "x_" + std::to_string(size) + ".bin"; };
    for (const std::size_t size : sizes)
        write("mine/" + makeName(size), std::string(4 * size, '\0'));
    EXPECT_EQ(kloop({"kernels", "check", file("mine"), "--json"}).json()["done"], "sound");
    for (const std::size_t size : sizes) {
        std::filesystem::remove(file("mine/" + makeName(size)));
        const Answer answer = kloop({"kernels", "check", file("mine"), "--json"});
        EXPECT_EQ(answer.code, 4) << size;
        EXPECT_THAT(answer.err, HasSubstr(makeName(size)));
        write("mine/" + makeName(size), std::string(4 * size, '\0'));
    }
}

} // namespace
} // namespace kl::test
