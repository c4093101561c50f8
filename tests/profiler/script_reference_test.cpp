// SPDX-License-Identifier: MIT
// Reference scripts, run by interpreters that shell scripts play: no python needed.
#include "profiler/live/python/script_reference.h"

#include "kernels/data/numbers.h"
#include "profiler/live/python/run_once.h"
#include "tests/support/process_end.h"
#include "tests/support/value_lines.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <unistd.h>

namespace kl {
namespace {

namespace fs = std::filesystem;

class ScriptReference : public testing::Test {
protected:
    void SetUp() override
    {
        folder_ = fs::temp_directory_path() / ("kl-script-" + std::to_string(::getpid()));
        fs::create_directories(folder_);
        const std::vector<double> values{2, 4, 6, 8};
        const std::string npy = toNpy(DType::f64, {2, 2}, reinterpret_cast<const std::byte*>(values.data()));
        std::ofstream(folder_ / "answer.npy", std::ios::binary) << npy;
    }
    void TearDown() override
    {
        ::unsetenv("KLOOP_PYTHON");
        fs::remove_all(folder_);
    }

    /// Runs a reference whose interpreter does this.
    Result<Expected> run(const std::string& shell, double timeout = 300,
                         const std::map<std::string, double>& params = {{"N", 4}, {"A", 0.5}})
    {
        const fs::path file = folder_ / "python";
        std::ofstream(file) << "#!/bin/sh\n" + shell;
        fs::permissions(file, fs::perms::owner_all);
        ::setenv("KLOOP_PYTHON", file.c_str(), 1);
        const BufferSpec spec{"x", DType::f32, 4, BufferRole::input, Fill::ramp, 1, {}};
        const std::vector<std::byte> x = fillBuffer(spec, 1, 0);
        ReferenceSpec reference;
        reference.output = "y";
        reference.params = params;
        reference.script = ScriptSpec{"mine.py", "the text", timeout};
        return runReferenceScript(reference, {{"x", DType::f32, &x}}, 4);
    }
    std::string answer() const { return (folder_ / "answer.npy").string(); }
    std::string seen(const std::string& name) const
    {
        std::ifstream in(folder_ / name, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    fs::path folder_;
};

TEST_F(ScriptReference, FindsInputsAndSizesAndItsOutputIsRead)
{
    const Result<Expected> expected =
        run("cp * '" + folder_.string() + "'; echo \"$1\" > '" + folder_.string() + "/args'; cp '" + answer() + "' y.npy\n");
    ASSERT_TRUE(expected) << expected.error().message;
    EXPECT_EQ(expected->values, (std::vector<double>{2, 4, 6, 8}));
    EXPECT_EQ(seen("args"), "reference.py\n");
    EXPECT_EQ(seen("reference.py"), "the text");
    EXPECT_EQ(nlohmann::json::parse(seen("problem.json")), (nlohmann::json{{"N", 4}, {"A", 0.5}}));
    EXPECT_NE(seen("problem.json").find("\"N\": 4"), std::string::npos) << "a whole number: " << seen("problem.json");
    EXPECT_TRUE(expected->indices.empty());
    const Result<Array> x = fromNpy(seen("x.npy"), "x.npy");
    ASSERT_TRUE(x) << x.error().message;
    EXPECT_EQ(toDoubles(x->bytes.data(), x->type, 4), (std::vector<double>{0, 1, 2, 3}));
}

TEST_F(ScriptReference, WholeNumbersOfTheProblemAreWrittenAsIntegers)
{
    const Result<Expected> expected = run("cp problem.json '" + folder_.string() + "'; cp '" + answer() + "' y.npy\n", 300,
                                          {{"N", 4}, {"ZERO", 0}, {"LESS", -3}, {"LARGE", 5e9}, {"HALF", 0.5}, {"NEAR", 2.000001}});
    ASSERT_TRUE(expected) << expected.error().message;
    const nlohmann::json problem = nlohmann::json::parse(seen("problem.json"));
    ASSERT_EQ(problem.size(), 6U);
    for (const char* whole : {"N", "ZERO", "LESS", "LARGE"})
        EXPECT_TRUE(problem[whole].is_number_integer()) << whole;
    for (const char* real : {"HALF", "NEAR"})
        EXPECT_TRUE(problem[real].is_number_float()) << real;
    EXPECT_EQ(problem["LESS"], -3);
    EXPECT_EQ(problem["LARGE"], 5'000'000'000);
    EXPECT_EQ(problem["NEAR"], 2.000001);
}

TEST_F(ScriptReference, EachInputHasItsTypeAndCount)
{
    const fs::path file = folder_ / "python";
    std::ofstream(file) << "#!/bin/sh\ncp a.npy b.npy '" + folder_.string() + "'; cp '" + answer() + "' out.npy\n";
    fs::permissions(file, fs::perms::owner_all);
    ::setenv("KLOOP_PYTHON", file.c_str(), 1);
    const BufferSpec half{"a", DType::f16, 6, BufferRole::input, Fill::ramp, 1, {}};
    const BufferSpec whole{"b", DType::i32, 3, BufferRole::input, Fill::ramp, 1, {}};
    const std::vector<std::byte> a = fillBuffer(half, 1, 0), b = fillBuffer(whole, 1, 1);
    ReferenceSpec reference;
    reference.output = "out";
    reference.script = ScriptSpec{"mine.py", "the text", 300};
    const Result<Expected> expected = runReferenceScript(reference, {{"a", DType::f16, &a}, {"b", DType::i32, &b}}, 4);
    ASSERT_TRUE(expected) << expected.error().message << expected.error().detail;
    EXPECT_EQ(expected->values, (std::vector<double>{2, 4, 6, 8}));
    const Result<Array> first = fromNpy(seen("a.npy"), "a.npy"), second = fromNpy(seen("b.npy"), "b.npy");
    ASSERT_TRUE(first && second);
    EXPECT_EQ(first->type, DType::f16);
    EXPECT_EQ(first->count(), 6U);
    EXPECT_EQ(first->bytes, a);
    EXPECT_EQ(second->type, DType::i32);
    EXPECT_EQ(second->count(), 3U);
    EXPECT_EQ(second->bytes, b);
}

TEST_F(ScriptReference, AFailureShowsItsLastWords)
{
    const Result<Expected> failed = run("echo 'ValueError: no such luck' >&2; exit 3\n");
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, ErrorCode::badInput);
    EXPECT_THAT(failed.error().message, testing::ContainsRegex(" mine.py .* 3\\.$"));
    EXPECT_EQ(failed.error().where, "mine.py");
    EXPECT_NE(failed.error().detail.find("no such luck"), std::string::npos);
}

TEST_F(ScriptReference, ATimeoutEndsItAndWhatItStarted)
{
    const Result<Expected> slow = run("sleep 1000 & echo $! > '" + folder_.string() + "/child'; echo waiting; wait\n", 1.5);
    ASSERT_FALSE(slow);
    EXPECT_NE(slow.error().message.find(" 1.5 s"), std::string::npos) << slow.error().message;
    EXPECT_EQ(slow.error().detail, "waiting\n");
    EXPECT_TRUE(endsSoon(std::stoi(seen("child"))));
}

TEST_F(ScriptReference, NothingAndTheWrongCountAreReported)
{
    const Result<Expected> none = run("exit 0\n");
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().message.find(" y.npy"), std::string::npos) << none.error().message;
    EXPECT_EQ(none.error().where, "mine.py");
    const std::vector<double> two{1, 2};
    std::ofstream(folder_ / "answer.npy", std::ios::binary) << toNpy(DType::f64, {2}, reinterpret_cast<const std::byte*>(two.data()));
    const Result<Expected> few = run("cp '" + answer() + "' y.npy\n");
    ASSERT_FALSE(few);
    EXPECT_EQ(test::valueText(few.error().message), "\"2 4\"") << few.error().message;
    const Result<Expected> junk = run("echo junk > y.npy\n");
    ASSERT_FALSE(junk);
    EXPECT_EQ(junk.error().code, ErrorCode::badInput);
    EXPECT_EQ(junk.error().message, fromNpy("junk\n", "y.npy of mine.py").error().message);
}

TEST_F(ScriptReference, EveryFailureNamesTheScriptAndKeepsItsOutput)
{
    const std::string few = folder_.string() + "/few.npy";
    const std::vector<double> values{1, 2};
    std::ofstream(few, std::ios::binary) << toNpy(DType::f64, {2}, reinterpret_cast<const std::byte*>(values.data()));
    std::set<std::string> messages;
    for (const std::string& shell :
         {std::string("echo words; exit 3\n"), std::string("echo words\n"), "echo words; cp '" + few + "' y.npy\n"}) {
        const Result<Expected> failed = run(shell);
        ASSERT_FALSE(failed) << shell;
        EXPECT_EQ(failed.error().code, ErrorCode::badInput) << shell;
        EXPECT_EQ(failed.error().where, "mine.py") << shell;
        EXPECT_EQ(failed.error().detail, "words\n") << shell;
        messages.insert(failed.error().message);
    }
    EXPECT_EQ(messages.size(), 3U);
    EXPECT_NE(run("exit 0\n").error().hint.find("y.npy"), std::string::npos) << "which file is wanted";
}

TEST(RunOnce, AProgramThatIsNotThereIsAnEnvironmentError)
{
    const Result<Finished> missing = runOnce({"/nowhere/python3"}, {}, "/", 1);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::environment);
}

TEST(RunOnce, TheEndOfItsOutputAndItsStatusAreKept)
{
    const Result<Finished> done = runOnce({"/bin/sh", "-c", "pwd; echo $ONE$HOME; echo error >&2; exit 4"}, {"ONE=1"}, "/tmp", 300);
    ASSERT_TRUE(done);
    EXPECT_EQ(done->output, "/tmp\n1\nerror\n");
    EXPECT_EQ(done->status, 4);
    const Result<Finished> longer = runOnce({"/bin/sh", "-c", "printf '%05000d' 7"}, {}, "/", 300);
    ASSERT_TRUE(longer);
    EXPECT_EQ(longer->output.size(), 4000U);
    EXPECT_TRUE(longer->output.ends_with("07"));
    EXPECT_EQ(runOnce({"/nowhere/python3", "argument"}, {}, "/", 1).error().where, "/nowhere/python3");
}

TEST(RunOnce, ASignalIsAStatusAbove128)
{
    const Result<Finished> killed = runOnce({"/bin/sh", "-c", "kill -9 $$"}, {}, "/", 300);
    ASSERT_TRUE(killed);
    EXPECT_EQ(killed->status, 137);
    EXPECT_FALSE(killed->timedOut);
}

} // namespace
} // namespace kl
