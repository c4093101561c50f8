// SPDX-License-Identifier: MIT
// The wording of the command line: the help of each command and what it prints on the recorded sample, in tests/snapshots/cli.
#include "../support/fake_compiler.h"
#include "../support/real_reports.h"
#include "../support/snapshot.h"
#include "kloop.h"
#include "tests/support/build_folder.h"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

namespace kl::test {
namespace {

using Words = std::vector<std::string>;

/// A command and what is recorded beside its help.
struct Recorded {
    std::string command;
    std::vector<Words> runs;   ///< "@NAME": a file of the test's folder
    std::vector<Words> before; ///< what these need, unrecorded
};

void PrintTo(const Recorded& one, std::ostream* out)
{
    *out << one.command;
}

const Words kNewSession = {"session", "new", "N", "Coalesce the stores", "--kernel", "transpose", "--on", "sample"};

const std::vector<Recorded> kRecorded = {
    {"ab", {{"ab", "transpose/naive", "transpose/tiled", "--on", "sample"}}, {}},
    {"advise",
     {{"advise", "memory", "--bytes", "4096", "--shared-by", "block", "--reads", "8"},
      {"advise", "launch", "--kernel-us", "5", "--launch-us", "10"}},
     {}},
    {"analyze", {{"analyze", "@three_kernels.ncu-rep", "--kernel", "strided", "--no-store", "--explain"}}, {}},
    {"baselines", {{"baselines"}, {"baselines", "attention", "--on", "sample"}}, {}},
    {"bisect", {{"bisect", "copy/vector", "--good", "HEAD", "--incorrect"}}, {}},
    {"cache", {{"cache", "info"}, {"cache", "clear"}}, {}},
    {"calibrate", {{"calibrate", "transpose/naive", "--on", "sample"}}, {}},
    {"compare",
     {{"compare", "transpose/naive", "transpose/tiled"}},
     {{"run", "transpose/naive", "--on", "sample"}, {"run", "transpose/tiled", "--on", "sample"}}},
    {"compile",
     {{"compile", "attention/fused", "--arch", "sm_89"}, {"compile", "attention/fused@WARPS=4,SPLIT_KV=off", "--all", "--jobs", "2"}},
     {}},
    {"completion", {{"completion", "tcsh"}}, {}},
    {"confusion", {{"confusion", "@three_kernels.ncu-rep"}}, {}},
    {"cost", {{"cost"}, {"cost", "price", "H200"}, {"cost", "rate", "60"}, {"cost", "add"}}, {}},
    {"db", {{"db", "check"}, {"db", "backup", "@copy.db"}}, {{"learn"}}},
    {"decide", {{"decide", "0.1", "0.5"}, {"decide", "x", "1"}}, {}},
    {"env", {{"env", "--on", "sample"}}, {}},
    {"export", {{"export", "copy/vector", "-o", "@out.klb"}}, {}},
    {"sass", {{"sass", "transpose/naive"}}, {{"profile", "transpose/naive", "--on", "sample"}}},
    {"import", {{"import", "@three_kernels.ncu-rep"}}, {}},
    {"kernels", {{"kernels"}, {"kernels", "remove", "mine"}}, {}},
    {"lift", {{"lift", "--kernel", "softmax", "--out", "@here", "--", "/bin/true"}}, {}},
    {"launch", {{"launch"}, {"launch", "transpose/naive", "--on", "sample"}}, {}},
    {"learn", {{"learn"}, {"learn", "rules"}, {"learn", "model"}}, {}},
    {"hosts", {{"hosts", "list"}, {"hosts", "remove", "gpu7"}, {"hosts", "add", "-x"}}, {}},
    {"metrics", {{"metrics"}}, {}},
    {"new-kernel", {{"new-kernel", "mine", "--dir", "@mine"}}, {}},
    {"new-target", {{"new-target", "mine", "--dir", "@mine"}}, {}},
    {"occupancy",
     {{"occupancy", "--threads", "256", "--registers", "64", "--gpu", "H200", "--sweep", "registers"}, {"occupancy", "--threads", "256"}},
     {}},
    {"patterns",
     {{"patterns"},
      {"patterns", "show", "baseline-first"},
      {"patterns", "suggest", "--finding", "bank-conflicts"},
      {"patterns", "roi"},
      {"patterns", "suggest", "--when", "tuesday"}},
     {}},
    {"profile",
     {{"profile", "transpose/naive", "--on", "sample"},
      {"profile", "transpose/naive", "--no-counters", "--on", "sample"},
      {"profile", "transpose/naive", "--chip", "GH100"}},
     {}},
    {"prompt", {{"prompt"}}, {}},
    {"quickref", {{"quickref"}}, {}},
    {"recommend", {{"recommend", "transpose/tiled", "--on", "sample"}}, {}},
    {"record", {{"record", "@capture.zst", "--on", "sample"}}, {}},
    {"rediagnose",
     {{"rediagnose", "transpose/naive", "--dry-run"}, {"rediagnose", "--all"}, {"rediagnose"}},
     {{"profile", "transpose/naive", "--on", "sample"}}},
    {"regress", {{"regress"}, {"regress", "fixed", "transpose/naive"}}, {}},
    {"report", {{"report", "--patterns"}, {"report", "-o", "@report.doc"}}, {kNewSession}},
    {"review", {{"review", "comment", "N", "Looks good", "--on", "G1", "--author", "Ann"}, {"review", "show"}}, {kNewSession}},
    {"roadmap", {{"roadmap"}}, {}},
    {"run", {{"run", "transpose/naive", "--on", "sample"}, {"run", "transpose/naive"}, {"run", "transpose/naive", "--seed", "x"}}, {}},
    {"sanitize", {{"sanitize", "transpose/naive", "--on", "sample"}}, {}},
    {"search", {{"search", "attention/fused", "--on", "sample"}, {"search", "list"}, {"search", "best"}}, {}},
    {"runs",
     {{"runs", "list"}, {"runs", "delete", "transpose/naive"}, {"runs", "tag", "transpose/naive", "keep"}},
     {{"run", "transpose/naive", "--on", "sample"}}},
    {"session", {{"session", "list"}, kNewSession, {"session", "step"}, {"session", "keep"}, {"session", "gate", "G1"}}, {}},
    {"show", {{"show", "transpose/naive"}, {"show", "transpose/naive", "--findings"}}, {{"profile", "transpose/naive", "--on", "sample"}}},
    {"smem", {{"smem", "-M", "128", "-K", "64", "-N", "64"}}, {}},
    {"space",
     {{"space", "attention/fused", "--arch", "sm_89", "--what-if", "A100"},
      {"space", "attention/fused", "--arch", "sm_89", "--point", "BLOCK_M=128,WARPS=4"}},
     {}},
    {"support-bundle", {{"support-bundle", "-o", "@support.txt"}}, {}},
    {"sweep", {{"sweep", "transpose/tiled", "--problem", "M=4096,N=1024..4096 x2", "--on", "sample"}}, {}},
    {"timeline", {{"timeline", "transpose/tiled", "--on", "sample"}}, {}},
    {"tree", {{"tree"}, {"tree", "--names"}}, {}},
    {"trust", {{"trust", "list"}, {"trust", "remove", "abc"}}, {}},
    {"version", {{"version"}}, {}},
    {"watch", {{"watch", "copy/vector"}}, {}}};

/// The first words of the lines below a heading of a help text, up to an empty line.
std::vector<std::string> namesBelow(const std::string& help, const std::string& heading)
{
    std::vector<std::string> names;
    std::istringstream lines(help);
    bool below = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line == heading)
            below = line == heading;
        else if (below)
            names.push_back(line.substr(2, line.find(' ', 2) - 2));
    }
    return names;
}

