// SPDX-License-Identifier: MIT
// kloop lift around programs that need no GPU: they leave what the injected library would have left.
#include "kloop.h"
#include "tests/support/build_folder.h"
#include "tests/support/snapshot.h"
#include "text_rows.h"

#include "kernels/data/base64.h"
#include "kernels/data/numbers.h"
#include "profiler/protocol/lifted_launch.h"
#include "profiler/protocol/message_codec.h"
#include "profiler/protocol/program_trace.h"

#include <cstring>

namespace kl::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class Lift : public Kloop {
protected:
    void SetUp() override
    {
        Kloop::SetUp();
        write("inject.so", "not loaded by programs without CUDA");
        std::filesystem::create_directories(file("raw"));
        write("raw/kernel.cubin", std::string("\x7f"
                                              "ELF") +
                                      std::string(60, '\0'));
        const std::uint64_t words[] = {kAddress + 512, 0x0000000700000003};
        std::string arguments(reinterpret_cast<const char*>(words), sizeof words);
        arguments.resize(192);
        write("raw/arguments", arguments);
        write("raw/0.before", std::string(8192, 'a'));
        write("raw/0.after", std::string(1024, 'b'));
        write("raw/variable0", "abcd");
        write("raw/lift.json", encodeLift(launch()));
    }

    static constexpr std::uint64_t kAddress = 0x7f2c5e000000;
    static LiftedLaunch launch()
    {
        LiftedLaunch lift;
        lift.kernel = "_Z5scalePfi";
        lift.launch = 2;
        lift.command = {"prog"};
        lift.gpu = "NVIDIA H200";
        lift.computeCapability = 90;
        lift.grid = {4, 1, 1};
        lift.block = {256, 1, 1};
        lift.cluster = {2, 1, 1};
        lift.dynamicSmem = 1024;
        lift.attributes = {{"carveout", 50}, {"registers", 16}};
        lift.parameters = {{0, 8}, {8, 4}, {12, 4}, {64, 128}};
        lift.arguments = "arguments";
        lift.image = "kernel.cubin";
        lift.variables = {{"factor", "variable0"}};
        lift.memory = {{kAddress, 8192, "argument", "0.before", "0.after", {{512, 1024}}}};
        lift.bytes = 8192;
        return lift;
    }

    /// A program in which the library lifts what lies in the folder "raw"; with no memory allowed it only tells the size.
    std::vector<std::string> program(const std::string& more = {}) const
    {
        LiftedLaunch large = launch();
        large.tooLarge = true;
        write("large.json", encodeLift(large));
        return {"/bin/sh", "-c",
                "folder=$(sed -n 's/.*\"lift\":{[^}]*\"folder\":\"\\([^\"]*\\)\".*/\\1/p' \"$KLOOP_INJECT_SPOOL\"/config.json)\n"
                "echo run >> " +
                    quoted(file("ran")) + "\ncp -r " + quoted(file("raw")) +
                    " \"$folder\"\n"
                    "if grep -q '\"max_bytes\":0,' \"$KLOOP_INJECT_SPOOL\"/config.json || grep -q '\"max_bytes\":100,' "
                    "\"$KLOOP_INJECT_SPOOL\"/config.json; then cp " +
                    quoted(file("large.json")) + " \"$folder\"/lift.json; fi\n" + more};
    }
    Answer lift(std::vector<std::string> options, const std::vector<std::string>& command) const
    {
        options.insert(options.begin(), {"lift", "--kernel", "scale", "--out", file("lifted"), "--json"});
        options.emplace_back("--");
        options.insert(options.end(), command.begin(), command.end());
        return kloop(options, "KERNELLOOP_INJECT=" + quoted(file("inject.so")));
    }
    /// Why the launch in "raw" is not lifted.
    Json refused(const std::vector<std::string>& options) const
    {
        const Answer answer = lift(options, program());
        return answer.code == 0 ? Json::object() : answer.json()["error"];
    }
    /// A program whose one process launched kernels, none of which was to be lifted.
    std::vector<std::string> otherKernels() const
    {
        write("trace", traceLine(1, {"prog"}, "x") + traceLine(Warning{"not-lifted", "It launched 3 kernels."}) + traceEnd());
        return {"/bin/sh", "-c", "cp " + quoted(file("trace")) + " \"$KLOOP_INJECT_SPOOL\"/1-1.trace"};
    }
    WorkSpec lastWork() const
    {
        const std::vector<Json> bodies = requested("run");
        const Result<RunRequest> request = fromJsonMessage<RunRequest>(bodies.empty() ? Json() : bodies.back());
        EXPECT_TRUE(request) << request.error().message;
        return request ? request->work : WorkSpec();
    }
};

