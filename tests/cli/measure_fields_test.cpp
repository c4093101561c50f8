// SPDX-License-Identifier: MIT
// Commands that list and measure kernels: each field of their answers, the defaults of their options, and the files that they write.
#include "kernels/baseline_choice.h"
#include "kernels/catalog.h"
#include "kloop.h"
#include "tests/support/build_folder.h"
#include "tests/support/store_support.h"
#include "text_rows.h"

#include <map>
#include <set>
#include <thread>

namespace kl::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;
using Words = std::vector<std::string>;

class MeasureFields : public Kloop {
protected:
    /// A branch of the recorder's: for requests that match, this body.
    static std::string answeringTo(const std::string& pattern, std::string body)
    {
        for (std::size_t at = body.find('"'); at != std::string::npos; at = body.find('"', at + 2))
            body.insert(at, "\\");
        return pattern + ") echo \"{\\\"event\\\":\\\"result\\\",\\\"id\\\":$id,\\\"body\\\":" + body + "}\" ;;\n";
    }
    static Json orNull(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }
};

TEST_F(MeasureFields, AKernelIsListedAsItsDescriptorHasIt)
{
    const Result<Catalog> catalog = Catalog::loadEmbedded();
    ASSERT_TRUE(catalog.ok());
    const Json listed = kloop({"kernels", "--json"}).json()["kernels"];
    ASSERT_EQ(listed.size(), catalog->families().size());
    const auto texts = [](const std::vector<Params>& list) {
        Json array = Json::array();
        for (const Params& params : list)
            array.push_back(toText(params));
        return array;
    };
    const auto toJsonValue = [](const ParamValue& value) { return std::visit([](const auto& held) { return Json(held); }, value); };
    for (std::size_t i = 0; i < listed.size(); ++i) {
        const KernelFamily& family = catalog->families()[i];
        const Json& json = listed[i];
        EXPECT_EQ(json["id"], family.id);
        EXPECT_EQ(json["family"], family.id);
        EXPECT_EQ(json["title"], family.title) << family.id;
        EXPECT_EQ(json["baseline"], family.baseline.name) << family.id;
        EXPECT_EQ(json["baselines"], Json(baselineNames(family))) << family.id;
        EXPECT_EQ(json["smallest_problem"], toText(family.smallest)) << family.id;
        EXPECT_EQ(json["suite"], texts(family.suite)) << family.id;
        EXPECT_EQ(json["problems"], texts(family.problems)) << family.id;
        ASSERT_EQ(json["variants"].size(), family.variants.size()) << family.id;
        for (std::size_t v = 0; v < family.variants.size(); ++v) {
            const Variant& variant = family.variants[v];
            EXPECT_EQ(json["variants"][v], Json({{"id", variant.id},
                                                 {"expected", orNull(variant.expected.value_or(""))},
                                                 {"expected_why", orNull(variant.expectedWhy)},
                                                 {"address", family.id + '/' + variant.id},
                                                 {"title", variant.title},
                                                 {"summary", variant.summary},
                                                 {"fixes", orNull(variant.fixes)},
                                                 {"tunables", variant.tunables},
                                                 {"fault", orNull(variant.fault)},
                                                 {"targets", variant.targets},
                                                 {"when", orNull(variant.when)}}));
        }
        ASSERT_EQ(json["tunables"].size(), family.tunables.size()) << family.id;
        for (std::size_t t = 0; t < family.tunables.size(); ++t) {
            const Tunable& tunable = family.tunables[t];
            EXPECT_EQ(json["tunables"][t]["name"], tunable.name);
            EXPECT_EQ(json["tunables"][t]["help"], tunable.help);
            EXPECT_EQ(json["tunables"][t]["default"], toJsonValue(tunable.defaultValue)) << tunable.name;
            ASSERT_EQ(json["tunables"][t]["values"].size(), tunable.values.size()) << tunable.name;
            for (std::size_t k = 0; k < tunable.values.size(); ++k)
                EXPECT_EQ(json["tunables"][t]["values"][k], toJsonValue(tunable.values[k])) << tunable.name;
        }
    }
}

