// SPDX-License-Identifier: MIT
// The kernels of tests/data/cheats: all are described, all are sound kernels, and the compiler takes them. Whether they are caught is for a
// GPU to say: tests/bench/cheats.py.
#ifdef KL_HAVE_LIVE
#include "core/base/parallel.h"
#include "core/codec/json.h"
#include "kernels/catalog.h"
#include "kernels/user_kernel.h"
#include "profiler/live/nvrtc/nvrtc.h"
#include "profiler/live/ptx/opcodes.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

namespace kl {
namespace {

namespace fs = std::filesystem;
using testing::IsEmpty;
using testing::IsSubsetOf;
using testing::IsSupersetOf;
using testing::Not;

const fs::path kCheats = fs::path(KL_SOURCE_DIR) / "tests/data/cheats";

class Cheats : public testing::Test {
protected:
    void SetUp() override
    {
        std::ifstream file(kCheats / "cheats.json");
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        const Result<Json> parsed = parseJson(text, "cheats.json");
        ASSERT_TRUE(parsed) << parsed.error().message;
        manifest = *parsed;
        for (const fs::directory_entry& folder : fs::directory_iterator(kCheats))
            if (fs::exists(folder.path() / "kernel.json"))
                add(folder.path());
    }

    void add(const fs::path& folder)
    {
        Result<KernelFamily> family = loadKernel(folder);
        ASSERT_TRUE(family) << family.error().message;
        for (const Variant& variant : family->variants)
            addresses[folder.filename().string() + '/' + variant.id] = {family->id, variant.id, {}};
        ASSERT_TRUE(kernels.add(std::move(*family)));
    }

    std::set<std::string> all(const char* list, const char* field) const
    {
        std::set<std::string> found;
        for (const Json& one : manifest.at(list))
            found.insert(one.at(field).get<std::string>());
        return found;
    }

    Json manifest;
    Catalog kernels{{}};
    std::map<std::string, Address> addresses; ///< by the manifest's ids
};

TEST_F(Cheats, EveryVariantIsInTheManifestOnce)
{
    std::multiset<std::string> listed;
    for (const char* list : {"cheats", "honest", "limits"})
        for (const Json& one : manifest.at(list))
            listed.insert(one.at("id").get<std::string>());
    std::multiset<std::string> there;
    for (const auto& [id, address] : addresses)
        there.insert(id);
    EXPECT_EQ(listed, there);
}

TEST_F(Cheats, EveryCategoryIsThereAndEveryCheatHasAnHonestTwin)
{
    EXPECT_GE(manifest.at("cheats").size(), 24U);
    EXPECT_GE(manifest.at("honest").size(), 10U);
    EXPECT_THAT(all("cheats", "family"), IsSupersetOf({"call-counter", "clock", "replay", "kept-inputs", "sentinel", "partial-work",
                                                       "hard-coded", "precision", "left-overs", "cache", "ahead", "race"}));
    const std::set<std::string> honest = all("honest", "id");
    for (const std::string& id : all("cheats", "id"))
        EXPECT_TRUE(honest.contains(id.substr(0, id.find('/')) + "/honest")) << id;
}

TEST_F(Cheats, EveryExpectedResultIsOneOfTheResultWords)
{
    const std::vector<std::string> words = {"incorrect",         "incorrect-when-timed", "stateful",           "replays",
                                            "non-deterministic", "below-physics",        "precision-downgrade"};
    for (const Json& one : manifest.at("cheats")) {
        const auto expected = one.at("expected").get<std::vector<std::string>>();
        EXPECT_THAT(expected, Not(IsEmpty())) << one.at("id");
        EXPECT_THAT(expected, IsSubsetOf(words)) << one.at("id");
        EXPECT_FALSE(one.at("what").get<std::string>().empty()) << one.at("id");
    }
    for (const Json& one : manifest.at("honest"))
        EXPECT_EQ(one.at("expected"), Json({"correct"})) << one.at("id");
}

/// What `kloop kernels check` evaluates: every formula, for every size.
TEST_F(Cheats, EveryVariantCanBeLaunchedOnItsWholeSuite)
{
    for (const auto& [id, address] : addresses) {
        EXPECT_TRUE(kernels.work(address, {})) << id;
        const Result<std::vector<WorkSpec>> suite = kernels.suite(address);
        ASSERT_TRUE(suite) << id << ": " << suite.error().message;
        EXPECT_GE(suite->size(), 2U) << id;
    }
}

TEST_F(Cheats, EveryVariantCompilesForAmpereAndHopper)
{
    if (const auto& loaded = Nvrtc::load(); !loaded)
        GTEST_SKIP() << loaded.error().message;
    struct Task {
        std::string id, arch, fault;
        WorkSpec work;
    };
    std::vector<Task> tasks;
    for (const auto& [id, address] : addresses)
        for (const char* arch : {"sm_80", "sm_90"}) {
            const Result<WorkSpec> work = kernels.work(address, {});
            ASSERT_TRUE(work) << id;
            tasks.push_back({id, arch, {}, *work});
        }
    inParallel(tasks.size(), [&](std::size_t i) {
        Task& task = tasks[i];
        const auto compiled = Nvrtc::load()->compile({task.work.source, task.work.options, task.arch, task.work.headers});
        if (!compiled || !compiled->ok) {
            task.fault = compiled ? compiled->log : compiled.error().message;
            return;
        }
        for (const LaunchSpec& launch : task.work.launches)
            if (opcodeMix(compiled->ptx, launch.entry).empty())
                task.fault = "no code for " + launch.entry;
    });
    for (const Task& task : tasks)
        EXPECT_EQ(task.fault, "") << task.id << ' ' << task.arch;
}

} // namespace
} // namespace kl
#endif
