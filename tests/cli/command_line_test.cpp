// SPDX-License-Identifier: MIT
#include "app/kloop/command_line.h"
#include "app/kloop/terminal/explain.h"
#include "kloop.h"
#include "tests/support/build_folder.h"

namespace kl::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class CommandLine : public Kloop {};

TEST_F(CommandLine, HelpIsNotAnError)
{
    const Answer answer = kloop({"--help"});
    EXPECT_EQ(answer.code, 0);
    for (const char* command :
         {"env", "kernels", "run", "profile", "analyze", "decide", "ab", "compare", "session", "patterns", "report", "db", "version"})
        EXPECT_THAT(answer.out, HasSubstr(command));
}

/// A folder may be somebody else's.
TEST_F(CommandLine, NoLibraryOfTheCurrentFolderIsLoaded)
{
    for (const char* library : {"libstdc++.so.6", "libsqlite3.so.0", "libz.so.1", "libm.so.6"})
        write(library, "not a library");
    for (const char* name : {"kloop", "kloop-worker"}) {
        const std::string program = buildFolder() + "/bin/" + name;
        if (!std::filesystem::exists(program))
            continue; // a build without the worker
        EXPECT_EQ(std::system(("cd " + quoted(file("")) + " && " + quoted(program) + " --version").c_str()), 0) << program;
    }
}

TEST_F(CommandLine, HelpOfSessionAndProfileShowsTheSample)
{
    for (const auto& words : {std::vector<std::string>{"session", "--help"}, {"session", "new", "--help"}, {"profile", "--help"}}) {
        const Answer answer = kloop(words);
        EXPECT_EQ(answer.code, 0);
        EXPECT_THAT(answer.out, HasSubstr("--on sample"));
    }
    EXPECT_THAT(kloop({"run", "--help"}).out, Not(HasSubstr("--on sample")));
}

TEST_F(CommandLine, WrongUsageExits2)
{
    const std::vector<std::vector<std::string>> wrong = {{},
                                                         {"dance"},
                                                         {"decide"},
                                                         {"decide", "1"},
                                                         {"decide", "x", "1"},
                                                         {"decide", "0", "1"},
                                                         {"decide", "1", "-2"},
                                                         {"profile"},
                                                         {"profile", "transpose/naive", "--tier", "9"},
                                                         {"run", "transpose/naive", "--on", "moon"},
                                                         {"session"},
                                                         {"session", "waive", "G1"},
                                                         {"session", "new", "N", " ", "--kernel", "transpose"},
                                                         {"session", "new", "", "objective", "--kernel", "transpose"},
                                                         {"patterns", "add"},
                                                         {"launch"},
                                                         {"env", "--nonsense"},
                                                         {"db"}};
    for (const auto& words : wrong) {
        const Answer answer = kloop(words);
        EXPECT_EQ(answer.code, 2) << testing::PrintToString(words);
        EXPECT_EQ(answer.out, "") << testing::PrintToString(words);
        EXPECT_THAT(answer.err, HasSubstr("--help"));
    }
}

TEST_F(CommandLine, AnUnknownCommandIsNamedBesideTheKnownOnes)
{
    const Answer top = kloop({"profil", "transpose/naive", "--json"});
    EXPECT_EQ(top.code, 2);
    EXPECT_EQ(top.json()["error"]["where"], "profil");
    EXPECT_THAT(top.json()["error"]["hint"].get<std::string>(), HasSubstr(" profile"));
    const Answer nested = kloop({"session", "stepp", "--json"});
    EXPECT_EQ(nested.code, 2);
    EXPECT_EQ(nested.json()["error"]["where"], "stepp");
    EXPECT_THAT(nested.err, HasSubstr("kloop session --help"));
}

TEST_F(CommandLine, AnOptionThatThereIsNotIsNamedBesideTheOneThatIsMostSimilar)
{
    const Answer run = kloop({"run", "--problm", "M=32", "--json"});
    EXPECT_EQ(run.code, 2);
    EXPECT_EQ(run.json()["error"]["where"], "--problm");
    EXPECT_THAT(run.json()["error"]["hint"].get<std::string>(), testing::AllOf(HasSubstr("--problem"), HasSubstr("kloop run --help")));
    EXPECT_THAT(kloop({"--jsn", "version"}).err, HasSubstr("--json"));
    EXPECT_THAT(kloop({"session", "new", "N", "o", "--kernl=transpose"}).err, HasSubstr("kloop session new --help"));
    EXPECT_THAT(kloop({"bisect", "k.json", "--good", "a", "--build"}).err, HasSubstr("\"--build\""));
    // What is there is not called unknown, wherever it is.
    EXPECT_THAT(kloop({"decide", "--json", "--db", "x", "1"}).err, HasSubstr("KERNEL_MS"));
    EXPECT_THAT(kloop({"bisect", "k.json", "--builds"}).err, HasSubstr("--good"));
}