TEST_F(MeasureFields, AKernelOfYoursIsCheckedOnEachOfItsSizes)
{
    ASSERT_EQ(kloop({"new-kernel", "mine", "--dir", file("mine")}).code, 0);
    const Json sound = *parseJson(read("mine/kernel.json"), "kernel.json");
    for (const char* list : {"problems", "suite"}) {
        Json descriptor = sound;
        descriptor[list].push_back({{"N", 0}});
        write("mine/kernel.json", descriptor.dump());
        EXPECT_EQ(kloop({"kernels", "check", file("mine")}).code, 4) << list;
    }
    write("mine/kernel.json", sound.dump());
    const Json kernel = kloop({"kernels", "check", file("mine"), "--json"}).json();
    EXPECT_EQ(kernel["done"], "sound");
    ASSERT_EQ(kloop({"kernels", "add", file("mine")}).code, 0);
    EXPECT_EQ(kloop({"kernels", "add", file("mine"), "--json"}).json()["done"], "registered");
    ASSERT_EQ(kloop({"new-kernel", "other", "--dir", file("other")}).code, 0);
    Json taken = *parseJson(read("other/kernel.json"), "kernel.json");
    taken["id"] = "mine";
    write("other/kernel.json", taken.dump());
    EXPECT_EQ(kloop({"kernels", "check", file("other")}).code, 4) << "another has its id";
}

TEST_F(MeasureFields, AStarterIsWrittenIntoAFolderOfItsNameUnlessAnotherIsNamed)
{
    const std::string here = "env -C " + quoted(file(""));
    const Json kernel = kloop({"new-kernel", "mine", "--json"}, here).json();
    EXPECT_THAT(kernel["descriptor"].get<std::string>(), EndsWith("mine/kernel.json"));
    EXPECT_EQ(kernel["next"], "kloop run " + kernel["descriptor"].get<std::string>());
    EXPECT_TRUE(std::filesystem::exists(file("mine/kernel.json")));
    const Json target = kloop({"new-target", "solver", "--json"}, here).json();
    EXPECT_TRUE(std::filesystem::exists(file("solver/kernelloop.json")));
    EXPECT_THAT(target["next"].get<std::string>(),
                AllOf(StartsWith("kloop session new "), EndsWith(" --kernel " + target["target"].get<std::string>())));
    std::set<std::string> sources;
    for (const char* starter : {"elementwise", "copy", "reduction", "matmul"}) {
        ASSERT_EQ(kloop({"new-kernel", "one", "--dir", file(starter), "--template", starter}).code, 0);
        sources.insert(read(std::string(starter) + "/kernel.cu"));
    }
    EXPECT_THAT(sources, SizeIs(4));
    ASSERT_EQ(kloop({"new-kernel", "one", "--dir", file("default")}).code, 0);
    EXPECT_EQ(read("default/kernel.cu"), read("elementwise/kernel.cu"));
}

TEST_F(MeasureFields, APathWithTunablesAloneIsTheFirstVariant)
{
    useRecorder();
    ASSERT_EQ(kloop({"new-kernel", "mine", "--dir", file("mine")}).code, 0);
    const Json run = kloop({"run", file("mine") + "@BLOCK=128", "--json"}).json();
    EXPECT_EQ(run["variant"], "plain");
    EXPECT_EQ(run["tunables"], "BLOCK=128");
    EXPECT_EQ(kloop({"run", file("mine") + ":vector", "--json"}).json()["variant"], "vector");
}

TEST_F(MeasureFields, OfAPathASessionKeepsWhatItNames)
{
    useRecorder();
    ASSERT_EQ(kloop({"new-kernel", "mine", "--dir", file("mine")}).code, 0);
    const auto openKernel = [&](const char* name, const std::string& path) {
        return kloop({"session", "new", name, "Faster", "--kernel", path, "--json"}).json()["kernel"].get<std::string>();
    };
    EXPECT_EQ(openKernel("A", file("mine")), "mine") << "a family alone will do";
    EXPECT_THAT(openKernel("B", file("mine") + ":vector"), StartsWith("mine"));
    EXPECT_EQ(kloop({"session", "show", "B", "--json"}).json()["start"], "mine/vector");
}

TEST_F(MeasureFields, ASearchOfMetricsAsksForFiftyAndShowsEachField)
{
    useRecorder(
        {}, answeringTo("*'\"verb\":\"metrics\"'*",
                        R"({"chip":"GH100","matches":7,"found":[{"name":"dram__x.sum","description":"all of it","hardware_unit":"dram",)"
                        R"("unit":"bytes","rollups":["sum","avg"],"passes":3}]})"));
    const std::vector<Json> requests = requestedBy("metrics", {"metrics", "--chip", "GH100", "--search", ""});
    ASSERT_THAT(requests, SizeIs(1));
    EXPECT_EQ(requests[0]["limit"], 50) << "the default";
    EXPECT_EQ(requests[0]["search"], "") << "every metric";
    const Json answer = kloop({"metrics", "--chip", "GH100", "--search", "all", "--json"}).json();
    EXPECT_EQ(answer["schema"], "kernelloop.metrics/1");
    EXPECT_EQ(answer["chip"], "GH100");
    EXPECT_EQ(answer["matches"], 7);
    EXPECT_EQ(answer["found"][0], Json({{"name", "dram__x.sum"},
                                        {"description", "all of it"},
                                        {"hardware_unit", "dram"},
                                        {"unit", "bytes"},
                                        {"rollups", {"sum", "avg"}},
                                        {"passes", 3}}));
    EXPECT_THAT(readRows(kloop({"metrics", "--chip", "GH100", "--search", "all"}).out), Contains("dram__x.sum | bytes | 3 | all of it"));
    EXPECT_EQ(kloop({"metrics", "--chip", "GH100", "--search", "x", "--limit", "0"}).code, 2);
}

