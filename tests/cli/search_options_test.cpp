// SPDX-License-Identifier: MIT
// Options of `kloop search`: each changes what the worker is asked, or the answer. The worker is a script whose figures follow from the
// tunables, and which keeps every request.
#include "app/kloop/search/search_best.h"
#include "core/base/format.h"
#include "kloop.h"
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
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;
using Words = std::vector<std::string>;

/// Times are 10,000 ns + 10 × BLOCK_N + 100 × WARPS and less than 50 ns by which all points differ; energies fall where times rise. Each
/// measurement takes 100 J. Points with the tunable of the file "fails" do not run, those with that of "wrong" are wrong on the suite.
/// "NAME" is replaced.
constexpr const char* kSearchWorker = R"(#!/usr/bin/env python3
import json, os, sys, time, zlib
here = os.path.dirname(os.path.abspath(__file__))
gpu = os.environ.get("CUDA_VISIBLE_DEVICES", "")
device = {"uuid": "GPU-%08d-0000-0000-0000-000000000000" % int(gpu or 0), "name": "NAME", "cc_major": 9, "cc_minor": 0, "sm_count": 132,
          "smem_per_block_optin": 232448, "smem_per_sm": 233472, "smem_reserved_per_block": 1024, "max_threads_per_sm": 2048,
          "max_blocks_per_sm": 32, "regs_per_sm": 65536, "driver_version": "580.1"}

def tunables(address):
    found = {"WARPS": "4", "BLOCK_N": "64"}
    found.update(pair.split("=") for pair in address.partition("@")[2].split(",") if pair)
    return found

def ns(address):
    return 10000 + 10 * int(tunables(address)["BLOCK_N"]) + 100 * int(tunables(address)["WARPS"]) + zlib.crc32(address.encode()) % 5000 / 100

def told(name):
    path = os.path.join(here, name)
    return open(path).read() if os.path.exists(path) else ""

def ran(body):
    kernel = body["work"]["kernel"]
    if told("fails") in ["%s=%s" % pair for pair in tunables(kernel).items()]:
        return {"status": "computation_failed", "reason": "too many columns", "device": device}
    if body["suite"] and "WARPS=" + tunables(kernel)["WARPS"] == told("wrong"):
        return {"status": "validation_failed", "reason": "one row is wrong", "device": device, "correctness": {"result": "fail", "reason": "one row is wrong"}}
    median = ns(kernel)
    timing = {"gpu_ns": {"median": median, "low": median, "high": median, "n": 10}, "clock_mhz": 1755.0, "power_w": 100.0}
    if body.get("energy"):
        timing["energy"] = {"energy_per_launch_j": 30.0 - median / 1000}
    baseline = {"name": body["work"]["baseline"]["name"], "version": "torch 9", "gpu_ns": {"median": 1.25 * median, "low": 1.25 * median, "high": 1.25 * median, "n": 10}}
    return {"status": "ok", "device": device, "correctness": {"result": "pass"}, "timing": timing, "worker_seconds": 1.0,
            "baseline": baseline if body.get("with_baseline") else None}

def ab(body):
    a, b = float(ns(body["a"]["kernel"])), float(ns(body["b"]["kernel"]))
    return {"status": "ok", "device": device, "blocks": [{"a": [a * (1 + 0.0001 * i)] * 10, "b": [b] * 10} for i in range(body["blocks"])],
            "correctness_a": {"result": "pass"}, "correctness_b": {"result": "pass"}}

def built(point):
    launches = [{"entry": l["entry"], "threads": l["threads"], "registers": 64, "dynamic_smem": l["dynamic_smem"]} for l in point["launches"]]
    return {"kernel": point["kernel"], "ok": True, "arch": "sm_90", "seconds": 0.25, "code": " ".join(point["options"]), "launches": launches}