/// Places, short ids, versions and seconds, which differ from run to run, in the same width; expectSnapshot replaces the rest.
std::string steady(std::string text, const std::string& folder)
{
    for (const auto& [from, to] : {std::pair<std::string, std::string>{folder, "FOLDER/"}, {KL_SOURCE_DIR, "SOURCE"}})
        for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
            text.replace(at, from.size(), to);
    static const std::vector<std::pair<std::regex, const char*>> changes = [] {
        std::vector<std::pair<std::regex, const char*>> made;
        for (const auto& [pattern, fixed] :
             {std::pair{"run:[0-9a-f]{8}(?![-0-9a-f])", "run:00000000"},
              std::pair{"run:[0-9a-f]{8}-[0-9a-f]{4}(?![-0-9a-f])", "run:00000000-0000"},
              std::pair{"kloop [0-9]+\\.[0-9]+\\.[0-9]+", "kloop 0.0.0"},
              std::pair{"\\b(?=[0-9]*[a-f])[0-9a-f]{12}(?![-0-9a-f])", "000000000000"},
              std::pair{"[0-9]+\\.[0-9]+( |\u202f)s\\b", "0.0$1s"}, std::pair{"\\b[0-9]( |\u202f)s\\b", "0$1s"},
              std::pair{"\\b[0-9]{2}( |\u202f)s\\b", " 0$1s"}, std::pair{" +\n", "\n"},
              // versions of CLI11 differ in how they show defaults, and so in columns, and in blank lines
              std::pair{"(TEXT|INT|UINT|FLOAT|\\}|\\])=([^ \n]+)", "$1 [$2]"}, std::pair{"(\n  -[^\n]*?[^ \n])  +([^ \n])", "$1  $2"},
              std::pair{" +(Excludes|Needs):", " $1:"}, std::pair{"\n\n\n+", "\n\n"}, std::pair{"\n+(exit status)", "\n$1"}})
            made.emplace_back(std::regex(pattern), fixed);
        return made;
    }();
    for (const auto& [pattern, fixed] : changes)
        text = std::regex_replace(text, pattern, fixed);
    return text;
}