TEST_F(MeasureFields, PassesOfTiersAndSectionsAreEachTheirOwn)
{
    useRecorder({}, answeringTo("*'\"tier\":0'*'\"metrics\":[]'*|*'\"metrics\":[]'*'\"tier\":0'*", R"({"chip":"AD102","passes":1})") +
                        answeringTo("*'\"tier\":1'*'\"metrics\":[]'*|*'\"metrics\":[]'*'\"tier\":1'*", R"({"chip":"AD102","passes":11})") +
                        answeringTo("*'\"metrics\":[]'*", R"({"chip":"AD102","passes":21})") +
                        answeringTo("*'\"verb\":\"metrics\"'*", R"({"chip":"AD102","passes":5})"));
    const Json here = kloop({"metrics", "--json"}).json();
    EXPECT_EQ(here["chip"], "AD102") << "of this machine's GPU";
    for (const auto& [tier, passes] : {std::pair{0, 1}, {1, 11}, {2, 21}})
        EXPECT_EQ(here["tiers"][tier]["passes"], passes);
    for (const Json& section : here["sections"])
        EXPECT_EQ(section["passes"], 5) << section["id"];
    const std::vector<Json> asked = requestedBy("metrics", {"metrics"});
    ASSERT_EQ(asked.size(), 3 + here["sections"].size());
    for (std::size_t i = 0; i < here["sections"].size(); ++i)
        EXPECT_EQ(asked[3 + i]["metrics"], here["sections"][i]["metrics"]);
    EXPECT_EQ(asked[0]["chip"], "");
}

TEST_F(MeasureFields, APlanOnTheSampleIsForItsChipUnlessAnotherIsNamed)
{
    KL_NEEDS_SAMPLE();
    useRecorder();
    for (const Words& command :
         {Words{"profile", "--plan", "--tier", "0", "--on", "sample"}, {"metrics", "--search", "x", "--on", "sample"}}) {
        const std::vector<Json> recorded = requestedBy("metrics", command);
        ASSERT_THAT(recorded, SizeIs(1)) << command[0];
        EXPECT_EQ(recorded[0]["chip"], "GH100") << command[0];
        Words other = command;
        other.insert(other.end(), {"--chip", "AD102"});
        EXPECT_EQ(requestedBy("metrics", other).at(0)["chip"], "AD102") << command[0];
    }
    const std::vector<Json> both =
        requestedBy("metrics", {"profile", "--plan", "--chip", "GH100", "--metrics", "a.sum", "--sections", "WarpState"});
    ASSERT_THAT(both, SizeIs(1));
    EXPECT_EQ(both[0]["metrics"].back(), "a.sum") << "behind those of the section";
    EXPECT_GT(both[0]["metrics"].size(), 3U);
}

TEST_F(MeasureFields, OptionsOfAProfileThatExcludeEachOtherAreRefused)
{
    for (const Words& options : {Words{"--tier", "1", "--sections", "WarpState"},
                                 {"--counters-only", "--no-counters"},
                                 {"--counters-only", "--experiments"},
                                 {"--counters-only", "--energy"},
                                 {"--counters-only", "--pm-sampling"},
                                 {"--no-counters", "--pm-sampling"},
                                 {"--no-counters", "--metrics", "a"},
                                 {"--no-counters", "--sections", "WarpState"},
                                 {"--tier", "3"},
                                 {"--tier", "-1"},
                                 {"--max-passes", "1001"},
                                 {"--metrics", ","}}) {
        Words words{"profile", "transpose/naive", "--on", "sample"};
        words.insert(words.end(), options.begin(), options.end());
        EXPECT_EQ(kloop(words).code, 2) << testing::PrintToString(options);
    }
}

