// SPDX-License-Identifier: MIT
// What the commands of searches and the calculators print: each figure below its heading, and the same as with --json.
#include "app/kloop/search/render_compile.h"
#include "app/kloop/search/search_best.h"
#include "app/kloop/search/simulate.h"
#include "core/device/device_table.h"
#include "kloop.h"
#include "sessions/store/search_records.h"
#include "tests/support/snapshot.h"
#include "tests/support/store_support.h"
#include "text_rows.h"

#include <fmt/format.h>
#include <set>

namespace kl::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;
using testing::StrEq;
using Words = std::vector<std::string>;

class SearchText : public AskedKloop {};

SearchRecord makeRecord(const std::string& id, const std::string& at)
{
    SearchRecord record;
    record.id = id;
    record.startedAt = at;
    record.state = SearchStage::finished;
    record.device = "NVIDIA H200";
    record.kernel = "attention/fused";
    record.problem = "B=2,CAUSAL=0,D=64,H=8,S=512";
    record.strategy = "portfolio";
    record.seconds = 2;
    record.trials = {{.tunables = "BLOCK_M=64", .ns = 3000, .at = 0.5},
                     {.tunables = "BLOCK_M=128", .why = "it does not run", .at = 0.75},
                     {.tunables = "BLOCK_M=32", .ns = 1000, .at = 1.25, .facts = {{"registers", 128}, {"occupancy", 50}}},
                     {.tunables = "BLOCK_M=16", .ns = 2000, .at = 1.5}};
    SearchBest best;
    best.kernel = "attention/fused@BLOCK_M=32";
    best.tunables = "BLOCK_M=32";
    best.ns = 1000;
    best.run = "0123456789abcdef";
    record.best = best;
    return record;
}

class SearchesText : public SearchText {
protected:
    void save(const SearchRecord& record) const
    {
        const auto store = support::openStore(file("test.db"));
        const auto& [name, content] = makeArtifact(record);
        ASSERT_TRUE(store->saveArtifact(name, content).ok());
    }
    /// The rows about the best point's speedup over SDPA, where it was confirmed so.
    std::vector<std::string> confirmedAs(SearchRecord record, TargetVerdict verdict) const
    {
        record.best->confirmed->verdict = verdict;
        save(record);
        std::vector<std::string> found;
        for (const std::string& row : rows({"search", "best"}))
            if (row.find(" SDPA: ") != std::string::npos)
                found.push_back(row);
        return found;
    }
};

TEST_F(SearchesText, TheListHasARowForEach)
{
    save(makeRecord("aaaaaaaa-1111-7000-8000-000000000001", "2026-01-01T10:20:30.000Z"));
    SearchRecord open = makeRecord("bbbbbbbb-2222-7000-8000-000000000002", "2026-01-02T10:20:30.000Z");
    open.best.reset();
    open.state = SearchStage::stopped;
    save(open);
    EXPECT_THAT(
        rows({"search", "list"}),
        ElementsAre(StartsWith("Search | "),
                    "bbbbbbbb-2222 | 2026-01-02T10:20 | attention/fused | B=2,CAUSAL=0,D=64,H=8,S=512 | NVIDIA H200 | portfolio | 4 | "
                    "– | stopped",
                    "aaaaaaaa-1111 | 2026-01-01T10:20 | attention/fused | B=2,CAUSAL=0,D=64,H=8,S=512 | NVIDIA H200 | portfolio | 4 | "
                    "1 µs"));
    const Json list = json({"search", "list"})["searches"];
    EXPECT_EQ(list[0]["measured"], 4);
    EXPECT_EQ(list[0]["state"], "stopped");
    for (const char* long_ : {"trials", "rejected", "same_program"})
        EXPECT_FALSE(list[0].contains(long_)) << long_;
    EXPECT_THAT(json({"search", "list", "attention"})["searches"], SizeIs(2));
    EXPECT_THAT(json({"search", "list", "attention/fused"})["searches"], SizeIs(2));
    EXPECT_THAT(json({"search", "list", "transpose"})["searches"], SizeIs(0));
}