TEST_F(Lift, MakesAKernelThatRuns)
{
    const Answer lifted = lift({"--yes"}, program("exit 3"));
    ASSERT_EQ(lifted.code, 0) << lifted.err << lifted.out;
    EXPECT_EQ(lifted.json()["name"], "scale(float*, int)");
    EXPECT_EQ(lifted.json()["bytes"], 8192);
    EXPECT_EQ(lifted.json()["changed_bytes"], 1024);
    EXPECT_EQ(lifted.json()["buffers"], 3);
    EXPECT_EQ(lifted.json()["program_exit"], 3);
    EXPECT_EQ(lifted.json()["kernel"], file("lifted"));
    EXPECT_EQ(lifted.json()["id"], "lifted-scale");
    EXPECT_EQ(lifted.json()["entry"], "_Z5scalePfi");
    EXPECT_EQ(lifted.json()["launch"], launch().launch);
    EXPECT_EQ(lifted.json()["allocations"], 1);
    EXPECT_GT(lifted.json()["stored_bytes"], 0);
    EXPECT_EQ(lifted.json()["next"], "kloop run " + file("lifted"));
    EXPECT_THAT(readRows(lifted.err), testing::Contains(testing::AllOf(testing::StartsWith("kloop: "), withFigures("3"))))
        << "how it ended";
    useRecorder();
    const Answer run = kloop({"run", file("lifted"), "--json"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.json()["kernel"], "lifted-scale");
    EXPECT_EQ(run.json()["variant"], "lifted");
    const WorkSpec work = lastWork();
    ASSERT_EQ(work.buffers.size(), 3U);
    EXPECT_EQ(work.buffers[1].address, kAddress + 512);
    EXPECT_EQ(fillBuffer(work.buffers[1], 1, 0), std::vector<std::byte>(1024, std::byte{'a'}));
    EXPECT_TRUE(work.buffers[1].after);
    EXPECT_FALSE(work.buffers[2].after);
    ASSERT_EQ(work.launches.size(), 1U);
    EXPECT_EQ(work.launches[0].entry, "_Z5scalePfi");
    EXPECT_EQ(fromBase64(*work.launches[0].parameters), read("raw/arguments"));
    EXPECT_EQ(work.launches[0].dynamicSmem, 1024);
    EXPECT_EQ(work.launches[0].cluster, (std::vector<std::int64_t>{2, 1, 1}));
    EXPECT_EQ(work.launches[0].carveout, 50);
    EXPECT_EQ(work.variables->size(), 1U);
    EXPECT_EQ(work.tolerance, (Tolerance{0, 0}));
}

TEST_F(Lift, InWordsItSaysWhatItCopiedAndWhatToDoNext)
{
    std::vector<std::string> words{"lift", "--kernel", "scale", "--out", file("lifted"), "--yes", "--"};
    const std::vector<std::string> command = program();
    words.insert(words.end(), command.begin(), command.end());
    const Answer answer = kloop(words, "KERNELLOOP_INJECT=" + quoted(file("inject.so")));
    ASSERT_EQ(answer.code, 0) << answer.err;
    const std::vector<std::string> rows = readRows(answer.out);
    EXPECT_THAT(rows[0], testing::AllOf(withFigures(std::to_string(launch().launch)), testing::EndsWith(" scale(float*, int)")));
    EXPECT_THAT(rows[1], testing::AllOf(withFigures(testing::AllOf(testing::StartsWith("8 KiB | 1 | "), testing::EndsWith(" | 1 KiB"))),
                                        HasSubstr(' ' + file("lifted") + ';')))
        << "the memory, its allocations, what is stored, what the launch changed";
    EXPECT_THAT(rows, testing::Contains("kloop run " + file("lifted")));
    EXPECT_THAT(rows.back(), testing::StartsWith("kloop ab " + file("lifted") + ":lifted " + file("lifted") + ":rewrite"));
}

TEST_F(Lift, WhatMayDifferIsKeptWithTheKernel)
{
    ASSERT_EQ(lift({"--yes", "--type", "f32", "--tolerance", "0.5", "--nondeterministic"}, program()).code, 0);
    useRecorder();
    ASSERT_EQ(kloop({"run", file("lifted")}).code, 0);
    const WorkSpec work = lastWork();
    EXPECT_EQ(work.tolerance.maxAbs, 0.5);
    EXPECT_FALSE(work.deterministic);
    EXPECT_EQ(work.buffers[1].type, DType::f32);
}

TEST_F(Lift, ItsNameInAddressesCanBeChosen)
{
    ASSERT_EQ(lift({"--yes", "--name", "half"}, program()).code, 0);
    useRecorder();
    EXPECT_EQ(kloop({"run", file("lifted"), "--json"}).json()["kernel"], "half");
    EXPECT_EQ(lift({"--yes", "--name", " "}, program()).code, 2);
}

TEST_F(Lift, ALaunchThatChangesNothingHasANote)
{
    EXPECT_THAT(lift({"--yes"}, program()).json()["notes"], IsEmpty());
    std::filesystem::remove_all(file("lifted"));
    LiftedLaunch same = launch();
    same.memory[0].changed.clear();
    same.memory[0].after.clear();
    write("raw/lift.json", encodeLift(same));
    const Answer lifted = lift({"--yes"}, program());
    ASSERT_EQ(lifted.code, 0) << lifted.err << lifted.out;
    EXPECT_EQ(lifted.json()["changed_bytes"], 0);
    EXPECT_THAT(lifted.json()["notes"], SizeIs(1));
}

TEST_F(Lift, TheRewriteHasTheSameArgumentsAndMemory)
{
    ASSERT_EQ(lift({"--yes", "--type", "f32", "--tolerance", "0.001", "--nondeterministic"}, program()).code, 0);
    const std::string source = read("lifted/rewrite.cu");
    const std::string pointer = findRow(source, "unsigned char* p0, //");
    EXPECT_EQ(readFigures(pointer), "512 | 8192 | 0");
    EXPECT_THAT(pointer, HasSubstr(" 0x7f2c5e000000"));
    EXPECT_THAT(source, HasSubstr("unsigned p1,"));
    EXPECT_THAT(source, HasSubstr("struct alignas(64) P3"));
    useRecorder();
    const Answer run = kloop({"run", file("lifted") + ":rewrite", "--json"});
    EXPECT_EQ(run.code, 0) << run.err;
    const WorkSpec work = lastWork();
    EXPECT_EQ(work.source, source);
    EXPECT_EQ(work.launches[0].entry, "rewrite");
    EXPECT_TRUE(work.launches[0].parameters);
    EXPECT_EQ(work.buffers[1].type, DType::f32);
    EXPECT_EQ(work.buffers[1].count, 256);
    EXPECT_FALSE(work.deterministic);
    EXPECT_EQ(work.tolerance, (Tolerance{0.001, 0.001}));
}

TEST_F(Lift, TheRewriteCompilesAsItIsWritten)
{
    ASSERT_EQ(lift({"--yes"}, program()).code, 0);
    const Answer compiled = kloop({"compile", file("lifted") + ":rewrite", "--arch", "sm_90", "--json"},
                                  "KERNELLOOP_WORKER='" + test::buildFolder() + "/bin/kloop-worker'");
    if (compiled.code == 5)
        GTEST_SKIP() << compiled.err; // no NVRTC
    EXPECT_EQ(compiled.code, 0) << compiled.out << compiled.err;
}

TEST_F(Lift, WithoutYesTheSizeIsToldAndNothingCopied)
{
    const Answer answer = lift({}, program());
    EXPECT_EQ(answer.code, 1);
    const Json error = answer.json()["error"];
    EXPECT_EQ(error["code"], "refused");
    EXPECT_EQ(error["where"], launch().kernel);
    EXPECT_EQ(readFigures(readRows(error["message"].get<std::string>())), (std::vector<std::string>{"8 KiB"}));
    EXPECT_THAT(error["hint"].get<std::string>(), HasSubstr("--yes"));
    EXPECT_FALSE(std::filesystem::exists(file("lifted")));
    EXPECT_EQ(read("ran"), "run\n");
}

TEST_F(Lift, MoreThanIsAllowedIsRefused)
{
    const Answer answer = lift({"--yes", "--max-bytes", "100"}, program());
    EXPECT_EQ(answer.code, 1);
    const Json error = answer.json()["error"];
    EXPECT_EQ(error["code"], "refused");
    EXPECT_EQ(error["where"], launch().kernel);
    EXPECT_EQ(readFigures(readRows(error["message"].get<std::string>())), (std::vector<std::string>{"8 KiB | 100 B"}));
    EXPECT_THAT(error["hint"].get<std::string>(), HasSubstr("--max-bytes"));
}

TEST_F(Lift, WhatCannotBeLiftedSaysWhy)
{
    LiftedLaunch hosted = launch();
    hosted.refusal = "The argument at byte 8 points to memory of the host, mapped for the GPU: 0x7f00.";
    write("raw/lift.json", encodeLift(hosted));
    const Answer answer = lift({"--yes"}, program());
    EXPECT_EQ(answer.code, 1);
    EXPECT_EQ(answer.json()["error"]["where"], hosted.kernel);
    EXPECT_THAT(answer.json()["error"]["message"].get<std::string>(),
                testing::AllOf(testing::StartsWith("scale(float*, int) "), testing::EndsWith(hosted.refusal)));
    EXPECT_FALSE(std::filesystem::exists(file("lifted")));
}

TEST_F(Lift, WithoutAMatchingLaunchTheProgramsNotesAreShown)
{
    Answer answer = lift({"--yes"}, {"/bin/true"});
    EXPECT_EQ(answer.json()["error"]["code"], "not-found");
    EXPECT_EQ(answer.json()["error"]["where"], "--kernel");
    const std::string none = answer.json()["error"]["message"];
    EXPECT_THAT(none, HasSubstr("\"scale\""));
    answer = lift({"--yes"}, otherKernels());
    EXPECT_EQ(answer.json()["error"]["code"], "not-found");
    const std::string noted = answer.json()["error"]["message"];
    EXPECT_EQ(readFigures(noted), "3") << "kernels that it launched";
    const std::string missing = noted.substr(0, noted.find(". ") + 2);
    EXPECT_THAT(none, testing::StartsWith(missing));
    EXPECT_GT(none.size(), missing.size()) << "it has a reason, too";
    EXPECT_EQ(readFigures(none), "");
}

TEST_F(Lift, ADamagedOrForeignLaunchIsRefused)
{
    write("raw/lift.json", "{\"schema\": \"kernelloop.lift/7\"}");
    Json error = refused({"--yes"});
    EXPECT_EQ(error["code"], "bad-input");
    EXPECT_THAT(error["where"].get<std::string>(), testing::EndsWith("/lift.json"));
    EXPECT_THAT(error["message"].get<std::string>(), HasSubstr("kernelloop.lift/7"));
    LiftedLaunch lies = launch();
    lies.memory[0].changed = {{8000, 1024}};
    write("raw/lift.json", encodeLift(lies));
    error = refused({"--yes"});
    EXPECT_EQ(error["code"], "bad-input");
    EXPECT_THAT(error["where"].get<std::string>(), testing::EndsWith("/lift.json"));
    std::filesystem::remove_all(file("lifted"));
    lies = launch();
    lies.memory[0].bytes = 1 << 20;
    write("raw/lift.json", encodeLift(lies));
    error = refused({"--yes"});
    EXPECT_EQ(error["code"], "bad-input");
    EXPECT_THAT(error["where"].get<std::string>(), testing::EndsWith("/0.before")) << "it is shorter than lift.json says";
    const Answer again = lift({"--yes"}, program());
    EXPECT_EQ(again.code, 4);
    EXPECT_EQ(again.json()["error"]["where"], file("lifted")) << "the folder is not empty";
}

TEST_F(Lift, EachRefusalIsWordedAsInTheSnapshot)
{
    std::string text;
    const auto add = [&](const std::string& name, const Json& error) {
        std::string message = error.value("message", "");
        const std::string folder = std::filesystem::path(error.value("where", "")).parent_path().string();
        if (const std::size_t at = message.find(folder); !folder.empty() && at != std::string::npos)
            message.replace(at, folder.size(), "FOLDER");
        text += name + ": " + message + " | " + error.value("hint", "") + '\n';
    };
    const auto with = [](auto change) {
        LiftedLaunch changed = launch();
        change(changed);
        return encodeLift(changed);
    };
    add("not agreed to", refused({}));
    add("too large", refused({"--yes", "--max-bytes", "100"}));
    add("no CUDA", lift({"--yes"}, {"/bin/true"}).json()["error"]);
    add("no such kernel", lift({"--yes"}, otherKernels()).json()["error"]);
    write("raw/lift.json", with([](LiftedLaunch& of) { of.refusal = "Why."; }));
    add("refused", refused({"--yes"}));
    write("raw/lift.json", with([](LiftedLaunch& of) { of.memory.clear(); }));
    add("no memory", refused({"--yes"}));
    write("raw/lift.json", with([](LiftedLaunch& of) { of.schema = "kernelloop.lift/7"; }));
    add("another version", refused({"--yes"}));
    write("raw/lift.json", with([](LiftedLaunch& of) { of.memory[0].changed = {{8000, 1024}}; }));
    add("changed outside", refused({"--yes"}));
    add("folder in use", refused({"--yes"}));
    std::filesystem::remove_all(file("lifted"));
    write("raw/lift.json", with([](LiftedLaunch& of) { of.memory[0].bytes = 1 << 20; }));
    add("cut off", refused({"--yes"}));
    expectSnapshot("errors/lift.txt", text);
}

TEST_F(Lift, TellsTheLibraryWhatToLift)
{
    const Answer answer = kloop({"lift", "--kernel", "a|b", "--skip", "3", "--range", "step", "--max-bytes", "2MB", "--all-memory", "--yes",
                                 "--out", file("lifted"), "--", "/bin/sh", "-c", "cat \"$KLOOP_INJECT_SPOOL\"/config.json"},
                                "KERNELLOOP_INJECT=" + quoted(file("inject.so")));
    const Result<TraceConfig> config = parseTraceConfig(answer.out, "config");
    ASSERT_TRUE(config) << answer.out;
    EXPECT_EQ(config->kernel, "a|b");
    EXPECT_EQ(config->skip, 3);
    EXPECT_EQ(config->ranges.within, "step");
    ASSERT_TRUE(config->lift);
    EXPECT_EQ(config->lift->maxBytes, 2 << 20);
    EXPECT_TRUE(config->lift->allMemory);
    EXPECT_FALSE(config->counters);
}

TEST_F(Lift, NeedsAProgramAndAnExpression)
{
    EXPECT_EQ(kloop({"lift", "--kernel", "x", "--out", file("lifted")}).code, 2);
    EXPECT_EQ(kloop({"lift", "--out", file("lifted"), "--", "/bin/true"}).code, 2);
    EXPECT_EQ(lift({"--type", "f12"}, {"/bin/true"}).code, 2);
}

TEST_F(Lift, WhatTheProgramPrintsIsBesideTheAnswerUnlessThatIsJson)
{
    const std::vector<std::string> command = program("echo printed by it; echo told by it >&2");
    const Answer json = lift({"--yes"}, command);
    ASSERT_EQ(json.code, 0) << json.err;
    EXPECT_EQ(json.json()["id"], "lifted-scale");
    EXPECT_THAT(json.err, testing::AllOf(HasSubstr("printed by it"), HasSubstr("told by it")));
    std::vector<std::string> words{"lift", "--kernel", "scale", "--out", file("other"), "--yes", "--"};
    words.insert(words.end(), command.begin(), command.end());
    const Answer plain = kloop(words, "KERNELLOOP_INJECT=" + quoted(file("inject.so")));
    ASSERT_EQ(plain.code, 0) << plain.err;
    EXPECT_THAT(plain.out, testing::StartsWith("printed by it\n"));
    EXPECT_THAT(plain.err, testing::Not(HasSubstr("printed by it")));
    EXPECT_THAT(plain.err, HasSubstr("told by it"));
}

} // namespace
} // namespace kl::test