TEST_F(MeasureFields, WhyARecordingHasNoSamplesOverTimeIsForWhoAsks)
{
    KL_NEEDS_SAMPLE();
    const auto sampled = [&](Words words) {
        words.insert(words.end(), {"--on", "sample", "--json"});
        return kloop(words).json().value("pm_sampling", Json());
    };
    EXPECT_TRUE(sampled({"profile", "copy/vector"}).is_null());
    EXPECT_NE(sampled({"profile", "copy/vector", "--pm-sampling"})["unavailable"], "");
    EXPECT_FALSE(sampled({"profile", "transpose/naive"})["passes"].empty()) << "what there is is shown";
}

TEST_F(MeasureFields, TheNoiseOfEachFamilyIsARecordWithItsDeviceAndProblem)
{
    std::string blocks; // b a tenth slower
    for (int i = 0; i < 10; ++i)
        blocks += std::string(i > 0 ? "," : "") + R"({"a":[1000,1000],"b":[1100,1100]})";
    useRecorder(
        {}, answeringTo("*'\"verb\":\"ab\"'*", R"({"status":"ok","device":{"uuid":"GPU-1","name":"Test GPU","driver_version":"580.1"},)"
                                               R"("correctness_a":{"result":"correct"},"correctness_b":{"result":"correct"},"blocks":[)" +
                                                   blocks + "]}"));
    const Answer answer = kloop({"calibrate", "--repeats", "1", "--json"});
    ASSERT_EQ(answer.code, 0) << answer.err;
    std::vector<std::string> kernels;
    const Json records = answer.json()["calibrations"];
    std::set<std::string> ids;
    for (const Json& record : records) {
        kernels.push_back(record["kernel"].get<std::string>());
        ids.insert(record["id"].get<std::string>());
        EXPECT_EQ(record["repeats"], 1);
        EXPECT_EQ(record["different"], 1);
        EXPECT_EQ(record["equivalent"], 0);
        EXPECT_EQ(record["driver"], "580.1");
        EXPECT_NEAR(record["ratios"][0].get<double>(), 1000.0 / 1100, 1e-9);
        EXPECT_NE(record["at"], "");
    }
    std::vector<std::string> families;
    const Result<Catalog> catalog = Catalog::loadEmbedded();
    for (const KernelFamily& family : catalog->families())
        families.push_back(family.id);
    ASSERT_EQ(kernels.size(), families.size());
    EXPECT_EQ(ids.size(), families.size());
    for (std::size_t i = 0; i < families.size(); ++i)
        EXPECT_THAT(kernels[i], StartsWith(families[i] + '/'));
    EXPECT_EQ(records[0]["problem"], toText(catalog->families()[0].problems.front()));
    const std::vector<std::string> rows = readRows(kloop({"calibrate", "transpose/tiled", "--repeats", "2"}).out);
    EXPECT_THAT(rows[0], EndsWith(" 580.1"));
    EXPECT_THAT(rows[2], AllOf(StartsWith("transpose/tiled | M=4096,N=4096 | "), EndsWith(" | 9.091 % | 2 | 0 | 2")))
        << "below 1 as well as above";
}

TEST_F(MeasureFields, EachBaselineIsMeasuredUnlessSomeAreNamed)
{
    useRecorder();
    const std::vector<Json> all = requestedBy("run", {"baselines", "attention"});
    ASSERT_THAT(all, SizeIs(1));
    EXPECT_EQ(all[0]["baselines"].size(), 7U);
    EXPECT_THAT(all[0]["suite"], SizeIs(0));
    EXPECT_EQ(requestedBy("run", {"baselines", "attention/unfused"}).at(0)["work"]["kernel"], "attention/unfused");
    const std::vector<std::string> rows = readRows(kloop({"baselines"}).out);
    EXPECT_THAT(rows, Contains("attention | sdpa, sdpa-cudnn, sdpa-flash, sdpa-efficient, sdpa-math, cudnn, cublas"));
    EXPECT_EQ(kloop({"baselines", "nosuch"}).code, 4);
}

