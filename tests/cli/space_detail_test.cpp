// SPDX-License-Identifier: MIT
// Spaces, compiling, replays and records of searches: what each option narrows, and what the cache and damaged records answer.
#include "kernels/catalog.h"
#include "kernels/code_builder.h"
#include "kloop.h"
#include "sessions/store/search_records.h"
#include "tests/support/fake_compiler.h"
#include "tests/support/store_support.h"
#include "text_rows.h"

namespace kl::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;
using Words = std::vector<std::string>;

class SpaceDetails : public AskedKloop {
protected:
    /// What a command sends to a worker: the body of its first request of this verb.
    Json sent(const std::string& verb, const Words& words) const
    {
        useRecorder();
        const std::vector<Json> bodies = requestedBy(verb, words);
        EXPECT_FALSE(bodies.empty()) << "no " << verb << " by " << testing::PrintToString(words);
        return bodies.empty() ? Json::object() : bodies.front();
    }
};

TEST_F(SpaceDetails, OptionsOfCompilingReachTheCompiler)
{
    const Words all{"compile", "attention/fused@WARPS=4,SPLIT_KV=off", "--all"};
    EXPECT_EQ(sent("build-many", {"compile", "attention/fused@WARPS=4,SPLIT_KV=off", "--all", "--jobs", "3"})["jobs"], 3);
    EXPECT_EQ(sent("build-many", all)["jobs"], 0);
    const auto points = [&](const Words& more) {
        Words words = all;
        words.insert(words.end(), more.begin(), more.end());
        return sent("build-many", words)["points"].size();
    };
    EXPECT_LT(points({"--min-occupancy", "60"}), points({}));
    const auto smem = [&](const char* problem) {
        return sent("build-many", {"compile", "attention/fused", "--problem", problem})["points"][0]["launches"][0]["dynamic_smem"]
            .get<int>();
    };
    EXPECT_GT(smem("D=128"), smem("D=64"));
    const Json tuned = sent("build-many", {"compile", "attention/fused@WARPS=8", "--arch", "sm_89"});
    EXPECT_THAT(tuned["points"][0]["options"].dump(), HasSubstr("-DWARPS=8"));
    EXPECT_EQ(tuned["points"].size(), 1U) << "the wanted architecture alone";
    const std::string tma = KL_SOURCE_DIR "/tests/data/modern/tma:copy";
    EXPECT_EQ(sent("build-many", {"compile", tma, "--arch", "sm_90"})["points"][0]["arch"], "sm_90a") << "what the kernel needs of it";
    EXPECT_EQ(kloop({"compile", "attention/fused", "--all", "--all-gpus"}).code, 2);
    EXPECT_EQ(kloop({"compile", "attention/fused", "--jobs", "0"}).code, 2);
}

TEST_F(SpaceDetails, ACompiledSpaceHasItsPointsWithTheirVerdicts)
{
    useWorker(kFakeCompiler);
    const Json space = json({"compile", "attention/fused@WARPS=4,SPLIT_KV=off", "--all", "--problem", "S=128", "--arch", "sm_89"});
    EXPECT_EQ(space["arch"], "sm_89");
    EXPECT_EQ(space["problem"], "B=2,CAUSAL=0,D=64,H=8,S=128");
    EXPECT_EQ(space["compiler"], "NVRTC 13.0");
    EXPECT_EQ(space["jobs"], 2);
    EXPECT_EQ(space["seconds"], 1.5);
    EXPECT_EQ(space["cold_seconds_each"], 0.25);
    EXPECT_EQ(space["cached"], 0);
    EXPECT_EQ(space["compiled"], space["points"].size());
    EXPECT_GT(space["total"], space["compiled"]);
    ASSERT_THAT(space["gates"], SizeIs(3));
    EXPECT_EQ(space["gates"][0]["gate"], "compile");
    EXPECT_EQ(space["gates"][1]["gate"], "spills");
    EXPECT_EQ(space["gates"][2]["gate"], "occupancy");
    int spilled = 0, same = 0;
    for (const Json& point : space["points"]) {
        const bool big = point["point"].get<std::string>().find("BLOCK_M=128") != std::string::npos;
        EXPECT_EQ(point["launches"][0]["registers"], big ? 255 : 128) << point;
        EXPECT_EQ(point["launches"][0]["local_bytes"], big ? 96 : 0);
        EXPECT_EQ(point["code"], big ? "big" : "small");
        EXPECT_EQ(point["seconds"], 0.25);
        EXPECT_NE(point["reason"], "");
        EXPECT_EQ(point["gate"].is_null(), point["survives"] == true) << point;
        EXPECT_TRUE(point["same_as"].is_null() || point["same_as"] != point["kernel"]);
        spilled += point["gate"] == "spills" ? 1 : 0;
        same += point["survives"] == true && !point["same_as"].is_null() ? 1 : 0;
    }
    EXPECT_EQ(space["gates"][1]["rejected"], spilled);
    EXPECT_EQ(space["survivors"].get<int>() - same, space["programs"]) << "each program once";
}

