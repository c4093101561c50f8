// SPDX-License-Identifier: MIT
#include "kloop.h"
#include "tests/support/build_folder.h"

#include <algorithm>
#include <random>
#include <sstream>
#include <sys/stat.h>

namespace kl::test {
namespace {

using testing::HasSubstr;

class Sessions : public Kloop {
protected:
    Answer run(const std::vector<std::string>& words) const { return kloop(words, "XDG_DATA_HOME='" + file("data") + "'"); }
    Answer sample(std::vector<std::string> words) const
    {
        words.insert(words.end(), {"--on", "sample", "--json"});
        return run(words);
    }
    Json opened(const std::string& kind = "optimize", const std::string& kernel = "transpose") const
    {
        const Answer answer = sample({"session", "new", "N", "Make it fast", "--kind", kind, "--kernel", kernel});
        EXPECT_EQ(answer.code, 0) << answer.err;
        return answer.json();
    }
    /// An argv of an answer, as the caller runs it: without the program's name, inputs filled in.
    static std::vector<std::string> argumentsFor(const Json& action, const std::map<std::string, std::string>& wishes = {})
    {
        auto words = action["argv"].get<std::vector<std::string>>();
        EXPECT_EQ(words.front(), "kloop");
        words.erase(words.begin());
        for (const Json& input : action["inputs"]) {
            const std::string placeholder = input["placeholder"];
            const auto wish = wishes.find(placeholder);
            std::string value = "said by a script";
            if (wish != wishes.end())
                value = wish->second;
            else if (!input["choices"].empty())
                value = input["choices"][0];
            for (std::string& word : words)
                if (word == placeholder)
                    word = value;
        }
        return words;
    }
    Json toTheEnd(Json view) const
    {
        for (int steps = 0; view["phase"] != "done" && steps < 60; ++steps) {
            EXPECT_FALSE(view["next"].empty());
            const Answer answer = run(argumentsFor(view["next"][0]));
            EXPECT_FALSE(answer.json().contains("error")) << answer.out;
            view = answer.json();
        }
        EXPECT_EQ(view["phase"], "done");
        return view;
    }
    Answer refused(const std::vector<std::string>& words, const std::string& rule) const
    {
        const Answer answer = sample(words);
        EXPECT_EQ(answer.code, 1) << answer.out;
        const Json json = answer.json();
        EXPECT_EQ(json["error"]["code"], "refused");
        EXPECT_EQ(json["error"]["where"], rule) << json["error"]["message"];
        const std::string hint = json["error"]["hint"];
        EXPECT_NE(hint, "") << "the way forward";
        EXPECT_TRUE(hint.find("kloop session ") == std::string::npos || hint.find("--session ") != std::string::npos) << hint;
        return answer;
    }
};

TEST_F(Sessions, AnAssistantWithNothingButTheAnswersCompletesABaselineAndAnOptimizeSession)
{
    KL_NEEDS_SAMPLE();
    for (const auto& [kind, outcome] : {std::pair{"baseline", "baseline measured"}, std::pair{"optimize", "kept"}}) {
        const Json listed = sample({"session", "list"}).json();
        Json view;
        for (const Json& action : listed["next"])
            if (action["action"] == "new")
                view = run(argumentsFor(action, {{"KIND", kind}, {"KERNEL", "transpose"}})).json();
        ASSERT_TRUE(view.contains("session")) << view;
        EXPECT_EQ(view["kind"], kind);
        view = toTheEnd(view);
        EXPECT_EQ(view["outcome"], outcome);
        EXPECT_TRUE(view["next"].empty());
        EXPECT_EQ(view["afterwards"][1]["action"], "new");
    }
}

TEST_F(Sessions, EveryActionThatIsOfferedIsAllowed)
{
    KL_NEEDS_SAMPLE();
    std::mt19937 random(7);
    for (const char* kind : {"optimize", "debug"}) {
        Json view = sample({"session", "new", kind, "Wander", "--kind", kind, "--kernel", "transpose"}).json();
        for (int steps = 0; view["phase"] != "done" && steps < 25; ++steps) {
            std::vector<Json> offered;
            for (const Json& action : view["next"])
                if (action["enabled"].get<bool>())
                    offered.push_back(action);
            ASSERT_FALSE(offered.empty());
            const Json& chosen = offered[random() % offered.size()];
            const Answer answer = run(argumentsFor(chosen));
            ASSERT_FALSE(answer.json().contains("error")) << chosen << answer.out;
            view = answer.json();
        }
        toTheEnd(view);
    }
}

TEST_F(Sessions, AnExpertAndADebugSessionEndOnTheSample)
{
    KL_NEEDS_SAMPLE();
    EXPECT_EQ(toTheEnd(opened("expert"))["outcome"], "kept");
    const Json debug = sample({"session", "new", "D", "Look for a wrong size", "--kind", "debug", "--kernel", "transpose/naive"}).json();
    const Json end = toTheEnd(debug);
    EXPECT_EQ(end["outcome"], "nothing to fix");
    EXPECT_NE(end["iterations"][0]["seen"], "");
}

/// A fault on purpose, what fixes it, and what compute-sanitizer says about it: its words, or only the tools that found nothing.
struct RecordedFault {
    const char* faulty;
    const char* fix;
    const char* found;
};

TEST_F(Sessions, EachRecordedFaultIsDebuggedToItsFix)
{
    KL_NEEDS_SAMPLE();
    for (const RecordedFault& fault :
         {RecordedFault{"matvec/modulo-index", "matvec/full-index", "memcheck, racecheck, initcheck, synccheck"},
          RecordedFault{"matvec/missing-barrier", "matvec/barrier", "racecheck: Potential RAW hazard in __shared__ memory"},
          RecordedFault{"matvec/missing-row-check", "matvec/row-check", "memcheck: Invalid __global__ read"},
          RecordedFault{"matvec/uninitialized-sum", "matvec/initialized-sum", "initcheck: Uninitialized __global__ memory read"},
          RecordedFault{"matvec/wrong-stride", "matvec/row-stride", "memcheck: Invalid __global__ read"}}) {
        const Json end = toTheEnd(
            sample({"session", "new", std::string(fault.fix).substr(7), "Find it", "--kind", "debug", "--kernel", fault.faulty}).json());
        EXPECT_EQ(end["outcome"], "kept") << fault.faulty;
        EXPECT_EQ(end["candidate"], fault.fix);
        EXPECT_FALSE(end["failing_problem"].is_null());
        EXPECT_THAT(end["iterations"][0]["sanitizer"].get<std::string>(), HasSubstr(fault.found)) << fault.faulty;
        for (const Json& gate : end["gates"])
            EXPECT_EQ(gate["result"], "pass") << fault.faulty << ' ' << gate["id"];
    }
}

TEST_F(Sessions, WhatARecordingOfAFaultLacksIsSaidBefore)
{
    KL_NEEDS_SAMPLE();
    const auto preview = [&](const char* kernel) {
        return sample({"session", "new", "P", "Debug it", "--kind", "debug", "--kernel", kernel, "--preview"}).json();
    };
    for (const char* whole : {"modulo-index", "missing-barrier", "missing-row-check", "uninitialized-sum", "wrong-stride"})
        EXPECT_TRUE(preview((std::string("matvec/") + whole).c_str())["caveats"].empty()) << whole;
    EXPECT_EQ(preview("matvec/missing-bounds")["caveats"].size(), 1U) << "no size shows it";
}

TEST_F(Sessions, TheStandardSizeOfTheDocumentsIsRecordedInFull)
{
    KL_NEEDS_SAMPLE();
    const std::string size = "B=2,H=8,S=128,D=64,CAUSAL=0";
    const std::vector<std::string> open{"session", "new", "S", "Make it fast", "--kernel", "attention/unfused", "--problem", size};
    EXPECT_EQ(toTheEnd(sample(open).json())["outcome"], "kept");
    const Answer run = sample({"run", "attention/fused", "--problem", size, "--suite"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_TRUE(run.json()["correctness"]["mean_abs"].is_number());
    EXPECT_TRUE(run.json()["baseline"]["memory_bytes"].is_number());
    EXPECT_EQ(sample({"baselines", "attention", "--problem", size}).code, 0);
    EXPECT_EQ(sample({"ab", "attention/serial", "attention/fused", "--problem", size}).code, 0);
}

// Each rule, and a command that tries to break it.

TEST_F(Sessions, RulesOfOrderHold)
{
    KL_NEEDS_SAMPLE();
    opened();
    ASSERT_EQ(run({"session", "step", "--json"}).code, 0); // environment
    const Answer early = refused({"session", "act", "measure-baseline"}, "smallest-first");
    EXPECT_EQ(early.json()["next"][0]["action"], "verify-smallest") << "the allowed actions come with the refusal";
    refused({"session", "profile"}, "baseline-first");
    ASSERT_EQ(run({"session", "step", "--json"}).code, 0); // smallest
    ASSERT_EQ(run({"session", "step", "--json"}).code, 0); // baseline
    refused({"session", "fix", "transpose/tiled"}, "stop-below-half");
    refused({"session", "keep"}, "profile-before-optimizing");
    ASSERT_EQ(run({"session", "step", "--json"}).code, 0); // profile
    refused({"session", "fix", "transpose/padded"}, "one-variable");
    ASSERT_EQ(run({"session", "fix", "transpose/tiled", "--json"}).code, 0);
    refused({"session", "fix", "transpose/tiled"}, "one-variable");
    refused({"session", "evaluate"}, "correctness-first");
    refused({"session", "keep"}, "correctness-first");
    const Json view = run({"session", "show", "--json"}).json();
    EXPECT_EQ(view["refusals"], 8);
}

TEST_F(Sessions, SharedMemoryIsComputedBeforeAnythingCompiles)
{
    KL_NEEDS_SAMPLE();
    write("big.cu", "extern \"C\" __global__ void big(const float* in, float* out, int n)\n{\n    extern __shared__ float tile[];\n"
                    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    tile[threadIdx.x] = i < n ? in[i] : 0;\n"
                    "    if (i < n)\n        out[i] = tile[threadIdx.x];\n}\n");
    Answer made = run({"new-kernel", "big", "--dir", file("big"), "--json"});
    ASSERT_EQ(made.code, 0) << made.err;
    const std::string descriptor = file("big/kernel.json");
    std::string text = read("big/kernel.json");
    const auto block = text.find("\"block\"");
    ASSERT_NE(block, std::string::npos);
    write("big/kernel.json", text.insert(block, "\"dynamic_smem\": \"300*1024\", "));
    refused({"session", "new", "N", "Too much", "--kernel", descriptor}, "shared-memory-first");
    EXPECT_TRUE(sample({"session", "list"}).json()["sessions"].empty());
}

TEST_F(Sessions, SilenceIsReportedWithTheDevicesState)
{
    useWorker(R"(
echo '{"event":"hello","protocol":1,"version":"test","devices":[{"uuid":"GPU-fake","name":"Fake","cc_major":9}],"unavailable":null}'
while read -r line; do
    id=${line#*\"id\":}; id=${id%%,*}
    case "$line" in
    *'"verb":"env"'*)
     sleep 1
     echo "{\"event\":\"result\",\"id\":$id,\"body\":{\"checks\":[{\"id\":\"gpu\",\"requirement\":\"required\",\"result\":\"pass\",\"found\":\"Fake\",\"why\":\"w\",\"fix\":\"\"}]}}" ;;
    *'"verb":"shutdown"'*) exit 0 ;;
    esac
done
)");
    std::filesystem::create_directories(file("data/kernelloop/templates"));
    std::ifstream in(KL_SOURCE_DIR "/sessions/templates/baseline.json");
    std::string text{std::istreambuf_iterator<char>(in), {}};
    for (const auto& [from, to] : {std::pair<std::string, std::string>{"\"kind\": \"baseline\"", "\"kind\": \"nervous\""},
                                   std::pair<std::string, std::string>{"\"silence_timeout_s\": 60", "\"silence_timeout_s\": 0.1"}})
        text.replace(text.find(from), from.size(), to);
    write("data/kernelloop/templates/nervous.json", text);
    const Answer kinds = run({"session", "kinds", "--json"});
    EXPECT_EQ(kinds.json()["kinds"][5]["kind"], "nervous");
    EXPECT_EQ(kinds.json()["kinds"][5]["error"], nullptr);
    ASSERT_EQ(run({"session", "new", "N", "Listen", "--kind", "nervous", "--kernel", "copy", "--json"}).code, 0);
    const Answer answer = run({"session", "step", "--json"});
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_THAT(answer.err, HasSubstr("kloop: "));
    EXPECT_THAT(answer.err, HasSubstr("Fake"));
    EXPECT_FALSE(answer.json()["stalls"].empty()) << "kept with the session";
}

TEST_F(Sessions, AWaiverNeedsWordsThatAreNoPlaceholder)
{
    KL_NEEDS_SAMPLE();
    opened();
    EXPECT_EQ(sample({"session", "waive", "G1", "--reason", "REASON"}).code, 2);
    EXPECT_EQ(sample({"session", "waive", "G7", "--reason", "why not"}).code, 4);
    const Json waived = sample({"session", "waive", "G1", "--reason", "checked by hand"}).json();
    EXPECT_EQ(waived["gates"][0]["progress"], "waived");
    EXPECT_EQ(waived["gates"][0]["waived_reason"], "checked by hand");
    ASSERT_EQ(run({"session", "report", "N", "--md", file("report.md")}).code, 0);
    EXPECT_THAT(read("report.md"), HasSubstr("checked by hand"));
}

TEST_F(Sessions, ClaimsOptionsAndResume)
{
    KL_NEEDS_SAMPLE();
    ASSERT_EQ(
        sample({"session", "new", "N", "Test a claim", "--kernel", "transpose", "--claim", "source=a blog,figure=2x", "--cumulative"}).code,
        0);
    EXPECT_EQ(sample({"session", "claim", "figure=2x"}).code, 2);
    const Json claimed = sample({"session", "claim", "source=the README,figure=10 us"}).json();
    ASSERT_EQ(claimed["claims"].size(), 2U);
    const Json unmeasured = claimed["claims"][0];
    EXPECT_EQ(unmeasured["measured"], "");
    EXPECT_EQ(unmeasured["evidence"], "");
    EXPECT_TRUE(unmeasured["reached"].is_null());
    EXPECT_EQ(claimed["options"]["cumulative"], true);
    EXPECT_EQ(sample({"session", "option", "cumulative", "off"}).json()["options"]["cumulative"], false);
    EXPECT_EQ(sample({"session", "option", "turbo", "on"}).code, 2);
    for (int i = 0; i < 3; ++i)
        ASSERT_EQ(run({"session", "step", "--json"}).code, 0);
    const Json shown = run({"session", "show", "--json"}).json();
    EXPECT_NE(shown["claims"][0]["measured"], "");
    EXPECT_NE(shown["claims"][0]["verdict"], unmeasured["verdict"]);
    const Json resumed = run({"session", "resume", "N", "--json"}).json();
    EXPECT_EQ(resumed["phase"], shown["phase"]);
    EXPECT_EQ(resumed["next"], shown["next"]);
    EXPECT_EQ(resumed["events"].back()["type"], "resumed");
}

TEST_F(Sessions, ABatchReadsRequestsAndAnswersEachInALine)
{
    KL_NEEDS_SAMPLE();
    write(
        "requests",
        R"({"verb": "new", "name": "N", "objective": "by batch", "kind": "baseline", "kernel": "transpose", "claims": [{"source": "s", "figure": "2x"}]}
{"verb": "act", "action": "measure-baseline"}
{"verb": "step"}

{"verb": "dance"}
not json
{"verb": "note", "text": "seen"}
{"verb": "gate", "gate": "G1"}
{"verb": "kinds"}
)");
    const std::string line = "KERNELLOOP_WORKER='" + file("worker.sh") + "' KERNELLOOP_DB='" + file("test.db") + "' '" +
                             test::buildFolder() + "/bin/kloop' session batch --on sample --json <'" + file("requests") + "' >'" +
                             file("answers") + "'";
    const int status = std::system(line.c_str());
    EXPECT_EQ(WEXITSTATUS(status), 0) << "of the last request";
    std::istringstream in(read("answers"));
    std::vector<Json> answers;
    for (std::string text; std::getline(in, text);)
        answers.push_back(*parseJson(text, "an answer"));
    ASSERT_EQ(answers.size(), 8U);
    EXPECT_EQ(answers[0]["claims"][0]["source"], "s");
    EXPECT_EQ(answers[1]["error"]["where"], "G1");
    EXPECT_EQ(answers[1]["exit_code"], 1);
    EXPECT_EQ(answers[1]["next"][0]["action"], "check-environment");
    EXPECT_EQ(answers[2]["phase"], "baseline");
    EXPECT_EQ(answers[3]["exit_code"], 2);
    EXPECT_EQ(answers[4]["error"]["code"], "bad-input");
    EXPECT_EQ(answers[4]["exit_code"], 4);
    EXPECT_EQ(answers[5]["notes"][0], "seen");
    EXPECT_EQ(answers[6]["gate"]["id"], "G1");
    EXPECT_EQ(answers[7]["kinds"].size(), 5U);
}

TEST_F(Sessions, ABudgetThatIsUsedUpIsWarnedOfInEveryAnswer)
{
    KL_NEEDS_SAMPLE();
    const Answer opened = kloop({"session", "new", "N", "money", "--kernel", "transpose", "--on", "sample", "--json"});
    EXPECT_EQ(opened.json()["warnings"], Json::array());
    ASSERT_EQ(kloop({"cost", "add", "--assistant", "6"}).code, 0);
    const Json stepped = kloop({"session", "step", "--json"}).json();
    ASSERT_EQ(stepped["warnings"].size(), 1U);
    EXPECT_EQ(stepped["warnings"][0]["code"], "over-cost");
    EXPECT_EQ(stepped["warnings"][0]["command"], "kloop cost");
    const std::string text = stepped["warnings"][0]["text"];
    EXPECT_THAT(kloop({"session", "show"}).out, HasSubstr(text.substr(0, text.size() - 1) + ": kloop cost")); // in place of the period
}

TEST_F(Sessions, AreReadBeforeDuringAndAfter)
{
    const Json preview = sample({"session", "new", "N", "Debug it", "--kind", "debug", "--kernel", "softmax", "--preview"}).json();
    EXPECT_EQ(preview["schema"], "kernelloop.session-preview/1");
    EXPECT_FALSE(preview["missing"].is_null()) << "its suite is not recorded on the smallest size";
    const Json first = opened();
    const Json ticked = run({"session", "checklist", "--tick", "git-history", "--note", "3f2c81a works", "--json"}).json();
    EXPECT_EQ(ticked["schema"], "kernelloop.checklist/1");
    bool noted = false;
    for (const Json& item : ticked["checklist"])
        noted = noted || (item["id"] == "git-history" && item["state"] == "done" && item["by_note"] == true);
    EXPECT_TRUE(noted);
    const Json written = run({"session", "write", "--next", "Pad the tile", "--to-roadmap", "--json"}).json();
    EXPECT_TRUE(written.contains("roadmap_step"));
    EXPECT_EQ(sample({"session", "new", "M", "Again", "--kernel", "transpose/tiled", "--budget", "60"}).json()["budget_minutes"], 60);
    const Json pair = run({"session", "compare", "N", "M", "--json"}).json();
    EXPECT_EQ(pair["schema"], "kernelloop.session-compare/1");
    EXPECT_EQ(pair["a"]["session"], first["session"]);
    EXPECT_EQ(run({"session", "compare", "N", "N"}).code, 4);
}

TEST_F(Sessions, OnlyAnEditCanBeKeptWithACommit)
{
    KL_NEEDS_SAMPLE();
    opened();
    while (run({"session", "show", "N", "--json"}).json()["next"][0]["action"] != "keep")
        ASSERT_EQ(run({"session", "step", "--session", "N"}).code, 0);
    const Answer refused = run({"session", "keep", "--session", "N", "--git", "--json"});
    EXPECT_EQ(refused.code, 4);
    EXPECT_EQ(refused.json()["error"]["where"], "--git");
    EXPECT_EQ(run({"session", "show", "N", "--json"}).json()["phase"], "evaluate");
    EXPECT_EQ(run({"session", "keep", "--session", "N", "--no-git", "--json"}).json()["phase"], "document");
}

TEST_F(Sessions, WhatIsNoFileAmongOnesOwnKindsCannotBeUsed)
{
    std::filesystem::create_directories(file("data/kernelloop/templates/folder.json"));
    ASSERT_EQ(::mkfifo(file("data/kernelloop/templates/pipe.json").c_str(), 0600), 0);
    const Answer kinds = run({"session", "kinds", "--json"});
    ASSERT_EQ(kinds.code, 0) << kinds.err;
    const Json rows = kinds.json()["kinds"];
    ASSERT_EQ(rows.size(), 7U);
    for (std::size_t i = 0; i < rows.size(); ++i)
        EXPECT_EQ(rows[i]["error"].is_null(), i < 5) << rows[i];
    EXPECT_EQ(run({"session", "list"}).code, 0);
}

TEST_F(Sessions, ABatchRefusesMembersThatItsVerbDoesNotTake)
{
    KL_NEEDS_SAMPLE();
    opened();
    write("requests", R"({"verb": "step", "session": 5}
{"verb": "new", "name": 7, "objective": "o", "kernel": "transpose"}
{"verb": "new", "name": "B", "objective": "o", "kernel": "transpose", "budget": "x"}
{"verb": "new", "name": "C", "objective": "o", "kernel": "transpose", "budgets": 20}
{"verb": "new", "name": "D", "objective": "o", "kernel": "transpose", "claims": [{"source": "s", "figure": 2}]}
{"verb": "option", "name": "cumulative", "value": "on"}
{"verb": "keep", "argument": "now"}
{"verb": "list", "session": "N"}
{"verb": 5}
{"verb": "show", "session": null}
)");
    const Answer answer =
        kloop({"session", "batch", "--on", "sample", "--json"}, "XDG_DATA_HOME='" + file("data") + "'", "<" + quoted(file("requests")));
    std::istringstream in(answer.out);
    std::vector<Json> answers;
    for (std::string text; std::getline(in, text);)
        answers.push_back(*parseJson(text, "an answer"));
    ASSERT_EQ(answers.size(), 10U) << answer.err;
    const char* const members[] = {"session", "name", "budget", "budgets", "figure", "value", "argument", "session", "verb"};
    for (std::size_t i = 0; i < std::size(members); ++i) {
        EXPECT_EQ(answers[i]["exit_code"], 2) << answers[i];
        EXPECT_THAT(answers[i]["error"]["message"].get<std::string>(), HasSubstr('"' + std::string(members[i]) + '"'));
    }
    EXPECT_EQ(answers[9]["events"].size(), 1U) << "nothing was done";
    EXPECT_EQ(run({"session", "list", "--json"}).json()["sessions"].size(), 1U);
}

TEST_F(Sessions, OfAFinishedSessionNothingWaitsAndCommandsKeepItsDatabase)
{
    KL_NEEDS_SAMPLE();
    const Json list = run({"session", "list", "--db", ":sample:", "--json"}).json();
    bool failed = false;
    for (const Json& row : list["sessions"]) {
        if (row["phase"] != "done" || row["kind"] == "sample")
            continue;
        const Json shown = run({"session", "show", row["id"], "--db", ":sample:", "--json"}).json();
        for (const Json& gate : shown["gates"]) {
            EXPECT_NE(gate["progress"], "running") << row["name"] << gate["id"];
            failed = failed || (gate["id"] == "G5" && gate["result"] == "fail" && gate["progress"] == "done");
        }
        for (const Json& offer : shown["afterwards"]) {
            const auto argv = offer["argv"].get<std::vector<std::string>>();
            const auto option = std::ranges::find(argv, "--db");
            ASSERT_LT(option + 1, argv.end()) << offer;
            EXPECT_EQ(option[1], ":sample:");
        }
        EXPECT_THAT(run({"session", "show", row["id"], "--db", ":sample:"}).out, HasSubstr(" --db :sample:"));
        const Answer refused = run({"session", "step", "--session", row["id"], "--db", ":sample:", "--json"});
        const Json steps = refused.json()["error"]["next_steps"];
        for (const Json& step : steps)
            EXPECT_THAT(step["command"].get<std::string>(), HasSubstr(" --db :sample:"));
    }
    EXPECT_TRUE(failed) << "no finished session has a failed G5";
}

} // namespace
} // namespace kl::test