TEST_F(SearchesText, OneIsShownWithItsFastestPointsFirst)
{
    SearchRecord record = makeRecord("aaaaaaaa-1111-7000-8000-000000000001", "2026-01-01T10:20:30.000Z");
    record.left = 7;
    record.references = {{.gpu = "GPU-1", .host = "node7", .ns = 5000, .noise = 0.01, .clockMhz = 1755}};
    save(record);
    EXPECT_THAT(rows({"search", "show", "aaaa"}),
                ElementsAre(AllOf(StartsWith("attention/fused "), EndsWith(" B=2,CAUSAL=0,D=64,H=8,S=512 on NVIDIA H200")),
                            AllOf(StartsWith("search aaaaaaaa-1111-7000-8000-000000000001 "),
                                  HasSubstr(" 2026-01-01T10:20:30.000Z, portfolio, "), withFigures(EndsWith(" | 4 | 2 s | 7"))),
                            AllOf(StartsWith("GPU-1 (node7) "), withFigures(StrEq("5 µs | 95 % | 1 % | 1755 MHz"))),
                            StartsWith("GPU time | "), "1 | 1 µs | BLOCK_M=32 | 1.25 s | 128 | 50 %",
                            "2 | 2 µs | BLOCK_M=16 | 1.50 s | – | –", "3 | 3 µs | BLOCK_M=64 | 0.50 s | – | –",
                            "4 | – | BLOCK_M=128 | 0.75 s | – | – | it does not run"));
    EXPECT_THAT(rows({"search", "show", "aaaa", "--top", "2"}),
                AllOf(SizeIs(7), Contains(StartsWith("2 | 2 µs")), Contains(withFigures(StrEq("2 | 4 | 4")))));
    EXPECT_EQ(json({"search", "show", "aaaa"})["trials"][2]["point"], "BLOCK_M=32") << "in order of measurement";
    const Json exported = json({"search", "show", "aaaa", "--export", file("search.json")});
    EXPECT_EQ(exported, *parseJson(read("search.json"), "search.json"));
}

TEST_F(SearchesText, TheBestHasItsSpeedupsOverDefaultAndRival)
{
    SearchRecord record = makeRecord("aaaaaaaa-1111-7000-8000-000000000001", "2026-01-01T10:20:30.000Z");
    record.left = 7;
    record.best->overDefault = Ratio{1.5, 1.25, 1.75};
    record.best->finding = "Loads limit it.";
    Confirmation confirmed{.rival = "SDPA",
                           .samples = 100,
                           .blocks = 10,
                           .winnerNs = 1000,
                           .rivalNs = 1300,
                           .student = {1.3, 1.2, 1.4},
                           .bootstrap = {1.3, 1.1, 1.5},
                           .target = 1.1,
                           .verdict = TargetVerdict::met};
    record.best->confirmed = confirmed;
    save(record);
    EXPECT_THAT(rows({"search", "best"}),
                ElementsAre(AllOf(StartsWith("attention/fused "), EndsWith(" B=2,CAUSAL=0,D=64,H=8,S=512 on NVIDIA H200")),
                            "1 µs | BLOCK_M=32", withFigures(StrEq("1.50× | 1.25× | 1.75×")),
                            AllOf(HasSubstr(" SDPA: "), withFigures(StrEq("1.30× | 1.20× | 1.40× | 1.10× | 1.50× | 100 | 1.10×"))),
                            EndsWith(": Loads limit it."),
                            AllOf(StartsWith("search aaaaaaaa-1111 "), HasSubstr(" 2026-01-01T10:20:30.000Z, portfolio, 4 "),
                                  HasSubstr(" 7 "), EndsWith("; run 0123456789abc")),
                            StartsWith("STALE: ")));
    record.best->joules = 0.5;
    std::set<std::string> verdicts;
    for (const TargetVerdict verdict : {TargetVerdict::met, TargetVerdict::missed, TargetVerdict::inconclusive}) {
        const std::vector<std::string> shown = confirmedAs(record, verdict);
        ASSERT_THAT(shown, SizeIs(1));
        verdicts.insert(shown[0].substr(shown[0].rfind(": ")));
    }
    EXPECT_THAT(verdicts, SizeIs(3));
    EXPECT_THAT(rows({"search", "best"}), Contains(StartsWith("500 mJ ")));
    record.best->confirmed->verdict = TargetVerdict::noRival;
    record.best->overDefault.reset();
    save(record);
    EXPECT_THAT(rows({"search", "best"}), Not(Contains(HasSubstr("×"))));
    const Json best = json({"search", "best"})["best"][0];
    EXPECT_FALSE(best["stale"].is_null());
    EXPECT_EQ(kloop({"search", "best", "--device", "H200"}).code, 0);
    EXPECT_EQ(kloop({"search", "best", "--device", "A100"}).code, 4);
    EXPECT_EQ(kloop({"search", "transfer", "attention/fused"}).code, 4) << "the source has changed since";
}