TEST_F(SpaceDetails, AFamilyChoosesItsVariantByTheChip)
{
    EXPECT_EQ(json({"space", "attention", "--arch", "sm_90a"})["kernel"], "attention/hopper-short");
    EXPECT_EQ(json({"space", "attention", "--arch", "L40S"})["kernel"], "attention/fused");
    EXPECT_EQ(json({"space", "attention/fused", "--arch", "sm_90a"})["kernel"], "attention/fused") << "a variant is what it is";
    const auto survivors = [&](const char* percent) {
        return json({"space", "attention/fused", "--min-occupancy", percent})["survivors"].get<int>();
    };
    EXPECT_GT(survivors("0"), survivors("50"));
    EXPECT_GT(survivors("50"), survivors("100"));
    EXPECT_EQ(kloop({"space", "attention/fused", "--min-occupancy", "nan"}).code, 2);
    EXPECT_EQ(kloop({"space", "attention/fused", "--what-if", "nothing"}).code, 4);
}

TEST_F(SpaceDetails, APointKeepsWhatIsFixedAndTheDefaultsOfTheRest)
{
    const auto point = [&](const Words& words) { return kloop(words).json(); };
    const Json fixed = point({"space", "attention/fused@WARPS=8", "--point", "BLOCK_M=128", "--problem", "S=128", "--json"});
    EXPECT_EQ(fixed["point"], "BLOCK_M=128,BLOCK_N=64,HALF2=on,MIN_BLOCKS=1,SPLIT_KV=off,STAGES=2,SWIZZLE=xor,UNROLL=full,WARPS=8");
    EXPECT_EQ(fixed["problem"], "B=2,CAUSAL=0,D=64,H=8,S=128");
    EXPECT_EQ(fixed["schema"], "kernelloop.space-point/1");
    const Json changed = point({"space", "attention/fused@WARPS=8", "--point", "WARPS=4", "--arch", "L40S", "--json"});
    EXPECT_THAT(changed["point"].get<std::string>(), testing::EndsWith(",WARPS=4"));
    EXPECT_EQ(changed["arch"], "sm_89");
    EXPECT_EQ(changed["survives"], true);
    EXPECT_TRUE(changed["gate"].is_null());
    const Json rejected = point({"space", "attention/fused", "--point", "SWIZZLE=none", "--json"});
    EXPECT_EQ(rejected["gate"], rejected["gates"][5]["gate"]);
    EXPECT_EQ(rejected["value"], rejected["gates"][5]["value"]);
    EXPECT_EQ(rejected["limit"], rejected["gates"][5]["limit"]);
    EXPECT_EQ(rejected["reason"], rejected["gates"][5]["reason"]);
    EXPECT_EQ(kloop({"space", "attention/fused", "--point", "WARPS"}).code, 4);
}

TEST_F(SpaceDetails, AReplayIsThatOfItsSeedAndWidth)
{
    const std::string space = KL_SOURCE_DIR "/tests/data/search/convolution_part.json.gz";
    const auto replay = [&](const Words& more) {
        Words words{"search", "--simulate", space, "--repeats", "3"};
        words.insert(words.end(), more.begin(), more.end());
        return json(words);
    };
    const Json first = replay({"--seed", "1"});
    EXPECT_EQ(first["score"], replay({})["score"]) << "the default";
    EXPECT_NE(replay({"--seed", "2"})["score"], first["score"]);
    EXPECT_NE(replay({"--batch", "16"})["score"], first["score"]);
    EXPECT_EQ(replay({"--batch", "1"})["score"], first["score"]);
    EXPECT_NE(replay({"--strategy", "random_sample"})["score"], first["score"]);
    EXPECT_EQ(first["budget"]["random_evaluations"], 347);
    EXPECT_GT(first["evaluations"], 0);
    EXPECT_LT(first["failed"], first["evaluations"]);
    EXPECT_LE(first["evaluations_to"]["0.90"], first["evaluations_to"]["0.95"]);
    EXPECT_GE(first["optimum_per_found"], 0.5);
    EXPECT_LE(first["optimum_per_found"], 1);
    for (const Json& point : first["curve"])
        EXPECT_GE(point["best_ms"], first["optimum_ms"]);
    EXPECT_LT(first["curve"][0]["seconds"], first["curve"][99]["seconds"]);
    EXPECT_GE(first["curve"][0]["random_ms"], first["curve"][99]["random_ms"]);
}