TEST_F(CommandLine, HelpMayStandAsAWord)
{
    EXPECT_EQ(kloop({"help"}).out, kloop({"--help"}).out);
    EXPECT_EQ(kloop({"help", "session", "new"}).out, kloop({"session", "new", "--help"}).out);
    EXPECT_EQ(kloop({"help"}).code, 0);
}

TEST_F(CommandLine, HelpAboutACommandThatThereIsNotNamesTheOneThatIsMostSimilar)
{
    const std::vector<std::vector<std::string>> asked = {{"help", "profil"}, {"profil", "--help"}, {"--db", "x", "profil", "-h"}};
    for (const auto& words : asked) {
        const Answer answer = kloop(words);
        EXPECT_EQ(answer.code, 2) << testing::PrintToString(words);
        EXPECT_EQ(answer.out, "") << testing::PrintToString(words);
        EXPECT_THAT(answer.err, HasSubstr("\"profil\"")) << testing::PrintToString(words);
        EXPECT_THAT(answer.err, HasSubstr(" profile?")) << testing::PrintToString(words);
    }
    EXPECT_THAT(kloop({"help", "session", "stepp"}).err, testing::AllOf(HasSubstr(" step?"), HasSubstr("kloop session --help")));
    EXPECT_THAT(kloop({"patterns", "lst"}).err, testing::AllOf(HasSubstr(" list?"), HasSubstr("kloop patterns --help")))
        << "its bare word is a command";
    EXPECT_EQ(kloop({"help", "zzz", "--json"}).json()["error"]["where"], "zzz");
    EXPECT_EQ(kloop({"profil", "--version"}).code, 2);
    EXPECT_EQ(kloop({"help", "run", "transpose/naive"}).code, 0) << "there is no command, so that is not one";
}

TEST_F(CommandLine, WrongUsageWithJsonIsOnStdoutToo)
{
    const Answer answer = kloop({"decide", "x", "1", "--json"});
    EXPECT_EQ(answer.code, 2);
    EXPECT_EQ(answer.json()["schema"], "kernelloop.error/1");
    const Json error = answer.json()["error"];
    EXPECT_EQ(error["code"], "usage");
    EXPECT_THAT(error["message"].get<std::string>(), HasSubstr("\"x\""));
    EXPECT_NE(answer.err, "");
}

TEST_F(CommandLine, WhatFollowsTheDashesIsNotOurs)
{
    const Answer answer = kloop({"profile", "transpose/naive", "--", "ls", "--json", "--nonsense"});
    EXPECT_EQ(answer.code, 2);
    EXPECT_EQ(answer.out, "") << "--json after the dashes is not ours either";
    EXPECT_NE(answer.err, "");
}

TEST_F(CommandLine, VersionSaysSo)
{
    EXPECT_THAT(kloop({"version"}).out, testing::MatchesRegex("kloop [0-9.]+\n"));
    EXPECT_EQ(kloop({"--version"}).code, 0);
    EXPECT_EQ(kloop({"version", "--json"}).json()["schema"], "kernelloop.version/1");
}

TEST_F(CommandLine, DecideSaysCriticalWithToolAndCommand)
{
    const Answer answer = kloop({"decide", "0.10", "0.50", "--json"});
    EXPECT_EQ(answer.code, 0);
    const Json json = answer.json();
    EXPECT_EQ(json["schema"], "kernelloop.decide/1");
    EXPECT_EQ(json["level"], "critical");
    ASSERT_FALSE(json["next"].empty());
    EXPECT_NE(json["next"][0]["tool"], "");
    EXPECT_THAT(json["next"][0]["command"].get<std::string>(), HasSubstr("kloop profile"));
}

TEST_F(CommandLine, DecideLevelsFollowTheSpeedup)
{
    EXPECT_EQ(kloop({"decide", "0.49", "1", "--json"}).json()["level"], "critical");
    EXPECT_EQ(kloop({"decide", "0.5", "1", "--json"}).json()["level"], "high");
    EXPECT_EQ(kloop({"decide", "1.2", "1", "--json"}).json()["level"], "medium");
    EXPECT_EQ(kloop({"decide", "2.5", "1", "--json"}).json()["level"], "success");
}

TEST_F(CommandLine, JsonMayStandBeforeTheCommandToo)
{
    EXPECT_EQ(kloop({"--json", "decide", "0.1", "0.5"}).json()["level"], "critical");
}