TEST_F(SearchesText, VerdictsOnTheBestSnapshot)
{
    SearchRecord record = makeRecord("aaaaaaaa-1111-7000-8000-000000000001", "2026-01-01T10:20:30.000Z");
    record.best->confirmed = Confirmation{.rival = "SDPA",
                                          .samples = 100,
                                          .blocks = 10,
                                          .winnerNs = 1000,
                                          .rivalNs = 1300,
                                          .student = {1.3, 1.2, 1.4},
                                          .bootstrap = {1.3, 1.1, 1.5},
                                          .target = 1.1};
    std::string text;
    for (const auto& [verdict, name] : {std::pair{TargetVerdict::met, "met"}, std::pair{TargetVerdict::missed, "missed"},
                                        std::pair{TargetVerdict::inconclusive, "inconclusive"}})
        for (const std::string& row : confirmedAs(record, verdict))
            text += std::string(name) + " | " + row + '\n';
    expectSnapshot("cli/search-verdicts.txt", text);
}

TEST(SearchReferenceText, ANoisyGpuIsToldWithoutAClockThatIsNotKnown)
{
    EXPECT_EQ(readFigures(readRows(cli::referenceText({.gpu = "GPU-1", .host = "node7", .ns = 2000, .noise = 0.025}))[0]),
              "2 µs | 95 % | 2.5 %");
}

TEST_F(SearchText, ASpaceIsAFunnelOfItsGates)
{
    const Words words{"space", "attention/fused@WARPS=4,HALF2=on,UNROLL=full,SPLIT_KV=off", "--what-if", "L40S"};
    Words listed = words;
    listed.insert(listed.end(), {"--list", "survivors"});
    const Json answer = json(listed);
    const std::vector<std::string> text = rows(listed);
    EXPECT_THAT(text[0], AllOf(StartsWith("attention/fused "), EndsWith(" B=2,CAUSAL=0,D=64,H=8,S=512 on sm_90")));
    EXPECT_THAT(text[2], HasSubstr(" | 108 | ██"));
    std::string rejected;
    ASSERT_THAT(answer["gates"], SizeIs(6));
    for (std::size_t i = 0; i < 6; ++i) {
        const Json& gate = answer["gates"][i];
        EXPECT_THAT(text[3 + i], HasSubstr(fmt::format(" | {} | {} | ", gate["rejected"].get<int>(), gate["left"].get<int>())));
        EXPECT_EQ(std::ranges::count(text[3 + i], '\x88'), gate["left"].get<int>() * 40 / 108) << "the bar's blocks";
        rejected += fmt::format(" | {}", gate["rejected"].get<int>());
    }
    EXPECT_THAT(text[4], HasSubstr(" WARPS=4 ")) << "why the first one was rejected";
    EXPECT_THAT(readFigures(text[9]), StartsWith("48 | 108"));
    EXPECT_EQ(countCells(text[10]), 11);
    EXPECT_THAT(text[11], EndsWith(" | sm_90" + rejected + " | 48"));
    const Json& other = answer["what_if"][0];
    EXPECT_THAT(text[12],
                AllOf(StartsWith("L40S | sm_89 | "), EndsWith(fmt::format(" | {} | {} | {}", other["survivors"].get<int>(),
                                                                          other["lost"].get<int>(), other["gained"].get<int>()))));
    ASSERT_EQ(text.size(), 14 + answer["points"].size());
    ASSERT_THAT(answer["points"], SizeIs(48));
    for (std::size_t i = 0; i < 48; ++i) {
        EXPECT_THAT(text[14 + i], StartsWith(answer["points"][i]["point"].get<std::string>() + " | "));
        EXPECT_EQ(text[14 + i].substr(text[14 + i].rfind(" | ")), text[14].substr(text[14].rfind(" | "))) << "the same of all";
        EXPECT_EQ(countCells(text[14 + i]), 2);
        EXPECT_TRUE(answer["points"][i]["gate"].is_null());
    }
    EXPECT_EQ(answer["problem"], "B=2,CAUSAL=0,D=64,H=8,S=512");
    EXPECT_EQ(answer["min_occupancy"], json({"space", "attention/fused"})["min_occupancy"]);
    EXPECT_EQ(json({"space", "attention/fused", "--min-occupancy", "40"})["min_occupancy"], 40);
}

