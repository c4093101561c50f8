// SPDX-License-Identifier: MIT
// The python helper's driver against interpreters played by shell scripts: no GPU, no python needed.
#include "profiler/live/python/python_baseline.h"

#include "core/base/original_environment.h"
#include "core/base/python_call.h"
#include "profiler/live/python/helper_process.h"
#include "profiler/live/python/run_once.h"
#include "tests/support/value_lines.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <unistd.h>

namespace kl {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr const char* kPythonHello = R"(echo '{"id": 1, "versions": {"python": "3.12.3", "torch": "2.11.0+cu130"}}')";

/// KLOOP_PYTHON points at a script: the greeting is answered by `hello`, each later request by `measure` ($line, $id are set).
class PythonBaselineTest : public testing::Test {
protected:
    void SetUp() override
    {
        folder_ = fs::temp_directory_path() / ("kl-python-" + std::to_string(::getpid()));
        fs::create_directories(folder_);
    }
    void TearDown() override
    {
        ::unsetenv("KLOOP_PYTHON");
        fs::remove_all(folder_);
    }

    void play(const std::string& hello, const std::string& measure = "exit 0")
    {
        script("id=0\nwhile read -r line; do id=$((id + 1)); case \"$line\" in *'\"hello\"'*) " + hello + " ;; *) " + measure +
               " ;; esac; done\n");
    }
    void script(const std::string& text)
    {
        const fs::path file = folder_ / "python3";
        std::ofstream(file) << "#!/bin/sh\n" << text;
        fs::permissions(file, fs::perms::owner_all);
        ::setenv("KLOOP_PYTHON", file.c_str(), 1);
    }
    std::string content(const char* name) const
    {
        std::ifstream in(folder_ / name);
        std::stringstream text;
        text << in.rdbuf();
        return text.str();
    }