print(json.dumps({"event": "hello", "protocol": 1, "version": "test", "host": "here", "devices": [device], "unavailable": None}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    verb, body = request["verb"], request.get("body") or {}
    with open(os.path.join(here, "requests"), "a") as kept:
        kept.write(line)
    if verb == "shutdown":
        break
    if verb == "build-many":
        answer = {"compiler": "NVRTC 13.0", "arch": body["arch"], "jobs": body.get("jobs") or 0, "seconds": 1.5, "points": [built(p) for p in body["points"]]}
    elif verb == "run":
        answer = ran(body)
    elif verb == "profile":
        answer = dict(ran(body["run"]), metrics={"metrics": {"gpu__time_duration.sum": 10000, "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed": 95}, "plan": {"passes": 1, "ran": 1}})
    elif verb == "count":
        answer = {"answers": [{"metrics": {"metrics": {"dram__bytes_read.sum": 7}}} for work in body["works"]]}
    else:
        answer = ab(body)
    print(json.dumps({"event": "result", "id": request["id"], "body": answer}), flush=True)
)";

class SearchOptions : public AskedKloop {
protected:
    void SetUp() override
    {
        Kloop::SetUp();
        useGpu("NVIDIA H200");
    }
    void useGpu(const std::string& name) const
    {
        std::string script = kSearchWorker;
        script.replace(script.find("NAME"), 4, name);
        write("worker.sh", script);
    }
    Answer ask(const Words& words) const override { return kloop(words, "XDG_CACHE_HOME=" + quoted(file("cache"))); }
    /// Searches a space of some dozen points from the beginning.
    Answer search(const Words& more = {}) const
    {
        std::filesystem::remove(file("requests"));
        Words words{"search", "attention/fused@BLOCK_M=64,HALF2=on,UNROLL=full,SPLIT_KV=off,STAGES=1", "--fresh", "--json"};
        words.insert(words.end(), more.begin(), more.end());
        return ask(words);
    }
    Json found(const Words& more = {}) const
    {
        const Answer answer = search(more);
        EXPECT_EQ(answer.code, 0) << testing::PrintToString(more) << answer.err;
        return answer.json();
    }
    static std::set<std::string> listPoints(const Json& answer)
    {
        std::set<std::string> points;
        for (const Json& point : answer["points"])
            points.insert(point["point"].get<std::string>());
        return points;
    }
};

TEST_F(SearchOptions, DefaultsMeasureCountConfirmAndDiagnose)
{
    write("fails", "BLOCK_N=128");
    write("wrong", "WARPS=2");
    const Json all = found();
    EXPECT_EQ(all["left"], 0);
    EXPECT_EQ(all["measured"], all["programs"]);
    EXPECT_EQ(all["measured"], all["points"].size());
    EXPECT_EQ(all["seed"], 1);
    EXPECT_EQ(all["arch"], "sm_90");
    EXPECT_EQ(all["confirmation"]["target"], 1.1);
    EXPECT_EQ(all["confirmation"]["verdict"], "met");
    EXPECT_EQ(all["confirmation"]["version"], "torch 9");
    EXPECT_NEAR(all["confirmation"]["bootstrap"]["value"].get<double>(), 1.25, 1e-9);
    EXPECT_NEAR(all["confirmation"]["ratio"]["value"].get<double>(), 1.25, 1e-9);
    EXPECT_EQ(all["confirmation"]["rival_ns"].get<double>(), 1.25 * all["confirmation"]["winner_ns"].get<double>());
    EXPECT_EQ(all["confirmation"]["samples"], 100);
    EXPECT_NE(all["finding"]["class"], "");
    EXPECT_NE(all["finding"]["run"], all["best"]["run"]) << "a profile of its own";
    EXPECT_EQ(requested("profile").size(), 1U);
    EXPECT_FALSE(requested("count").empty());
    for (const Json& run : requested("run"))
        EXPECT_TRUE(run["energy"].is_null() || run["energy"] == false);
    EXPECT_EQ(requested("build-many")[0]["jobs"], 0);

    ASSERT_FALSE(all["wrong"].empty());
    for (const Json& wrong : all["wrong"]) {
        EXPECT_THAT(wrong.get<std::string>(), AllOf(HasSubstr("WARPS=2"), HasSubstr("one row is wrong")));
    }
    EXPECT_THAT(all["best"]["kernel"].get<std::string>(), Not(HasSubstr("WARPS=2")));
    bool refined = false, failed = false;
    for (const Json& point : all["points"]) {
        const bool runs = point["point"].get<std::string>().find("BLOCK_N=128") == std::string::npos;
        EXPECT_EQ(point["failed"].is_null(), runs) << point;
        EXPECT_EQ(point["gpu_ns"].is_null(), !runs) << point;
        EXPECT_TRUE(runs || point["failed"] == "too many columns") << point;
        EXPECT_GE(point["at_s"], 0);
        refined = refined || point["refined"] == true;
        failed = failed || !runs;
    }
    EXPECT_TRUE(refined);
    EXPECT_TRUE(failed);
    EXPECT_EQ(all["points"][0]["refined"], true);
    EXPECT_EQ(json({"search", "show", all["search"]})["trials"].size(), all["measured"].get<std::size_t>());
    const Json trials = json({"search", "show", all["search"]})["trials"];
    for (const Json& trial : trials)
        EXPECT_EQ(trial["metrics"].value("dram__bytes_read.sum", 0), trial["failed"] == "" ? 7 : 0) << trial;
}

TEST_F(SearchOptions, WordsSayWhatFailedWhatIsExcludedAndWhatLimits)
{
    write("fails", "BLOCK_N=128");
    write("wrong", "WARPS=2");
    const Json all = found({"--confirm", "20", "--target", "1.2"});
    const std::vector<std::string> text = rows({"search", "attention/fused@BLOCK_M=64,HALF2=on,UNROLL=full,SPLIT_KV=off,STAGES=1",
                                                "--fresh", "--top", "1000", "--confirm", "20", "--target", "1.2"});
    std::size_t briefly = 0;
    for (std::size_t i = 0; i < all["points"].size(); ++i) {
        const Json& point = all["points"][i];
        const std::string begin = std::to_string(i + 1) + " | ";
        const auto row = std::ranges::find_if(text, [&](const std::string& one) { return one.starts_with(begin); });
        ASSERT_NE(row, text.end()) << begin;
        EXPECT_THAT(*row, HasSubstr(" | " + point["point"].get<std::string>()));
        if (!point["failed"].is_null()) {
            EXPECT_THAT(*row, AllOf(StartsWith(begin + "– | "), EndsWith(" | too many columns")));
        } else {
            EXPECT_THAT(*row, HasSubstr(readRows(formatTime(point["gpu_ns"].get<double>()))[0]));
            EXPECT_EQ(countCells(*row), point["refined"] == true ? 3 : 4) << "timed briefly, or not";
            briefly += point["refined"] == true ? 0 : 1;
        }
    }
    EXPECT_GT(briefly, 0U);
    for (const Json& wrong : all["wrong"])
        EXPECT_THAT(text, Contains(EndsWith(": " + wrong.get<std::string>())));
    const std::string rival = "1.25× | 1.25× | 1.25×";
    const Json& confirmed = all["confirmation"];
    EXPECT_THAT(text, Contains(AllOf(HasSubstr(" (torch 9): "), withFigures(StartsWith("9 | " + rival)),
                                     HasSubstr(readRows(formatTime(confirmed["winner_ns"].get<double>()))[0]),
                                     EndsWith(readRows(formatTime(confirmed["rival_ns"].get<double>()))[0]))));
    EXPECT_THAT(text, Contains(withFigures(StartsWith("1.20×"))));
    EXPECT_THAT(text.back(),
                AllOf(HasSubstr(": " + readRows(all["finding"]["title"].get<std::string>())[0] + " ("), HasSubstr("kloop analyze run:")));
    EXPECT_THAT(text, Contains(StartsWith("A attention/fused")));
    EXPECT_THAT(text, Contains(StartsWith("Stored as | run:")));
    EXPECT_EQ(all["comparison"]["verdict"], "faster");
}

TEST_F(SearchOptions, EachChangesWhatTheWorkerIsAsked)
{
    found({"--trials", "2", "--jobs", "3"});
    EXPECT_EQ(requested("build-many")[0]["jobs"], 3);
    const Json bare = found({"--trials", "2", "--no-diagnosis", "--no-counters", "--confirm", "0"});
    EXPECT_TRUE(bare["finding"].is_null());
    EXPECT_TRUE(bare["confirmation"].is_null());
    EXPECT_THAT(requested("profile"), IsEmpty());
    EXPECT_THAT(requested("count"), IsEmpty());
    found({"--trials", "2", "--count-seconds", "0"});
    EXPECT_THAT(requested("count"), IsEmpty());
    EXPECT_THAT(requested("profile"), SizeIs(1));
    EXPECT_EQ(search({"--count-seconds", "5", "--no-counters"}).code, 2);
    const auto rivals = [&] {
        return std::ranges::count_if(requested("run"),
                                     [](const Json& run) { return run["trial"] == true && run["with_baseline"] == true; });
    };
    found({"--trials", "2", "--confirm", "20"});
    EXPECT_EQ(rivals(), 2) << "ten passes each";
    found({"--trials", "2", "--confirm", "40"});
    EXPECT_EQ(rivals(), 4);
    EXPECT_EQ(found({"--trials", "5"})["measured"], 5);
    EXPECT_EQ(found({"--trials", "2", "--problem", "S=128"})["problem"], "B=2,CAUSAL=0,D=64,H=8,S=128");
}

TEST_F(SearchOptions, ASeedAndAStrategyDecideWhichPointsAreMeasured)
{
    const Words random{"--strategy", "random_sample", "--trials", "4", "--no-diagnosis", "--no-counters", "--confirm", "0", "--seed"};
    const auto with = [&](const char* seed) {
        Words words = random;
        words.emplace_back(seed);
        return found(words);
    };
    const Json first = with("1");
    EXPECT_EQ(first["strategy"], "random_sample");
    EXPECT_EQ(listPoints(with("1")), listPoints(first));
    EXPECT_NE(listPoints(with("2")), listPoints(first));
    EXPECT_EQ(with("18446744073709551615")["seed"], 18446744073709551615ULL);
}

TEST_F(SearchOptions, AnEnergyIsMeasuredSortedAndShown)
{
    const Json energy = found({"--objective", "energy"});
    EXPECT_EQ(energy["objective"], "energy");
    const Json& points = energy["points"];
    EXPECT_NEAR(points[0]["energy_per_launch_j"].get<double>(), 30 - points[0]["gpu_ns"].get<double>() / 1000, 1e-9);
    EXPECT_LT(points[0]["energy_per_launch_j"], points[1]["energy_per_launch_j"]);
    EXPECT_GT(points[0]["gpu_ns"], points[1]["gpu_ns"]) << "the slowest needs least";
    for (const Json& run : requested("run"))
        EXPECT_TRUE(run["energy"] == true || run["with_baseline"] == true) << run["work"]["kernel"];
    const std::vector<std::string> text =
        rows({"search", "attention/fused@BLOCK_M=64,HALF2=on,UNROLL=full,SPLIT_KV=off,STAGES=1", "--objective", "energy", "--top", "1"});
    EXPECT_THAT(text,
                Contains(AllOf(StartsWith("1 | "), EndsWith(readRows(formatEnergy(points[0]["energy_per_launch_j"].get<double>()))[0]))));
    EXPECT_THAT(text,
                Contains(AllOf(StartsWith("GPU time | "), testing::Truly([](const std::string& row) { return countCells(row) == 3; }))))
        << "tunables and energy";
}

TEST_F(SearchOptions, BudgetsEndASearchWhereTheyAreUsedUp)
{
    const Words quick{"--no-diagnosis", "--no-counters", "--confirm", "0"};
    const auto with = [&](Words words) {
        words.insert(words.end(), quick.begin(), quick.end());
        return search(words).json(); // which may find none at all
    };
    EXPECT_EQ(with({"--joules", "250"})["measured"], 3) << "100 J each";
    EXPECT_EQ(with({"--joules", "300"})["measured"], 3);
    EXPECT_EQ(with({"--joules", "300", "--trials", "2"})["measured"], 2);
    json({"cost", "price", "NVIDIA H200", "0.01"}); // 0.001 dollars are six minutes
    EXPECT_EQ(with({"--money", "0.001"})["left"], 0);
    EXPECT_GT(with({"--money", "1000", "--budget", "0.000001"})["left"], 0) << "whichever is less";
    json({"cost", "price", "NVIDIA H200", "1000"}); // 0.0001 dollars are less than a millisecond
    EXPECT_GT(with({"--money", "0.0001"})["left"], 0);
    EXPECT_GT(with({"--money", "0.0001", "--budget", "1000"})["left"], 0);
    EXPECT_EQ(with({"--money", "1000"})["left"], 0);
    useGpu("Unpriced GPU");
    const Answer unknown = search({"--money", "1"});
    EXPECT_EQ(unknown.code, 4);
    EXPECT_EQ(unknown.json()["error"]["where"], "--money");
    EXPECT_EQ(unknown.json()["error"]["code"], "bad-input");
    EXPECT_EQ(unknown.json()["error"]["next_steps"][0]["id"], "set-price");
    EXPECT_THAT(requested("run"), IsEmpty()) << "before anything is measured";
}

TEST_F(SearchOptions, ATargetThatIsMissedOrUnknownIsTheExitStatus)
{
    const Words quick{"--trials", "2", "--no-diagnosis", "--no-counters"};
    const auto code = [&](Words words) {
        words.insert(words.end(), quick.begin(), quick.end());
        return search(words);
    };
    EXPECT_EQ(code({"--target", "1.25"}).code, 0) << "exactly";
    const Answer missed = code({"--target", "1.3"});
    EXPECT_EQ(missed.code, 1);
    EXPECT_EQ(missed.json()["confirmation"]["verdict"], "missed");
    EXPECT_EQ(code({"--target", "1.3", "--confirm", "0"}).code, 3);
    EXPECT_EQ(code({}).code, 0);
    write("fails", "STAGES=1");
    const Answer none = code({"--target", "1.01"});
    EXPECT_EQ(none.code, 1) << "no point runs";
    EXPECT_TRUE(none.json()["best"].is_null());
    EXPECT_TRUE(none.json()["comparison"].is_null());
    EXPECT_EQ(none.json()["points"].back()["failed"], "too many columns");
}

TEST_F(SearchOptions, TimesAreExportedInTheFormatOfTheFile)
{
    for (const char* name : {"times.csv", "times.csv.gz", "times.json", "times.cache.json", "times.cache.json.gz"}) {
        found({"--trials", "3", "--no-diagnosis", "--no-counters", "--confirm", "0", "--export", file(name)});
        EXPECT_EQ(json({"search", "--simulate", file(name), "--repeats", "1"})["points"], 3) << name;
    }
    EXPECT_EQ(search({"--export", file("times.xml")}).code, 2);
    EXPECT_THAT(requested("build-many"), IsEmpty()) << "before anything is compiled";
}

TEST_F(SearchOptions, ThePortablePointAndWhatIsStaleAreInATransfer)
{
    for (const char* size : {"S=128", "S=256"})
        found({"--problem", size, "--no-diagnosis", "--no-counters", "--confirm", "0"});
    const Json transfer = json({"search", "transfer", "attention/fused"});
    EXPECT_EQ(transfer["schema"], "kernelloop.search-transfer/1");
    ASSERT_THAT(transfer["places"], SizeIs(2));
    for (const Json& place : transfer["places"]) {
        EXPECT_EQ(place["device"], "NVIDIA H200");
        EXPECT_GT(place["gpu_ns"], 10000);
        for (const Json& there : place["on"]) {
            EXPECT_EQ(there["share"], 1.0) << "sizes do not change these times";
            EXPECT_TRUE(there["why"].is_null());
        }
    }
    EXPECT_EQ(transfer["portable"]["point"], transfer["places"][0]["point"]);
    EXPECT_EQ(transfer["portable"]["worst_share"], 1.0);
    EXPECT_THAT(rows({"search", "transfer", "attention/fused"}),
                Contains(AllOf(HasSubstr(": " + transfer["portable"]["point"].get<std::string>() + ", "), HasSubstr(" 100 % "))));
    for (const char* name : {"a.h", "a.hpp", "a.cuh", "a.json"}) {
        EXPECT_EQ(ask({"search", "best", "attention/fused", "--problem", "S=128", "--export", file(name)}).code, 0) << name;
        EXPECT_FALSE(read(name).empty()) << name;
    }
    EXPECT_EQ(read("a.h"), read("a.hpp"));
    EXPECT_EQ(ask({"search", "best", "attention/fused", "--problem", "S=128", "--export", file("a.c")}).code, 2);
    EXPECT_EQ(ask({"search", "best", "attention/fused", "--problem", "S=128", "--export", file("none/a.h")}).code, 4);
}

} // namespace
} // namespace kl::test