TEST_F(SpaceDetails, TheCacheSaysWhereItIsAndWhatItMayHold)
{
    const std::string where = "XDG_CACHE_HOME=" + quoted(file("cache")) + " KERNELLOOP_CACHE_MB=3";
    std::filesystem::create_directories(file("cache/kernelloop/compile/ab"));
    write("cache/kernelloop/compile/ab/cd.entry", std::string(2048, 'x'));
    const Json info = kloop({"cache", "info", "--json"}, where).json();
    EXPECT_EQ(info["schema"], "kernelloop.cache/1");
    EXPECT_EQ(info["folder"], file("cache/kernelloop/compile"));
    EXPECT_EQ(info["most_bytes"], 3 * 1024 * 1024);
    const std::vector<std::string> text = readRows(kloop({"cache", "info"}, where).out);
    EXPECT_EQ(text[0], file("cache/kernelloop/compile"));
    EXPECT_EQ(readFigures(text[1]), "1 | 2 KiB | 3 MiB");
    const std::string off = kloop({"cache", "info"}, "XDG_CACHE_HOME=" + quoted(file("cache")) + " KERNELLOOP_CACHE_MB=0").out;
    EXPECT_THAT(off, Not(HasSubstr(file("cache"))));
    EXPECT_EQ(readFigures(readRows(kloop({"cache", "clear"}, where).out)[0]), "1 | 2 KiB");
    EXPECT_FALSE(std::filesystem::exists(file("cache/kernelloop/compile/ab/cd.entry")));
    EXPECT_EQ(kloop({"cache", "clear", "--json"}, where).json()["bytes"], 0);
}

TEST_F(SpaceDetails, RecordsThatAreDamagedOrOfGoneKernelsKeepNoOtherFromBeingListed)
{
    SearchRecord gone;
    gone.id = "aaaaaaaa-1111-7000-8000-000000000001";
    gone.startedAt = "2026-01-01T10:20:30.000Z";
    gone.state = SearchStage::finished;
    gone.device = "NVIDIA H200";
    gone.kernel = "gone/plain";
    gone.problem = "N=64";
    gone.trials = {{.tunables = "BLOCK=64", .ns = 3000}};
    gone.best.emplace();
    gone.best->kernel = "gone/plain@BLOCK=64";
    gone.best->tunables = "BLOCK=64";
    gone.best->ns = 3000;
    {
        const auto store = support::openStore(file("test.db"));
        const auto& [name, content] = makeArtifact(gone);
        ASSERT_TRUE(store->saveArtifact(name, content).ok());
        gone.id = "bbbbbbbb-2222-7000-8000-000000000002";
        ASSERT_TRUE(store->saveArtifact(makeArtifact(gone).first, "{").ok());
    }
    for (const char* verb : {"list", "best"}) {
        const Answer answer = kloop({"search", verb});
        EXPECT_EQ(answer.code, 0) << verb;
        EXPECT_THAT(answer.out, HasSubstr("gone/plain")) << verb;
        EXPECT_THAT(answer.err, HasSubstr("bbbbbbbb-2222")) << verb;
    }
    const Json best = json({"search", "best"})["best"][0];
    EXPECT_EQ(best["kernel"], "gone/plain");
    EXPECT_EQ(best["id"], "aaaaaaaa-1111-7000-8000-000000000001") << "the record as it is";
    EXPECT_EQ(kloop({"search", "best", "--export", file("gone.h")}).code, 4);
    EXPECT_FALSE(std::filesystem::exists(file("gone.h")));
    EXPECT_EQ(kloop({"search", "best", "--problem", "N=64"}).code, 0);
    EXPECT_EQ(kloop({"search", "best", "--problem", "N=65"}).code, 4);
    EXPECT_EQ(kloop({"search", "show", "bbbb"}).code, 4);
}