TEST_F(SearchText, ARejectedPointHasTheGateThatRejectedIt)
{
    const Words words{"space", "attention/fused@WARPS=4,HALF2=on,UNROLL=full,SPLIT_KV=off", "--list", "rejected"};
    const Json answer = json(words);
    const std::vector<std::string> text = rows(words);
    ASSERT_THAT(answer["points"], SizeIs(60));
    ASSERT_EQ(text.size(), 71U);
    for (const std::size_t i : {0U, 59U}) {
        const Json& point = answer["points"][i];
        EXPECT_THAT(text[11 + i],
                    AllOf(StartsWith(point["point"].get<std::string>() + " | "), EndsWith(" | " + point["reason"].get<std::string>())));
    }
    EXPECT_NE(countCells(text[11]), 2) << "the gate between them";
    EXPECT_EQ(answer["points"][0]["gate"], "threads");
    EXPECT_EQ(answer["points"][59]["gate"], "bank-conflicts");
    EXPECT_EQ(answer["points"][59]["value"], 8);
    EXPECT_EQ(answer["points"][59]["limit"], 1);
    const Answer one = kloop({"space", "attention/fused", "--point", "SWIZZLE=none"});
    EXPECT_EQ(one.code, 1);
    const std::vector<std::string> judged = readRows(one.out);
    const auto marked = [&](const char* mark) {
        return std::ranges::count_if(judged, [&](const std::string& row) { return row.starts_with(mark); });
    };
    EXPECT_EQ(marked("✕ | "), 1);
    EXPECT_EQ(marked("✓ | "), 5);
    const Json gates = kloop({"space", "attention/fused", "--point", "SWIZZLE=none", "--json"}).json();
    EXPECT_EQ(gates["arch"], "sm_90");
    EXPECT_EQ(gates["gates"][5]["pass"], false);
    EXPECT_EQ(gates["gates"][5]["judged"], true);
    EXPECT_EQ(gates["gates"][5]["value"], 8);
    EXPECT_EQ(gates["gates"][0]["pass"], true);
}

TEST_F(SearchText, AReplayPrintsItsScoresAndItsCurve)
{
    const std::string space = KL_SOURCE_DIR "/tests/data/search/convolution_part.json.gz";
    const Words words{"search", "--simulate", space, "--repeats", "3", "--trials", "10"};
    const Json answer = json(words);
    const std::vector<std::string> text = rows(words);
    const auto ms = [](const Json& value) { return formatTime(value.get<double>() * 1e6); };
    const auto plain = [](const std::string& figure) { return readRows(figure)[0]; };
    EXPECT_THAT(text[0], StartsWith("convolution_part: "));
    EXPECT_EQ(readFigures(text[0]), "760 | " + plain(ms(answer["optimum_ms"])) + " | " +
                                        plain(formatTime(answer["budget"]["seconds"].get<double>() * 1e9)) + " | " +
                                        answer["budget"]["random_evaluations"].dump() + " | 3");
    EXPECT_EQ(readFigures(text[1]), "95 % | 90 % | 95 % | 99 % | 2 % | 10");
    EXPECT_EQ(text[2],
              fmt::format("portfolio | {:.3f} | [{:.3f}, {:.3f}] | {} | {} | {} | {} | {} of 3", answer["score"]["value"].get<double>(),
                          answer["score"]["low"].get<double>(), answer["score"]["high"].get<double>(),
                          plain(formatPercent(100 * answer["optimum_per_found"].get<double>())), answer["evaluations_to"]["0.90"].dump(),
                          answer["evaluations_to"]["0.95"].dump(), answer["evaluations_to"]["0.99"].dump(),
                          answer["after"]["near"].get<int>()));
    ASSERT_EQ(text.size(), 14U);
    for (const auto& [row, at] : {std::pair{4, 0}, std::pair{13, 99}}) { // the first and the last of the curve
        const Json& point = answer["curve"][static_cast<std::size_t>(at)];
        EXPECT_EQ(text[static_cast<std::size_t>(row)],
                  fmt::format("{} | {} | {} | {:.2f}", plain(formatTime(point["seconds"].get<double>() * 1e9)), plain(ms(point["best_ms"])),
                              plain(ms(point["random_ms"])), point["score"].get<double>()));
    }
    EXPECT_EQ(answer["seed"], 1);
    EXPECT_EQ(answer["after"]["near_optimum"], 1.02);
    EXPECT_GE(answer["curve"][0]["best_ms"], answer["curve"][99]["best_ms"]);
}