TEST_F(CommandLine, PeopleGetWordsWithoutColor)
{
    const Answer answer = kloop({"decide", "0.10", "0.50"});
    EXPECT_EQ(answer.code, 0);
    EXPECT_THAT(answer.out, HasSubstr("critical"));
    EXPECT_THAT(answer.out, Not(HasSubstr("\033")));
    EXPECT_EQ(answer.err, "");
}

TEST_F(CommandLine, KernelsListsEveryVariant)
{
    const Json json = kloop({"kernels", "--json"}).json();
    EXPECT_EQ(json["schema"], "kernelloop.kernels/1");
    std::map<std::string, Json> byAddress;
    for (const Json& kernel : json["kernels"]) {
        for (const char* field : {"id", "family", "baseline", "smallest_problem"})
            EXPECT_TRUE(kernel[field].is_string() && kernel[field] != "") << field;
        EXPECT_FALSE(kernel["suite"].empty());
        EXPECT_FALSE(kernel["problems"].empty());
        EXPECT_TRUE(kernel["tunables"].is_array());
        for (const Json& variant : kernel["variants"])
            byAddress[kernel["id"].get<std::string>() + '/' + variant["id"].get<std::string>()] = variant;
    }
    for (const char* family : {"copy", "transpose", "reduction", "chain", "fma", "attention"})
        EXPECT_TRUE(std::any_of(byAddress.begin(), byAddress.end(), [&](const auto& row) { return row.first.starts_with(family); }))
            << family;
    ASSERT_TRUE(byAddress.contains("transpose/naive") && byAddress.contains("transpose/tiled") && byAddress.contains("transpose/padded"));
    EXPECT_EQ(byAddress["transpose/naive"]["expected"], "uncoalesced");
    EXPECT_EQ(byAddress["transpose/tiled"]["expected"], "bank-conflicts");
    EXPECT_TRUE(byAddress["transpose/padded"]["expected"].is_null());
}

TEST_F(CommandLine, KernelsForPeopleNamesTheSame)
{
    const Json json = kloop({"kernels", "--json"}).json();
    const Answer words = kloop({"kernels"});
    EXPECT_EQ(words.code, 0);
    for (const Json& kernel : json["kernels"])
        for (const Json& variant : kernel["variants"])
            EXPECT_THAT(words.out, HasSubstr(variant["address"].get<std::string>()));
}

TEST_F(CommandLine, EnvironmentWithoutGpuSaysSoAndExits5)
{
    const Answer answer = kloop({"env", "--json"});
    EXPECT_EQ(answer.code, 5);
    EXPECT_EQ(answer.json()["verdict"], "fail");
    EXPECT_EQ(answer.json()["checks"][0]["result"], "fail");
    EXPECT_EQ(kloop({"env"}).code, 5);
}

TEST_F(CommandLine, EnvironmentWithoutAWorkerStillAnswersChecks)
{
    const Answer answer = kloop({"env", "--json"}, "KERNELLOOP_WORKER=/nonexistent");
    EXPECT_EQ(answer.code, 5);
    const Json json = answer.json();
    EXPECT_EQ(json["verdict"], "fail");
    EXPECT_EQ(json["checks"].back()["id"], "worker");
    EXPECT_NE(json["checks"].back()["fix"], "");
}

TEST_F(CommandLine, EnvironmentOfTheRealWorkerAnswersInWords)
{
    if (!std::filesystem::exists(test::kBuiltWorker))
        GTEST_SKIP() << "kloop-worker is not built here";
    if (std::filesystem::exists("/dev/nvidiactl"))
        GTEST_SKIP() << "this machine has an NVIDIA driver";
    const Answer answer = kloop({"env", "--json"}, "KERNELLOOP_WORKER=");
    EXPECT_EQ(answer.code, 5) << answer.err;
    EXPECT_EQ(answer.json()["verdict"], "fail");
}

TEST_F(CommandLine, EnvironmentNeverAnswersFromTheSample)
{
    const Answer answer = kloop({"env", "--on", "sample", "--json"});
    EXPECT_EQ(answer.code, 2);
    EXPECT_EQ(answer.json()["error"]["where"], "--on");
}