TEST_F(MeasureFields, OfProblemsThatBothSidesHaveTheOneMeasuredLastIsCompared)
{
    {
        const auto store = support::openStore(file("test.db"));
        const auto save = [&](const std::string& id, const std::string& variant, int day, int size) {
            RunRecord run = support::timedRun(id, variant, "2026-01-0" + std::to_string(day) + "T00:00:00.000Z", 1000);
            run.problem = {{"M", std::int64_t{size}}};
            ASSERT_TRUE(store->saveRun(run).ok());
        };
        save("aaaa0001", "naive", 1, 64);
        save("aaaa0002", "tiled", 2, 64);
        save("aaaa0003", "tiled", 3, 128);
        save("aaaa0004", "naive", 4, 128);
        save("aaaa0005", "naive", 5, 32);
        save("aaaa0006", "padded", 5, 32);
        save("aaaa0007", "padded", 6, 16);
    }
    const auto pair = [&](Words words) {
        words.insert(words.begin(), "compare");
        words.emplace_back("--json");
        const Json answer = kloop(words).json();
        return answer["a"].get<std::string>() + ' ' + answer["b"].get<std::string>();
    };
    EXPECT_EQ(pair({"transpose/naive", "transpose/tiled"}), "run:aaaa0004 run:aaaa0003");
    EXPECT_EQ(pair({"transpose/tiled", "transpose/naive"}), "run:aaaa0003 run:aaaa0004");
    EXPECT_EQ(pair({"transpose/naive", "transpose/tiled", "--problem", "M=64"}), "run:aaaa0001 run:aaaa0002");
    EXPECT_EQ(pair({"transpose/tiled", "transpose/padded"}), "run:aaaa0003 run:aaaa0007") << "each side's newest where they share none";
    EXPECT_EQ(pair({"transpose/tiled", "run:aaaa0001"}), "run:aaaa0002 run:aaaa0001") << "on that run's problem";
    EXPECT_EQ(pair({"run:aaaa0001", "transpose/tiled"}), "run:aaaa0001 run:aaaa0002");
    EXPECT_EQ(pair({"transpose/tiled", "run:aaaa0007"}), "run:aaaa0003 run:aaaa0007") << "its newest where it has none";
    EXPECT_EQ(pair({"aaaa0001", "run:aaaa0002"}), "run:aaaa0001 run:aaaa0002");
}

TEST_F(MeasureFields, AWatchMeasuresTheVariantThatWasNamedAgain)
{
    useRecorder();
    ASSERT_EQ(kloop({"new-kernel", "mine", "--dir", file("mine")}).code, 0);
    write("out", "");
    std::thread editor([&] {
        for (int i = 0; i < 2500 && read("out").empty(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        write("saved", read("mine/kernel.cu") + "// saved\n");
        std::filesystem::rename(file("saved"), file("mine/kernel.cu"));
    });
    const std::vector<Json> runs =
        requestedBy("run", {"watch", file("mine") + ":vector@BLOCK=128", "--problem", "N=64", "--saves", "1", "--json"});
    editor.join();
    ASSERT_THAT(runs, SizeIs(2));
    for (const Json& run : runs) {
        EXPECT_EQ(run["work"]["kernel"], "mine/vector@BLOCK=128");
        EXPECT_EQ(run["work"]["problem"], "N=64");
        EXPECT_FALSE(run["suite"].empty());
    }
    EXPECT_THAT(runs[1]["work"]["source"].get<std::string>(), EndsWith("// saved\n"));
}

TEST_F(MeasureFields, WhatIsLeftOutOfTheCatalogIsCountedByFamily)
{
    KL_NEEDS_SAMPLE();
    useWorker("exec '" + test::buildFolder() +
              "/bin/kloop-worker' --replay '" KL_SOURCE_DIR "/resources/captures/h200-morton.zst' \"$@\"\n");
    const Answer answer = kloop({"profile", "--all", "--on", "local", "--json"});
    std::map<std::string, int> counts;
    const Json missing = answer.json()["missing"];
    for (const Json& one : missing) {
        const std::string kernel = one["kernel"];
        ++counts[kernel.substr(0, kernel.find('/'))];
    }
    for (const auto& [family, count] : counts)
        EXPECT_THAT(readRows(answer.err), Contains(AllOf(HasSubstr(' ' + family + ' '), withFigures(std::to_string(count)))));
    EXPECT_EQ(kloop({"confusion"}, "KERNELLOOP_WORKER=/nonexistent").code, 5) << "without a device there is no catalog to profile";
}

TEST_F(MeasureFields, OfOneUnknownMetricNoOthersAreCounted)
{
    useRecorder({}, answeringTo("*'\"verb\":\"metrics\"'*", R"({"chip":"GH100","unknown":{"x":["y"]},"names":[]})"));
    const Words plan{"profile", "--plan", "--chip", "GH100", "--metrics", "x", "--json"};
    EXPECT_THAT(kloop(plan).json()["error"]["message"].get<std::string>(), testing::Not(testing::ContainsRegex("[ ][0-9]+ ")));
    useRecorder({}, R"(*'"verb":"metrics"'*) echo "{\"event\":\"error\",\"id\":$id,\"code\":\"bad-input\",\"message\":\"No.\"}" ;;)");
    EXPECT_EQ(kloop({"profile", "transpose/naive", "--max-passes", "5"}).code, 4) << "a plan that is wrong is an error";
}

} // namespace
} // namespace kl::test