/// Of the kernel as it is now, unless `hash` says otherwise.
SearchRecord fusedSearch(int number, const std::string& device, const std::string& best, double ns, const std::string& hash = {})
{
    const Result<Catalog> kernels = Catalog::loadEmbedded();
    EXPECT_TRUE(kernels.ok());
    SearchRecord record;
    record.id = std::to_string(number) + "aaaaaaa-1111-7000-8000-000000000001";
    record.startedAt = "2026-01-0" + std::to_string(number) + "T10:20:30.000Z";
    record.state = SearchStage::finished;
    record.device = device;
    record.kernel = "attention/fused";
    record.problem = "B=2,CAUSAL=0,D=64,H=8,S=512";
    record.sourceHash =
        hash.empty() ? chooseCodeText(**kernels->family("attention"), **kernels->variant({"attention", "fused", {}})).hash() : hash;
    record.trials = {{.tunables = best, .ns = ns}};
    record.best.emplace();
    record.best->kernel = "attention/fused@" + best;
    record.best->tunables = best;
    record.best->ns = ns;
    return record;
}

TEST_F(SpaceDetails, ATransferSaysWhyAPointHasNoShareElsewhere)
{
    const std::string small = "BLOCK_M=64,WARPS=4", large = "BLOCK_M=128,WARPS=4";
    SearchRecord here = fusedSearch(1, "NVIDIA H200", small, 1000), there = fusedSearch(2, "NVIDIA L4", large, 4000);
    there.trials.push_back({.tunables = small, .ns = 5000});
    here.trials.push_back({.tunables = large, .why = "too much shared memory"});
    {
        const auto store = support::openStore(file("test.db"));
        for (const SearchRecord& record : {here, there, fusedSearch(3, "NVIDIA A100", small, 900, "another source")}) {
            const auto& [name, content] = makeArtifact(record);
            ASSERT_TRUE(store->saveArtifact(name, content).ok());
        }
    }
    const Json transfer = json({"search", "transfer", "attention/fused"});
    EXPECT_EQ(transfer["stale"], 1);
    ASSERT_THAT(transfer["places"], SizeIs(2));
    const std::size_t h200 = transfer["places"][0]["device"] == "NVIDIA H200" ? 0 : 1, l4 = 1 - h200;
    EXPECT_EQ(transfer["places"][h200]["gpu_ns"], 1000);
    EXPECT_EQ(transfer["places"][h200]["point"], small);
    EXPECT_EQ(transfer["places"][h200]["problem"], "B=2,CAUSAL=0,D=64,H=8,S=512");
    EXPECT_EQ(transfer["places"][h200]["on"][l4]["share"], 0.8);
    EXPECT_TRUE(transfer["places"][h200]["on"][l4]["why"].is_null());
    EXPECT_TRUE(transfer["places"][l4]["on"][h200]["share"].is_null());
    EXPECT_THAT(transfer["places"][l4]["on"][h200]["why"].get<std::string>(), HasSubstr("too much shared memory"));
    EXPECT_EQ(transfer["portable"], Json({{"point", small}, {"worst_share", 0.8}}));
    const std::vector<std::string> text = rows({"search", "transfer", "attention/fused"});
    EXPECT_THAT(text[2 + h200], HasSubstr(" | " + small + " | "));
    EXPECT_THAT(text[2 + h200], HasSubstr("80 %"));
    EXPECT_THAT(text[2 + l4], HasSubstr("–"));
    EXPECT_THAT(text[4], AllOf(StartsWith(std::to_string(l4 + 1) + " on " + std::to_string(h200 + 1) + ": "),
                               testing::EndsWith("too much shared memory")));
    EXPECT_EQ(readFigures(text.back()), "1") << "what is left out";
    EXPECT_EQ(json({"search", "best", "attention/fused", "--device", "a100"})["best"][0]["stale"].is_null(), false);
    EXPECT_TRUE(json({"search", "best", "attention/fused", "--device", "l4"})["best"][0]["stale"].is_null());
    EXPECT_EQ(json({"search", "list", "attention/fused"})["searches"][0]["device"], "NVIDIA A100") << "the newest first";

    EXPECT_EQ(json({"search", "transfer", "attention"})["kernel"], "attention/fused") << "its one variant that was searched";
    {
        SearchRecord other = fusedSearch(4, "NVIDIA H200", small, 1000);
        other.kernel = "attention/serial";
        const auto& [name, content] = makeArtifact(other);
        ASSERT_TRUE(support::openStore(file("test.db"))->saveArtifact(name, content).ok());
    }
    const Answer which = kloop({"search", "transfer", "attention", "--json"});
    EXPECT_EQ(which.code, 2) << "which of the two?";
    EXPECT_EQ(which.json()["error"]["where"], "KERNEL");
    EXPECT_EQ(kloop({"search", "transfer", "attention/fused"}).code, 0);
}

} // namespace
} // namespace kl::test