TEST_F(SearchText, SeveralReplaysHaveATablePerSpaceAndTheirMean)
{
    const std::string space = KL_SOURCE_DIR "/tests/data/search/convolution_part.json.gz";
    const Words words{"search", "--simulate", space, "--simulate", space, "--strategy", "vndx,random_sample", "--repeats", "2"};
    const std::vector<std::string> text = rows(words);
    ASSERT_EQ(text.size(), 12U);
    EXPECT_EQ(readFigures(text[1]), "95 % | 90 % | 95 % | 99 %") << "without --trials";
    EXPECT_THAT(text[2], StartsWith("vndx | "));
    EXPECT_THAT(text[3], StartsWith("random_sample | "));
    EXPECT_EQ(text[4], text[0]);
    EXPECT_EQ(text[6], text[2]) << "twice the same space";
    EXPECT_EQ(readFigures(text[8]), "2") << "the mean of both";
    const auto score = [](const std::string& row) { return row.substr(0, row.find(']') + 1); };
    EXPECT_EQ(score(text[10]), score(text[2]));
    EXPECT_EQ(score(text[11]), score(text[3]));
}

TEST(StrategyNames, AreTakenOnceEachInTheirOrder)
{
    EXPECT_THAT(cli::strategyNames("tpe,vndx,tpe"), ElementsAre("tpe", "vndx"));
    EXPECT_THAT(cli::strategyNames(""), ElementsAre());
    const std::vector<std::string> all = cli::strategyNames("vndx,all");
    EXPECT_EQ(all.front(), "vndx");
    EXPECT_EQ(std::ranges::count(all, "vndx"), 1);
    EXPECT_EQ(all.size(), cli::strategyNames("all").size());
}

CompiledLaunch compiledLaunch(int registers)
{
    CompiledLaunch launch;
    launch.entry = "main_kernel";
    launch.threads = 256;
    launch.registers = registers;
    launch.stackBytes = 24;
    launch.spillStores = 16;
    launch.spillLoads = 4;
    launch.staticSmem = 512;
    launch.dynamicSmem = 1536;
    launch.barriers = 2;
    for (int i = 0; i < 13; ++i)
        launch.opcodes[fmt::format("op{:02}", i)] = 100 - i;
    for (int line = 1; line <= 6; ++line)
        launch.lines.push_back({line, {{"ld", line}, {"st", 1}}});
    return launch;
}

TEST(RenderCompile, AKernelHasItsResourcesAndItsHottestLinesSnapshot)
{
    const GpuArch arch = *findArch("sm_90");
    BuildManyAnswer answer{"NVRTC 13.0", "sm_90", 1, 1.5, {{"k/plain", true, "sm_90", "", 0.25, false, "c", {compiledLaunch(64)}}}};
    answer.points[0].launches.push_back(compiledLaunch(128));
    answer.points[0].launches[1].entry = "tail";
    testing::internal::CaptureStdout();
    cli::printCompiled(answer, arch);
    const std::string text = testing::internal::GetCapturedStdout();
    EXPECT_THAT(readRows(text)[0], AllOf(StartsWith("k/plain "), HasSubstr(" sm_90 (NVRTC 13.0), "), EndsWith(" 0.25 s")));
    EXPECT_EQ(readRows(text)[2], "main_kernel | 256 | 64 | 24 | 20 | 512 | 1,536 | 50 % | registers");
    EXPECT_EQ(readRows(text)[3], "tail | 256 | 128 | 24 | 20 | 512 | 1,536 | 25 % | registers");
    EXPECT_THAT(readRows(text), Contains(AllOf(StartsWith("main_kernel "), HasSubstr(": op00 100 · op01 99 · "), EndsWith("op11 89 · …"))));
    EXPECT_THAT(findRow(text, "kernel.cu:6"), AllOf(StartsWith("kernel.cu:6: 7 "), EndsWith(" (ld 6 · st 1)")));
    EXPECT_TRUE(lacksRow(text, "kernel.cu:1")) << "five lines, those with most instructions";
    EXPECT_LT(text.find("kernel.cu:6"), text.find("kernel.cu:2"));
    EXPECT_EQ(findRow(text, "NVIDIA H200"), "NVIDIA H200 | sm_90 | 128 | 2 | 25 % | registers") << "the launch that fits least";
    EXPECT_TRUE(lacksRow(text, "NVIDIA L4")) << "code for 9.0 does not run there";
    EXPECT_THAT(text, HasSubstr("--all-gpus"));

    const Json json = cli::compileJson(answer, arch);
    EXPECT_EQ(json["kernel"], "k/plain");
    EXPECT_EQ(json["compiler"], "NVRTC 13.0");
    EXPECT_EQ(json["seconds"], 0.25);
    EXPECT_EQ(json["cached"], false);
    EXPECT_EQ(json["code"], "c");
    const Json& launch = json["launches"][0];
    EXPECT_EQ(launch["entry"], "main_kernel");
    EXPECT_EQ(launch["threads"], 256);
    EXPECT_EQ(launch["local_bytes"], 24);
    EXPECT_EQ(launch["spill_stores"], 16);
    EXPECT_EQ(launch["spill_loads"], 4);
    EXPECT_EQ(launch["static_smem"], 512);
    EXPECT_EQ(launch["dynamic_smem"], 1536);
    EXPECT_EQ(launch["barriers"], 2);
    EXPECT_EQ(launch["occupancy"], Json({{"blocks_per_sm", 4}, {"percent", 50.0}, {"limiter", "registers"}}));
    for (const Json& gpu : json["gpus"])
        if (gpu["gpu"] == "NVIDIA H200") {
            EXPECT_EQ(gpu["registers"], 128);
            EXPECT_EQ(gpu["occupancy"]["percent"], 25);
        }
    answer.points[0].cached = true;
    answer.points.push_back({"k/plain", false, "sm_89", "error: too much\nmore", 0.1, false, "", {}});
    testing::internal::CaptureStdout();
    cli::printCompiled(answer, arch);
    const std::string more = testing::internal::GetCapturedStdout();
    EXPECT_NE(readRows(more)[0], readRows(text)[0]) << "it was compiled earlier";
    EXPECT_THAT(findRow(more, "NVIDIA L4 "), AllOf(StartsWith("NVIDIA L4 | sm_89 | – | – | – | "), EndsWith(": error: too much")));
    expectSnapshot("render/compiled.txt", text + more);
}

