// SPDX-License-Identifier: MIT
// Reference scripts, run by interpreters that shell scripts play: no python needed.
#include "profiler/live/python/script_reference.h"

#include "kernels/data/numbers.h"
#include "profiler/live/python/run_once.h"
#include "tests/support/process_end.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
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
    Result<Expected> run(const std::string& shell, double timeout = 300)
    {
        const fs::path file = folder_ / "python";
        std::ofstream(file) << "#!/bin/sh\n" + shell;
        fs::permissions(file, fs::perms::owner_all);
        ::setenv("KLOOP_PYTHON", file.c_str(), 1);
        const BufferSpec spec{"x", DType::f32, 4, BufferRole::input, Fill::ramp, 1, {}};
        const std::vector<std::byte> x = fillBuffer(spec, 1, 0);
        ReferenceSpec reference;
        reference.output = "y";
        reference.params = {{"N", 4}, {"A", 0.5}};
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
    EXPECT_NE(seen("problem.json").find("\"N\": 4"), std::string::npos) << seen("problem.json");
    const Result<Array> x = fromNpy(seen("x.npy"), "x.npy");
    ASSERT_TRUE(x) << x.error().message;
    EXPECT_EQ(toDoubles(x->bytes.data(), x->type, 4), (std::vector<double>{0, 1, 2, 3}));
}

TEST_F(ScriptReference, AFailureShowsItsLastWords)
{
    const Result<Expected> failed = run("echo 'ValueError: no such luck' >&2; exit 3\n");
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, ErrorCode::badInput);
    EXPECT_EQ(failed.error().message, "The reference script mine.py failed with exit status 3.");
    EXPECT_NE(failed.error().detail.find("no such luck"), std::string::npos);
}

TEST_F(ScriptReference, ATimeoutEndsItAndWhatItStarted)
{
    const Result<Expected> slow = run("sleep 1000 & echo $! > '" + folder_.string() + "/child'; echo waiting; wait\n", 1.5);
    ASSERT_FALSE(slow);
    EXPECT_NE(slow.error().message.find("longer than 1.5 s"), std::string::npos) << slow.error().message;
    EXPECT_EQ(slow.error().detail, "waiting\n");
    EXPECT_TRUE(endsSoon(std::stoi(seen("child"))));
}

TEST_F(ScriptReference, NothingAndTheWrongCountAreReported)
{
    const Result<Expected> none = run("exit 0\n");
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().message.find("wrote no y.npy"), std::string::npos);
    const std::vector<double> two{1, 2};
    std::ofstream(folder_ / "answer.npy", std::ios::binary) << toNpy(DType::f64, {2}, reinterpret_cast<const std::byte*>(two.data()));
    const Result<Expected> few = run("cp '" + answer() + "' y.npy\n");
    ASSERT_FALSE(few);
    EXPECT_NE(few.error().message.find("wrote 2 elements, y has 4"), std::string::npos) << few.error().message;
    const Result<Expected> junk = run("echo junk > y.npy\n");
    ASSERT_FALSE(junk);
    EXPECT_NE(junk.error().message.find("not a .npy file"), std::string::npos) << junk.error().message;
}

TEST(RunOnce, AProgramThatIsNotThereIsAnEnvironmentError)
{
    const Result<Finished> missing = runOnce({"/nowhere/python3"}, {}, "/", 1);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::environment);
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