TEST_F(CommandLine, WithoutGpuMeasuringTellsOfTheSampleAndExits5)
{
    const std::vector<std::vector<std::string>> commands = {{"run", "transpose/naive"},
                                                            {"profile", "transpose/naive"},
                                                            {"profile", "transpose/naive", "--on", "local"},
                                                            {"ab", "transpose/naive", "transpose/tiled"},
                                                            {"session", "new", "N", "objective", "--kernel", "transpose"}};
    for (auto words : commands) {
        words.push_back("--json");
        const Answer answer = kloop(words);
        EXPECT_EQ(answer.code, 5) << testing::PrintToString(words) << answer.out;
        const Json error = answer.json()["error"];
        EXPECT_EQ(error["code"], "environment");
        EXPECT_THAT(std::string(kNoGpu), HasSubstr("\"unavailable\":" + error["message"].dump())) << "what the worker said";
        EXPECT_THAT(error["hint"].get<std::string>(), HasSubstr("--on sample"));
        EXPECT_THAT(answer.err, testing::AllOf(HasSubstr("--on sample"), HasSubstr(": kloop env")));
        ASSERT_EQ(error["next_steps"].size(), 1U) << testing::PrintToString(words);
        EXPECT_EQ(error["next_steps"][0]["id"], "check-environment");
        EXPECT_EQ(error["next_steps"][0]["command"], "kloop env");
        EXPECT_EQ(error["next_steps"][0]["argv"], Json({"kloop", "env", "--json"}));
    }
}

/// A step of an error is data; a command in a sentence would be one that only people can run.
TEST_F(CommandLine, WhatAnErrorSuggestsIsAStep)
{
    const auto first = [&](const std::vector<std::string>& words) {
        const Json steps = kloop(words).json()["error"].value("next_steps", Json::array());
        return steps.empty() ? std::string() : steps[0]["command"].get<std::string>();
    };
    EXPECT_EQ(first({"profile", "--json"}), "kloop kernels");
    EXPECT_EQ(first({"watch", "copy/vector", "--json"}), "kloop new-kernel NAME");
    EXPECT_EQ(first({"tree", "--fix", "nosuch", "--json"}), "kloop profile KERNEL");
    EXPECT_EQ(first({"patterns", "show", "nosuch", "--json"}), "kloop patterns");
    EXPECT_EQ(first({"profile", "copy/vector", "--metrics", "", "--json"}), "kloop metrics");
    EXPECT_EQ(first({"env", "--on", "sample", "--json"}), "kloop session gate G1 --on sample");
    EXPECT_EQ(first({"cost", "price", "--reset", "--json"}), "kloop cost price DEVICE DOLLARS");
    EXPECT_EQ(first({"cost", "price", "NVIDIA T4", "--json"}), "kloop cost price 'NVIDIA T4' DOLLARS");
    EXPECT_EQ(first({"cost", "add", "--assistant=-1", "--json"}), "kloop cost");
    EXPECT_EQ(first({"profile", "--plan", "--json"}), "") << "a chip needs no GPU";
}

TEST_F(CommandLine, ARunWithoutAProfileOrATimelineNamesTheCommandThatMakesOne)
{
    KL_NEEDS_SAMPLE();
    ASSERT_EQ(kloop({"run", "transpose/naive", "--on", "sample"}).code, 0);
    const std::string run = "run:" + kloop({"runs", "list", "--json"}).json()["runs"][0]["id"].get<std::string>();
    const auto first = [&](const std::string& verb) { return kloop({verb, run, "--json"}).json()["error"]["next_steps"][0]; };
    EXPECT_EQ(first("recommend")["id"], "profile");
    EXPECT_EQ(first("recommend")["arguments"]["kernel"], "transpose/naive");
    EXPECT_EQ(first("recommend")["arguments"]["source"], "sample") << "where the run is from";
    EXPECT_EQ(first("timeline")["id"], "record-timeline");
    EXPECT_THAT(first("timeline")["command"].get<std::string>(), testing::StartsWith("kloop timeline transpose/naive --problem "));
}