TEST(RenderCompile, ASpaceCountsWhatTheCompilerRejectedSnapshot)
{
    SpaceBuild build;
    build.space.kernel = "k/plain";
    build.space.problem = "N=64";
    build.space.total = 40;
    build.arch = "sm_90";
    build.compiler = "NVRTC 13.0";
    build.jobs = 3;
    build.seconds = 12.5;
    const auto add = [&](const std::string& gate, bool cached) {
        CompiledPoint point;
        point.index = build.points.size();
        point.built.ok = gate != "compile";
        point.built.seconds = 0.5;
        point.built.cached = cached;
        point.built.code = "code" + std::to_string(build.points.size());
        point.verdict.pass = gate.empty();
        point.verdict.gate = gate;
        point.verdict.reason = gate.empty() ? "" : "because of " + gate + std::to_string(build.points.size());
        build.points.push_back(point);
    };
    add("", false);
    add("spills", true);
    add("spills", false);
    add("occupancy", false);
    add("", false);
    build.points[4].sameAs = 0;
    testing::internal::CaptureStdout();
    cli::printCompiledSpace(build);
    const std::string whole = testing::internal::GetCapturedStdout();
    expectSnapshot("render/compiled-space.txt", whole);
    const std::vector<std::string> text = readRows(whole);
    EXPECT_THAT(text[0], AllOf(StartsWith("k/plain "), EndsWith(" N=64 on sm_90")));
    EXPECT_EQ(readFigures(text[1]), "5 | 40 | 13.0 | 3 | 12.5 s | 0.50 s | 1");
    EXPECT_THAT(text[3], EndsWith(" | 0"));
    EXPECT_THAT(text[4], EndsWith(" | 2 | because of spills1"));
    EXPECT_THAT(text[5], EndsWith(" | 1 | because of occupancy3"));
    EXPECT_THAT(text[6], EndsWith(" | 2"));
    EXPECT_THAT(text[7], EndsWith(" | 1"));
}