    fs::path folder_;
};

TEST_F(PythonBaselineTest, GreetsAndDescribesItself)
{
    play(kPythonHello);
    const auto baseline = PythonBaseline::start("GPU-1");
    ASSERT_TRUE(baseline) << baseline.error().message;
    EXPECT_EQ((*baseline)->description(), "python3 3.12.3, torch 2.11.0+cu130");
}

TEST_F(PythonBaselineTest, HandsOverTheHelperScriptAndTheDevice)
{
    script("printf '%s' \"$1\" > '" + (folder_ / "flag").string() + "'; printf '%s' \"$2\" > '" + (folder_ / "text").string() +
           "'; read -r line; printf '%s' \"$line\" > '" + (folder_ / "request").string() + "'; " + kPythonHello + "; read -r line\n");
    ASSERT_TRUE(PythonBaseline::start("GPU-42"));
    EXPECT_EQ(content("flag"), "-c");
    EXPECT_NE(content("text").find("scaled_dot_product_attention"), std::string::npos);
    EXPECT_NE(content("request").find(R"("device":"GPU-42")"), std::string::npos);
}

TEST_F(PythonBaselineTest, MeasureGivesSamplesNamesAndKernels)
{
    play(kPythonHello, R"X(echo '{"id": 2, "name": "PyTorch SDPA (cuDNN)", "version": "torch 2.11.0", "gpu_ns": [9400, 9500.5],
                      "kernels_ns": [8100, 8200], "host_ns": [30000, 31000], "kernels": ["cudnn_a"], "memory_bytes": 4096}' | tr -d '\n'; echo)X");
    auto baseline = PythonBaseline::start({});
    ASSERT_TRUE(baseline);
    const auto samples = (*baseline)->measure("sdpa", {{"S", 512}}, 2);
    ASSERT_TRUE(samples) << samples.error().message;
    EXPECT_EQ(samples->name, "PyTorch SDPA (cuDNN)");
    EXPECT_EQ(samples->version, "torch 2.11.0");
    EXPECT_EQ(samples->gpuNs, (std::vector<double>{9400, 9500.5}));
    EXPECT_EQ(samples->kernelsNs, (std::vector<double>{8100, 8200}));
    EXPECT_EQ(samples->hostNs, (std::vector<double>{30000, 31000}));
    EXPECT_EQ(samples->kernels, std::vector<std::string>{"cudnn_a"});
    EXPECT_EQ(samples->memoryBytes, 4096);
}

TEST_F(PythonBaselineTest, OutputIsComputedFromTheInputsThatItIsGiven)
{
    // The played helper writes the first input twice, found by the paths of the request.
    play(
        kPythonHello,
        R"X(in=$(printf '%s' "$line" | sed 's/.*"inputs":\["\([^"]*\)".*/\1/'); out=$(printf '%s' "$line" | sed 's/.*"output":"\([^"]*\)".*/\1/');
                     cat "$in" "$in" > "$out"; echo '{"id": 2}')X");
    auto baseline = PythonBaseline::start({});
    ASSERT_TRUE(baseline);
    const std::vector<std::byte> q{std::byte{1}, std::byte{0}, std::byte{255}};
    const auto twice = (*baseline)->output("sdpa", {{"S", 3}}, {&q}, 6);
    ASSERT_TRUE(twice) << twice.error().message << twice.error().detail;
    EXPECT_EQ(*twice, (std::vector<std::byte>{q[0], q[1], q[2], q[0], q[1], q[2]}));
}

TEST_F(PythonBaselineTest, OutputOfAnotherSizeIsRefused)
{
    play(kPythonHello, R"(echo '{"id": 2}')");
    auto baseline = PythonBaseline::start({});
    ASSERT_TRUE(baseline);
    const auto nothing = (*baseline)->output("sdpa", {}, {}, 8);
    ASSERT_FALSE(nothing);
    EXPECT_EQ(test::valueText(nothing.error().message), "\"0 8\"") << "computed and requested: " << nothing.error().message;
}

TEST_F(PythonBaselineTest, EachInputIsGivenInItsOrder)
{
    play(kPythonHello, "printf '%s' \"$line\" > '" + (folder_ / "request").string() +
                           R"X('; out=$(printf '%s' "$line" | sed 's/.*"output":"\([^"]*\)".*/\1/');
                     files=$(printf '%s' "$line" | sed 's/.*"inputs":\[\([^]]*\)\].*/\1/' | tr -d '"' | tr ',' ' '); cat $files > "$out"; echo '{"id": 2}')X");
    auto baseline = PythonBaseline::start({});
    ASSERT_TRUE(baseline);
    const std::vector<std::byte> q{std::byte{1}}, k{std::byte{2}, std::byte{3}}, v{std::byte{4}};
    const auto all = (*baseline)->output("sdpa-own", {{"S", 3}}, {&q, &k, &v}, 4);
    ASSERT_TRUE(all) << all.error().message << all.error().detail;
    EXPECT_EQ(*all, (std::vector<std::byte>{q[0], k[0], k[1], v[0]}));
    EXPECT_NE(content("request").find(R"("op":"sdpa-own")"), std::string::npos) << content("request");
    EXPECT_NE(content("request").find(R"("params":{"S":3.0})"), std::string::npos) << content("request");
    EXPECT_NE(content("request").find(R"("verb":"output")"), std::string::npos) << content("request");
}

TEST_F(PythonBaselineTest, WhatAnAnswerDoesNotHaveIsAbsent)
{
    play(kPythonHello, R"(echo '{"id": 2, "gpu_ns": [5], "memory_bytes": null, "kernels": ["a", 7]}')");
    auto baseline = PythonBaseline::start({});
    ASSERT_TRUE(baseline);
    const auto samples = (*baseline)->measure("cub-sum", {}, 1);
    ASSERT_TRUE(samples) << samples.error().message;
    EXPECT_EQ(samples->memoryBytes, std::nullopt);
    EXPECT_EQ(samples->kernels, std::vector<std::string>{"a"});
    EXPECT_TRUE(samples->kernelsNs.empty());
    EXPECT_TRUE(samples->hostNs.empty());
    EXPECT_EQ(samples->name, "");
}

TEST_F(PythonBaselineTest, LibraryFoldersAreWhatTheInterpreterFinds)
{
    script("echo '[\"/venv/nvidia/cudnn/lib\", \"/venv/nvidia/cu13/lib\"]'\n");
    EXPECT_EQ(pythonLibraryFolders(), (std::vector<std::string>{"/venv/nvidia/cudnn/lib", "/venv/nvidia/cu13/lib"}));
    script("echo nonsense\n");
    EXPECT_TRUE(pythonLibraryFolders().empty());
}

TEST_F(PythonBaselineTest, SpansAreOfTheCallsAndKernelsAreAddedUp)
{
    if (describePython().empty())
        GTEST_SKIP() << "no python3 on PATH";
    std::ofstream(folder_ / "spans.py") << R"X(import sys
names = {}
text = open(sys.argv[1]).read()
exec("FLUSH_MARK" + text.split("FLUSH_MARK", 1)[1].split("class Unavailable")[0], names)
exec("def spans" + text.split("def spans", 1)[1].split("def measure")[0], names)
print(names["spans"]([(0, 5, "early"), (10, 20, "bitwise_not_kernel"), (20, 25, "spin_kernel"), (30, 31, "Memset (Device)"), (32, 40, "sdpa"),
                      (50, 60, "bitwise_not_kernel"), (61, 70, "sdpa"), (71, 75, "tail"), (80, 90, "bitwise_not_kernel")]))
)X";
    const auto done = runOnce({pythonProgram(), (folder_ / "spans.py").string(), KL_SOURCE_DIR "/profiler/live/python/baseline_helper.py"},
                              originalEnvironment(), folder_.string(), 60);
    ASSERT_TRUE(done);
    EXPECT_EQ(done->output, "([10, 14], [8, 13], ['Memset (Device)', 'sdpa', 'tail'])\n");
}

TEST_F(PythonBaselineTest, RequestCarriesOperationSizesAndCount)
{
    play(kPythonHello, "printf '%s' \"$line\" > '" + (folder_ / "request").string() + R"('; echo '{"id": 2, "gpu_ns": [1, 2, 3]}')");
    auto baseline = PythonBaseline::start({});
    ASSERT_TRUE(baseline);
    ASSERT_TRUE((*baseline)->measure("cub-sum", {{"N", 1024}}, 3));
    const std::string request = content("request");
    EXPECT_NE(request.find(R"("op":"cub-sum")"), std::string::npos) << request;
    EXPECT_NE(request.find(R"("N":1024)"), std::string::npos) << request;
    EXPECT_NE(request.find(R"("samples":3)"), std::string::npos) << request;
}

TEST_F(PythonBaselineTest, OneHelperServesManyRequests)
{
    play(kPythonHello, R"(echo "{\"id\": $id, \"gpu_ns\": [$id]}")");
    auto baseline = PythonBaseline::start({});
    ASSERT_TRUE(baseline);
    for (double id = 2; id < 6; ++id) {
        const auto samples = (*baseline)->measure("sdpa", {}, 1);
        ASSERT_TRUE(samples);
        EXPECT_EQ(samples->gpuNs.front(), id);
    }
}

TEST_F(PythonBaselineTest, UnavailableOperationIsAnEnvironmentErrorAndTheHelperLives)
{
    play(
        kPythonHello,
        R"(if [ $id = 2 ]; then echo '{"id": 2, "unavailable": "No flash here.", "hint": "Use sdpa."}'; else echo '{"id": 3, "gpu_ns": [1]}'; fi)");
    auto baseline = PythonBaseline::start({});
    ASSERT_TRUE(baseline);
    const auto samples = (*baseline)->measure("sdpa-flash", {}, 1);
    ASSERT_FALSE(samples);
    EXPECT_EQ(samples.error().code, ErrorCode::environment);
    EXPECT_EQ(samples.error().message, "No flash here.");
    EXPECT_EQ(samples.error().hint, "Use sdpa.");
    EXPECT_TRUE((*baseline)->measure("sdpa", {}, 1));
}

TEST_F(PythonBaselineTest, FailedOperationCarriesWhatWasPrinted)
{
    play(kPythonHello, R"(echo 'CUDA warning' >&2; echo '{"id": 2, "error": "RuntimeError: out of memory"}')");
    auto baseline = PythonBaseline::start({});
    ASSERT_TRUE(baseline);
    const auto samples = (*baseline)->measure("sdpa", {}, 1);
    ASSERT_FALSE(samples);
    EXPECT_EQ(samples.error().code, ErrorCode::kernelFailed);
    EXPECT_NE(samples.error().message.find("out of memory"), std::string::npos);
    EXPECT_NE(samples.error().detail.find("CUDA warning"), std::string::npos);
}

TEST_F(PythonBaselineTest, DeathDuringAMeasurementIsAFailureAndStaysOne)
{
    play(kPythonHello, "echo 'Segmentation fault' >&2; exit 139");
    auto baseline = PythonBaseline::start({});
    ASSERT_TRUE(baseline);
    const auto samples = (*baseline)->measure("sdpa", {}, 1);
    ASSERT_FALSE(samples);
    EXPECT_EQ(samples.error().code, ErrorCode::kernelFailed);
    EXPECT_NE(samples.error().detail.find("Segmentation fault"), std::string::npos);
    EXPECT_FALSE((*baseline)->measure("sdpa", {}, 1));
}

TEST_F(PythonBaselineTest, DeathAtTheStartIsTheEnvironments)
{
    script("echo 'ImportError: libpython' >&2; exit 1\n");
    const auto baseline = PythonBaseline::start({});
    ASSERT_FALSE(baseline);
    EXPECT_EQ(baseline.error().code, ErrorCode::environment);
    EXPECT_NE(baseline.error().detail.find("libpython"), std::string::npos);
}

TEST_F(PythonBaselineTest, MissingTorchIsReportedWithTheFix)
{
    play(R"(echo '{"id": 1, "unavailable": "python3 cannot import torch.", "hint": "pip install torch"}')");
    const auto baseline = PythonBaseline::start({});
    ASSERT_FALSE(baseline);
    EXPECT_EQ(baseline.error().code, ErrorCode::environment);
    EXPECT_EQ(baseline.error().hint, "pip install torch");
}

TEST_F(PythonBaselineTest, MissingInterpreterIsReported)
{
    ::setenv("KLOOP_PYTHON", "/nonexistent/python3", 1);
    const auto baseline = PythonBaseline::start({});
    ASSERT_FALSE(baseline);
    EXPECT_EQ(baseline.error().code, ErrorCode::environment);
    EXPECT_NE(baseline.error().message.find("/nonexistent/python3"), std::string::npos);
    EXPECT_EQ(describePython(), "");
}

TEST_F(PythonBaselineTest, AnswersThatAreNotJsonOrAnothersAreRefused)
{
    for (const char* answer : {"echo hello", R"(echo '{"id": 7, "gpu_ns": [1]}')", R"(echo '{"id": "two"}')", "echo '[1]'"}) {
        play(kPythonHello, answer);
        auto baseline = PythonBaseline::start({});
        ASSERT_TRUE(baseline);
        const auto samples = (*baseline)->measure("sdpa", {}, 1);
        ASSERT_FALSE(samples) << answer;
        EXPECT_EQ(samples.error().code, ErrorCode::kernelFailed);
    }
}

TEST_F(PythonBaselineTest, FewerSamplesThanAskedAreNoMeasurement)
{
    play(kPythonHello, R"(echo '{"id": 2, "gpu_ns": [1, null]}')");
    auto baseline = PythonBaseline::start({});
    ASSERT_TRUE(baseline);
    const auto samples = (*baseline)->measure("sdpa", {}, 2);
    ASSERT_FALSE(samples);
    EXPECT_NE(samples.error().message.find("1 of 2"), std::string::npos);
}

TEST_F(PythonBaselineTest, DescriptionIsWhatTheInterpreterPrints)
{
    script("echo 'python3 3.11.2, torch 2.9.0'\n");
    EXPECT_EQ(describePython(), "python3 3.11.2, torch 2.9.0");
}

TEST_F(PythonBaselineTest, HelperScriptAnswersUnderARealPython)
{
    const std::string description = describePython();
    if (description.empty())
        GTEST_SKIP() << "no python3 on PATH";
    if (description.find("torch") != std::string::npos)
        GTEST_SKIP() << "PyTorch is installed: its import is left to the GPU tests";
    EXPECT_EQ(description.rfind("python3 3.", 0), 0u) << description;
    const auto baseline = PythonBaseline::start({});
    ASSERT_FALSE(baseline);
    EXPECT_EQ(baseline.error().code, ErrorCode::environment);
    EXPECT_NE(baseline.error().message.find("torch"), std::string::npos) << baseline.error().message;
    EXPECT_NE(baseline.error().hint.find("pip install torch"), std::string::npos);
}

std::unique_ptr<HelperProcess> shell(const std::string& text)
{
    auto helper = HelperProcess::start({"sh", "-c", text}, originalEnvironment());
    return helper ? std::move(*helper) : nullptr;
}

TEST(HelperProcess, EchoesLines)
{
    auto helper = shell("cat");
    ASSERT_TRUE(helper);
    ASSERT_TRUE(helper->send("one\ntwo"));
    EXPECT_EQ(*helper->receive(60s), "one");
    EXPECT_EQ(*helper->receive(60s), "two");
}

TEST(HelperProcess, RunsInItsFolderWithItsEnvironmentAlone)
{
    auto helper = HelperProcess::start({"/bin/sh", "-c", "pwd; echo \"$ONE\"; echo \"$HOME\""}, {"ONE=1"}, "/tmp");
    ASSERT_TRUE(helper) << helper.error().message;
    EXPECT_EQ(*(*helper)->receive(60s), "/tmp");
    EXPECT_EQ(*(*helper)->receive(60s), "1");
    EXPECT_EQ(*(*helper)->receive(60s), "");
    const auto none = HelperProcess::start({"kloop-no-such-program", "argument"}, originalEnvironment());
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::environment);
    EXPECT_EQ(none.error().where, "kloop-no-such-program");
    EXPECT_NE(none.error().hint.find("KLOOP_PYTHON"), std::string::npos);
}

TEST(HelperProcess, AnEndBeforeTheAnswerIsAFailureWithItsLastWords)
{
    auto helper = shell("echo sorry >&2; printf part; exit 3");
    ASSERT_TRUE(helper);
    const auto line = helper->receive(60s);
    ASSERT_FALSE(line) << "a line without its end is none";
    EXPECT_EQ(line.error().code, ErrorCode::kernelFailed);
    EXPECT_EQ(line.error().where, "sh");
    EXPECT_EQ(line.error().detail, "sorry\n");
    EXPECT_FALSE(helper->running());
    const auto again = helper->receive(60s);
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().detail, "sorry\n");
}

TEST(HelperProcess, WhatItSaidBeforeItEndedIsRead)
{
    auto helper = shell("echo one; echo two");
    ASSERT_TRUE(helper);
    EXPECT_EQ(*helper->receive(60s), "one");
    EXPECT_EQ(*helper->receive(60s), "two");
    EXPECT_FALSE(helper->receive(60s));
}

TEST(HelperProcess, JoinsALineThatComesInParts)
{
    auto helper = shell("printf first; sleep 0.05; printf ' second\\n'; cat");
    ASSERT_TRUE(helper);
    EXPECT_EQ(*helper->receive(60s), "first second");
}

TEST(HelperProcess, CarriesLongLines)
{
    auto helper = shell("cat");
    ASSERT_TRUE(helper);
    const std::string line(100000, 'x');
    ASSERT_TRUE(helper->send(line));
    EXPECT_EQ(*helper->receive(60s), line);
}

TEST(HelperProcess, SilenceKillsIt)
{
    auto helper = shell("echo stuck >&2; exec sleep 600");
    ASSERT_TRUE(helper);
    const auto line = helper->receive(100ms);
    ASSERT_FALSE(line);
    EXPECT_NE(line.error().message.find(" 0.1 s"), std::string::npos) << line.error().message;
    EXPECT_FALSE(helper->running());
}

TEST(HelperProcess, WritingToADeadOneIsAnErrorNotASignal)
{
    auto helper = shell("exit 0");
    ASSERT_TRUE(helper);
    ASSERT_FALSE(helper->receive(60s));
    const Status sent = helper->send("anyone?");
    ASSERT_FALSE(sent);
    EXPECT_EQ(sent.error().code, ErrorCode::kernelFailed);
}

TEST(HelperProcess, DestructionLeavesNoProcess)
{
    auto helper = shell("trap '' TERM HUP; echo ready; while :; do sleep 600; done");
    ASSERT_TRUE(helper);
    ASSERT_TRUE(helper->receive(60s));
    const pid_t pid = helper->pid();
    ASSERT_EQ(::kill(pid, 0), 0);
    helper.reset();
    EXPECT_NE(::kill(pid, 0), 0);
}

TEST(HelperProcess, KeepsOnlyTheEndOfItsMessages)
{
    auto helper = shell("i=0; while [ $i -lt 2000 ]; do echo line $i >&2; i=$((i + 1)); done; echo done; cat");
    ASSERT_TRUE(helper);
    ASSERT_TRUE(helper->receive(60s));
    const std::string tail = helper->errorTail();
    EXPECT_EQ(tail.size(), 2000u);
    EXPECT_TRUE(tail.ends_with("line 1999\n"));
}

TEST(OriginalEnvironment, LeavesOutTheBundlesLibraries)
{
    const auto cleaned = originalEnvironment({"A=1", "LD_LIBRARY_PATH=/opt/k/lib:/usr/local/cuda/lib64", "B=2"}, "/opt/k/bin");
    EXPECT_EQ(cleaned, (std::vector<std::string>{"A=1", "LD_LIBRARY_PATH=/usr/local/cuda/lib64", "B=2"}));
}

TEST(OriginalEnvironment, AnEmptyRemainderIsNotSet)
{
    EXPECT_EQ(originalEnvironment({"LD_LIBRARY_PATH=/opt/k/bin/../lib"}, "/opt/k/bin"), std::vector<std::string>{});
}

TEST(OriginalEnvironment, AKeptOriginalComesBack)
{
    const auto cleaned =
        originalEnvironment({"LD_LIBRARY_PATH=/opt/k/lib:/x", "KLOOP_ORIGINAL_LD_LIBRARY_PATH=/home/me/lib"}, "/opt/k/bin");
    EXPECT_EQ(cleaned, std::vector<std::string>{"LD_LIBRARY_PATH=/home/me/lib"});
    EXPECT_EQ(originalEnvironment({"KLOOP_ORIGINAL_LD_LIBRARY_PATH=", "LD_LIBRARY_PATH=/x"}, "/opt/k/bin"), std::vector<std::string>{});
}

} // namespace
} // namespace kl