TEST_F(CommandLine, ASuiteWithAnIncorrectSizeIsListedWhole)
{
    useRecorder({}, R"(*'"verb":"run"'*) echo "{\"event\":\"result\",\"id\":$id,\"body\":{\"status\":\"validation_failed\",)"
                    R"(\"correctness\":{\"result\":\"fail\",\"suite\":[{\"problem\":\"M=31,N=33\",\"pass\":false},)"
                    R"({\"problem\":\"M=64,N=65\",\"pass\":true}]}}}" ;;)");
    const Answer answer = kloop({"run", "transpose/naive", "--suite", "--on", "local"});
    EXPECT_EQ(answer.code, 1) << answer.err;
    EXPECT_THAT(answer.out, HasSubstr("M=31,N=33"));
    EXPECT_THAT(answer.out, HasSubstr("M=64,N=65"));
}

TEST_F(CommandLine, AnUnusableGpuOpensNoSession)
{
    kloop({"session", "new", "N", "objective", "--kernel", "transpose"});
    EXPECT_EQ(kloop({"session", "list", "--json"}).json()["sessions"].size(), 0u);
}

TEST_F(CommandLine, ABadAddressExits4AndNamesWhatThereIs)
{
    const Answer unknown = kloop({"run", "nope/naive", "--json"});
    EXPECT_EQ(unknown.code, 4);
    EXPECT_EQ(unknown.json()["error"]["code"], "not-found");
    EXPECT_THAT(unknown.err, HasSubstr("transpose"));
    const Answer family = kloop({"profile", "transpose"});
    EXPECT_EQ(family.code, 4);
    EXPECT_THAT(family.err, HasSubstr("transpose/tiled"));
    EXPECT_EQ(kloop({"profile", "transpose/nope"}).code, 4);
    EXPECT_EQ(kloop({"profile", "a/b/c"}).code, 4);
}

TEST_F(CommandLine, ABadProblemExits4)
{
    EXPECT_EQ(kloop({"run", "transpose/naive", "--problem", "M"}).code, 4);
    EXPECT_EQ(kloop({"run", "transpose/naive", "--problem", "NOPE=3"}).code, 4);
}

TEST_F(CommandLine, AnArchitectureToBuildForIsACapability)
{
    for (const char* arch : {"9.0", "9.0a", "12.0", "8.0;9.0+PTX", "8.0 9.0"})
        EXPECT_EQ(kloop({"env", "--export", "--arch", arch}).code, 0) << arch;
    for (const char* arch : {"", "9", "foo", "sm_90", "9.0;", "9.0;rm"})
        EXPECT_EQ(kloop({"env", "--export", "--arch", arch}).code, 2) << arch;
}

TEST_F(CommandLine, NoOpenSessionExits4)
{
    const Answer answer = kloop({"session", "step", "--json"});
    EXPECT_EQ(answer.code, 4);
    EXPECT_EQ(answer.json()["error"]["code"], "not-found");
}

TEST_F(CommandLine, AnalyzeOfWhatIsNoListOfRunsExits4)
{
    for (const char* text : {"{\"results\": []}", "{\"results\": 3}", "{\"results\": [{\"kernel\": 1, \"correctness\": 2}]}", "[1]", ""}) {
        write("odd.json", text);
        const Answer answer = kloop({"analyze", file("odd.json"), "--json"});
        EXPECT_EQ(answer.code, 4) << text << answer.err;
        EXPECT_EQ(answer.json()["error"]["code"], "bad-input") << text;
    }
    EXPECT_EQ(kloop({"analyze", file("missing.json")}).code, 4);
    EXPECT_EQ(kloop({"analyze", file(".")}).code, 4) << "a folder";
}

TEST_F(CommandLine, AFileThatOpensAndCannotBeReadExits4)
{
    for (const std::vector<std::string>& words : {std::vector<std::string>{"tree", "--tree", "/proc/self/mem"},
                                                  {"env", "--project", file(".")},
                                                  {"kernels", "check", "/proc/self/mem"},
                                                  {"review", "import", "/proc/self/mem"}}) {
        std::vector<std::string> inJson = words;
        inJson.push_back("--json");
        const Answer answer = kloop(inJson);
        EXPECT_EQ(answer.code, 4) << words[0] << answer.err;
        EXPECT_EQ(answer.json()["error"]["code"], "bad-input") << words[0];
        EXPECT_EQ(answer.json()["error"]["where"], words.back()) << words[0];
        EXPECT_EQ(kloop(words).out, "") << words[0];
    }
}

TEST(Explain, ADefectIsAnErrorInJsonToo)
{
    testing::internal::CaptureStdout();
    EXPECT_EQ(cli::explain(std::runtime_error("thrown"), true), 6);
    const Json answer = Json::parse(testing::internal::GetCapturedStdout());
    EXPECT_EQ(answer["error"]["code"], "internal");
    EXPECT_EQ(answer["error"]["message"], "thrown");
    testing::internal::CaptureStdout();
    EXPECT_EQ(cli::explain(std::runtime_error("thrown"), false), 6);
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST_F(CommandLine, JsonIsAskedForBeforeTheProgram)
{
    const auto asks = [](std::vector<const char*> words) { return cli::asksForJson(static_cast<int>(words.size()), words.data()); };
    EXPECT_TRUE(asks({"kloop", "db", "--json", "info"}));
    EXPECT_FALSE(asks({"kloop", "profile", "--", "x", "--json"}));
    EXPECT_FALSE(asks({"kloop"}));
    EXPECT_FALSE(asks({}));
}

} // namespace
} // namespace kl::test