TEST_F(SearchText, OccupancyOfOneGpuHasItsLeversAndSteps)
{
    EXPECT_THAT(rows({"occupancy", "--threads", "256", "--registers", "72", "--gpu", "H200", "--sweep", "registers"}),
                ElementsAre(StartsWith("GPU | "), "NVIDIA H200 | 9.0 | 37.5 % | 3 | registers | 3 | 32 | 8 | 32", "registers 72 → 64: 50 %",
                            "block size 256 → 224: 43.8 %", StartsWith("From | "), "1 | 32 | 100 % | 8 | warps",
                            "33 | 40 | 75 % | 6 | registers", "41 | 48 | 62.5 % | 5 | registers", "49 | 64 | 50 % | 4 | registers",
                            "65 | 80 | 37.5 % | 3 | registers", "81 | 128 | 25 % | 2 | registers", "129 | 255 | 12.5 % | 1 | registers"));
    const Json answer =
        json({"occupancy", "--threads", "96", "--registers", "72", "--smem", "20000", "--gpu", "H200", "--sweep", "block-size"});
    EXPECT_EQ(answer["threads"], 96);
    EXPECT_EQ(answer["registers"], 72);
    EXPECT_EQ(answer["smem"], 20000);
    const Json& row = answer["gpus"][0];
    EXPECT_EQ(row["cc"], "9.0");
    EXPECT_EQ(row["blocks_by"], Json({{"registers", 9}, {"shared_memory", 11}, {"warps", 21}, {"blocks", 32}}));
    EXPECT_EQ(row["blocks_per_sm"], 9);
    EXPECT_EQ(row["limiter"], "registers");
    EXPECT_EQ(row["sweep"][0]["at"], 32) << "whole warps";
    const Json smem = json({"occupancy", "--threads", "256", "--gpu", "H200", "--sweep", "shared-memory"});
    EXPECT_EQ(smem["registers"], 32) << "the default";
    EXPECT_GT(smem["gpus"][0]["sweep"].back()["at"].get<int>(), 200000);
    EXPECT_EQ(smem["gpus"][0]["sweep"].back()["limiter"], "shared memory");
    EXPECT_THAT(rows({"occupancy", "--threads", "256"}), SizeIs(deviceTable().gpus.size() + 1)) << "of several GPUs the table alone";
    EXPECT_THAT(rows({"occupancy", "--threads", "992", "--registers", "32", "--gpu", "H200"}).back(), Not(StartsWith("NVIDIA")));
}

TEST_F(SearchText, TheLongestLaunchOfARunIsTheOneInQuestion)
{
    RunRecord run = support::timedRun("aaaa0001", "naive", "2026-01-01T00:00:00.000Z", 1000);
    run.launches = {{.entry = "short", .blockThreads = 64, .registers = 16, .gpuNs = 100},
                    {.entry = "long", .blockThreads = 128, .registers = 40, .staticSmem = 1000, .dynamicSmem = 24, .gpuNs = 900},
                    {.entry = "middle", .blockThreads = 32, .registers = 24, .gpuNs = 500}};
    ASSERT_TRUE(support::openStore(file("test.db"))->saveRun(run).ok());
    const Json found = json({"occupancy", "aaaa0001", "--gpu", "H200"});
    EXPECT_EQ(found["threads"], 128);
    EXPECT_EQ(found["registers"], 40);
    EXPECT_EQ(found["smem"], 1024);
    const Json changed = json({"occupancy", "run:aaaa", "--threads", "256", "--registers", "64", "--smem", "0", "--gpu", "H200"});
    EXPECT_EQ(changed["threads"], 256);
    EXPECT_EQ(changed["registers"], 64);
    EXPECT_EQ(changed["smem"], 0);
}