class Snapshots : public Kloop, public testing::WithParamInterface<Recorded> {
protected:
    Answer ask(const Words& words) const
    {
        Words own = words;
        for (std::string& word : own)
            if (word.starts_with('@'))
                word = file(word.substr(1));
        return kloop(own, "XDG_DATA_HOME=" + quoted(file("data")) + " XDG_CACHE_HOME=" + quoted(file("cache")) +
                              " XDG_CONFIG_HOME=" + quoted(file("config")) + " KERNELLOOP_NVDISASM=/no/nvdisasm");
    }
    std::string recorded(const Words& words) const
    {
        const Answer answer = ask(words);
        std::string line = "$ kloop";
        for (const std::string& word : words)
            line += ' ' + (word.find(' ') == std::string::npos ? word : '"' + word + '"');
        return steady(line + '\n' + answer.out + answer.err + "exit status " + std::to_string(answer.code) + "\n\n", file(""));
    }
    /// The help of a command and of those below it.
    std::string collectHelp(Words words) const
    {
        words.emplace_back("--help");
        const std::string help = ask(words).out;
        std::string text = recorded(words);
        words.pop_back();
        for (const std::string& name : namesBelow(help, "Subcommands:")) {
            words.push_back(name);
            text += collectHelp(words);
            words.pop_back();
        }
        return text;
    }
};

TEST_P(Snapshots, HelpAndAnswers)
{
    KL_NEEDS_SAMPLE();
    if (GetParam().command == "compile")
        useWorker(kFakeCompiler);
    if (GetParam().command == "lift" && !std::filesystem::exists(test::buildFolder() + "/lib/libkloop-inject.so"))
        GTEST_SKIP() << "libkloop-inject.so is not built here";
    write("three_kernels.ncu-rep", ncuData("three_kernels.ncu-rep"));
    std::string text = collectHelp({GetParam().command});
    for (const Words& words : GetParam().before)
        ASSERT_EQ(ask(words).code, 0) << testing::PrintToString(words);
    for (const Words& words : GetParam().runs)
        text += recorded(words);
    expectSnapshot("cli/" + GetParam().command + ".txt", text);
}

INSTANTIATE_TEST_SUITE_P(All, Snapshots, testing::ValuesIn(kRecorded), [](const auto& one) {
    std::string name = one.param.command;
    std::ranges::replace(name, '-', '_');
    return name;
});

class SnapshotOfKloop : public Kloop {};

TEST_F(SnapshotOfKloop, HelpListsEveryCommandAndEachIsRecorded)
{
    const std::string help = kloop({"--help"}).out;
    expectSnapshot("cli/kloop.txt",
                   steady(help.substr(0, help.find_last_not_of('\n') + 1), file(""))); // CLI11 2.3 ends it with a blank line
    std::set<std::string> listed;
    for (const char* group : {"Measure:", "Diagnose:", "Improve:", "Search:", "History:", "Machine:"})
        for (const std::string& name : namesBelow(help, group))
            EXPECT_TRUE(listed.insert(name).second) << name;
    std::set<std::string> known;
    for (const Recorded& one : kRecorded)
        known.insert(one.command);
    EXPECT_EQ(listed, known) << "give a new command a row in kRecorded";
}

} // namespace
} // namespace kl::test