TEST_F(SearchText, TilesHaveTheirLimitOnEachGpu)
{
    const std::vector<std::string> text = rows({"smem", "-M", "64", "-K", "64", "-N", "64"});
    EXPECT_EQ(readFigures(text[0]), "40,960 | 24,576 | 16,384");
    const auto verdict = [](const std::vector<std::string>& table, const std::string& begin) { // of the row that begins so
        const auto row = std::ranges::find_if(table, [&](const std::string& one) { return one.starts_with(begin); });
        return row == table.end() ? "no row begins with " + begin : row->substr(row->rfind(" | "));
    };
    const std::string fits = verdict(text, "NVIDIA T4 | 7.5 | 65,536 | 62.5 % | 24,576 | 1 | 96 | ");
    EXPECT_EQ(verdict(text, "NVIDIA H200 | 9.0 | 232,448 | 17.6 % | 191,488 | 5 | 352 | "), fits);
    EXPECT_THAT(text, Contains(HasSubstr(" 8-way ")));
    EXPECT_THAT(rows({"smem", "-M", "64", "-K", "60", "-N", "0", "--bytes", "4", "--pad", "8"}),
                Contains(AllOf(HasSubstr(" 16-byte "), HasSubstr("ldmatrix"))));
    EXPECT_THAT(rows({"smem", "-M", "64", "-K", "64", "--pad", "16"}), Not(Contains(HasSubstr("-way "))));
    const std::vector<std::string> large = rows({"smem", "-M", "128", "-K", "64", "-N", "64"});
    EXPECT_THAT((std::set<std::string>{fits, verdict(large, "NVIDIA T4 | "), verdict(large, "NVIDIA L4 | ")}), SizeIs(3))
        << "it fits, does not, and does with opt-in";
    EXPECT_THAT(large, Contains(HasSubstr("extern __shared__")));
    EXPECT_THAT(large, Contains(StartsWith("NVIDIA L4: "))) << "the correction of a figure";
    const Json answer = json({"smem", "-M", "64", "-K", "64", "-N", "64"});
    EXPECT_EQ(answer["bytes"], 40960);
    EXPECT_EQ(answer["score_bytes"], 16384);
    EXPECT_EQ(answer["static_limit"], 49152);
    EXPECT_EQ(answer["ldmatrix_ways"], 8);
    EXPECT_EQ(answer["gpus"][0]["gpu"], "NVIDIA T4");
    EXPECT_EQ(answer["gpus"][0]["spare"], 24576);
    EXPECT_EQ(answer["gpus"][0]["percent"], 62.5);
    EXPECT_EQ(answer["gpus"][0]["needs_opt_in"], false);
    EXPECT_EQ(answer["gpus"][0]["per_sm"], 65536);
    EXPECT_EQ(answer["gpus"][0]["blocks_per_sm"], 1);
    EXPECT_EQ(answer["gpus"][0]["rows_most"], 96);
}

TEST_F(SearchText, AdviceHasTheFiguresOfItsInputs)
{
    const Json launch = json({"advise", "launch", "--kernel-us", "5", "--launch-us", "10"});
    EXPECT_EQ(launch["kernel_us"], 5);
    EXPECT_EQ(launch["launch_us"], 10);
    EXPECT_EQ(launch["kernels"], 2);
    EXPECT_EQ(launch["serial_us"], 15);
    EXPECT_EQ(launch["queued_us"], 10);
    EXPECT_EQ(launch["kernel_work"]["queued_reduction_most"], 0);
    EXPECT_EQ(launch["fusion"]["speedup_least"], 1.5);
    EXPECT_EQ(launch["launch_removed_speedup"], 3);
    const std::vector<std::string> text = rows({"advise", "launch", "--kernel-us", "5", "--launch-us", "10", "--kernels", "4"});
    EXPECT_EQ(readFigures(text[0]), "15 µs | 10 µs | 5 µs") << "a step, its launch, its kernel";
    EXPECT_EQ(readFigures(text[1]), "33.3 %");
    EXPECT_THAT(readFigures(text[2]), AllOf(StartsWith("4 | 2.00×"), HasSubstr("4.00×")));
    EXPECT_EQ(readFigures(text[3]), "3.00×");
    EXPECT_THAT(readFigures(text[4]), AllOf(HasSubstr("10 µs"), HasSubstr("0 %")));
    const auto adviseTier = [&](const char* sharedBy, const char* reads) {
        return json({"advise", "memory", "--gpu", "L4", "--bytes", "64", "--shared-by", sharedBy, "--reads", reads})["placement"]["tier"]
            .get<std::string>();
    };
    EXPECT_EQ(adviseTier("thread", "8"), "registers");
    EXPECT_EQ(adviseTier("block", "8"), "shared");
    EXPECT_EQ(adviseTier("grid", "1"), "global (DRAM)");
    const Json tiers = json({"advise", "memory", "--gpu", "L4"});
    EXPECT_EQ(tiers["gpu"], "NVIDIA L4");
    EXPECT_TRUE(tiers["placement"].is_null());
    EXPECT_EQ(tiers["tiers"][1]["tier"], "shared");
    EXPECT_THAT(tiers["tiers"][0]["size"].get<std::string>(), HasSubstr("24"));
    EXPECT_EQ(json({"advise", "memory"})["gpu"], "NVIDIA H200");
    const std::vector<std::string> memory = rows({"advise", "memory", "--gpu", "L4", "--bytes", "4096"});
    EXPECT_THAT(memory[0], EndsWith(" | NVIDIA L4"));
    EXPECT_THAT(memory[4], AllOf(StartsWith("constant | "), EndsWith(" | 64 KiB")));
    EXPECT_THAT(memory[6], HasSubstr(" global (DRAM). "));
    EXPECT_EQ(kloop({"advise", "memory", "--shared-by", "warp"}).code, 2);
}

} // namespace
} // namespace kl::test
