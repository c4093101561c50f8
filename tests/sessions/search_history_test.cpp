// SPDX-License-Identifier: MIT
// The use of a winner: which of history is the best, whether it still holds, its export, and how it does elsewhere.
#include "sessions/search/search_history.h"

#include "kernels/code_builder.h"
#include "kernels/space/search_space.h"
#include "sessions/search/tuned_export.h"
#include "sessions/store/search_records.h"
#include "tests/support/store_support.h"

#include <cstdlib>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

using testing::HasSubstr;

class SearchHistory : public testing::Test {
protected:
    void SetUp() override
    {
        Result<Catalog> kernels = Catalog::loadEmbedded();
        ASSERT_TRUE(kernels);
        kernels_.emplace(std::move(*kernels));
        family_ = *kernels_->family("attention");
        variant_ = *kernels_->variant({"attention", "fused", {}});
        store_ = support::openStore(":memory:");
    }
    static std::string point(int rows, int warps)
    {
        return "BLOCK_M=" + std::to_string(rows) +
               ",BLOCK_N=64,HALF2=on,MIN_BLOCKS=1,SPLIT_KV=off,STAGES=2,SWIZZLE=xor,UNROLL=full,WARPS=" + std::to_string(warps);
    }
    SearchRecord record(const std::string& id, const std::string& device, const std::string& problem, int rows, int warps, double ns) const
    {
        SearchRecord made;
        made.id = id;
        made.startedAt = "2026-01-0" + id + "T00:00:00.000Z";
        made.state = SearchStage::finished;
        made.device = device;
        made.arch = "sm_90";
        made.kernel = "attention/fused";
        made.problem = problem;
        made.sourceHash = chooseCodeText(*family_, *variant_).hash();
        made.best.emplace();
        made.best->tunables = point(rows, warps);
        made.best->kernel = toText(makeAddress(*family_, *variant_, *parseParams(made.best->tunables)));
        made.best->ns = ns;
        add(made, rows, warps, ns);
        return made;
    }
    static void add(SearchRecord& made, int rows, int warps, double ns)
    {
        SearchTrial& trial = made.trials.emplace_back();
        trial.tunables = point(rows, warps);
        trial.ns = ns;
    }
    void save(const SearchRecord& made) const
    {
        const auto [name, content] = makeArtifact(made);
        ASSERT_TRUE(store_->saveArtifact(name, content));
    }
    FoundBest found(const BestFilter& filter) const
    {
        const auto list = findBests(*store_, *kernels_, filter);
        EXPECT_TRUE(list);
        EXPECT_EQ(list->size(), 1U);
        return list && !list->empty() ? list->front() : FoundBest{};
    }

    static constexpr const char* kSmall = "B=2,BF16=0,CAUSAL=0,D=64,GROUP=1,H=8,OUTLIERS=0,S=512,SK=512";
    static constexpr const char* kLarge = "B=2,BF16=0,CAUSAL=0,D=64,GROUP=1,H=8,OUTLIERS=0,S=4096,SK=4096";
    std::optional<Catalog> kernels_;
    const KernelFamily* family_ = nullptr;
    const Variant* variant_ = nullptr;
    std::unique_ptr<Store> store_;
};

TEST_F(SearchHistory, TheFastestOfThePresentSourceIsTheBest)
{
    save(record("1", "H200", kSmall, 64, 4, 7000));
    save(record("2", "H200", kSmall, 32, 2, 8000)); // newer, but slower
    EXPECT_EQ(found({"attention/fused", kSmall, "h20", {}}).record.id, "1");
    SearchRecord old = record("3", "H200", kSmall, 32, 4, 5000);
    old.sourceHash = "0";
    save(old);
    EXPECT_EQ(found({}).record.id, "1") << "of another source, a time says nothing";
    EXPECT_TRUE(findBests(*store_, *kernels_, {"copy/coalesced", {}, {}, {}})->empty());
    EXPECT_TRUE(findBests(*store_, *kernels_, {{}, {}, "L4", {}})->empty());
    SearchRecord unfinished = record("4", "L4", kSmall, 32, 4, 5000);
    unfinished.best.reset();
    save(unfinished);
    EXPECT_EQ(findBests(*store_, *kernels_, {})->size(), 1U);
}

TEST_F(SearchHistory, ABestOfAnOlderSourceIsStale)
{
    SearchRecord old = record("1", "H200", kSmall, 64, 4, 7000);
    old.sourceHash = "0";
    save(old);
    const FoundBest stale = found({});
    EXPECT_FALSE(stale.stale.empty());
    EXPECT_EQ(makeTunedHeader(*family_, *variant_, stale).error().code, ErrorCode::refused);
    const Result<Json> json = makeTunedJson(*family_, *variant_, stale);
    ASSERT_TRUE(json);
    EXPECT_EQ((*json)["stale"], stale.stale);
    old.kernel = "gone/away";
    save(old);
    EXPECT_THAT(found({}).stale, HasSubstr("gone/away"));
}

TEST_F(SearchHistory, TheHeaderCompilesAndItsAssertionsHold)
{
    save(record("1", "H200", kSmall, 64, 4, 7000));
    const FoundBest best = found({});
    const Result<std::string> header = makeTunedHeader(*family_, *variant_, best);
    ASSERT_TRUE(header) << header.error().message;
    EXPECT_THAT(*header, HasSubstr("static constexpr int block_m = 64;"));
    EXPECT_THAT(*header, HasSubstr("static_assert(formula::mod(tunables::block_m,16.0*tunables::warps)==0.0"));
    const support::TempDir folder;
    const auto compiles = [&](const std::string& text, const std::string& body) {
        support::writeBytes(folder / "tuned.h", text);
        support::writeBytes(folder / "use.cpp", "#include \"tuned.h\"\n#include \"tuned.h\"\n" + body);
        return std::system(
                   ("c++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only " + (folder / "use.cpp").string() + " 2>/dev/null").c_str()) == 0;
    };
    EXPECT_TRUE(
        compiles(*header, "using T = kernelloop::tuned::attention_fused::tunables;\nstatic_assert(T::block_m == 64 && T::warps == 4);\n"));
    std::string wrong = *header;
    wrong.replace(wrong.find("block_m = 64"), 12, "block_m = 48");
    EXPECT_FALSE(compiles(wrong, "")) << "48 is not one of its values";
    std::string odd = *header;
    odd.replace(odd.find("warps = 4"), 9, "warps = 8");
    EXPECT_FALSE(compiles(odd, "")) << "64 rows are not a multiple of 16 rows for each of 8 warps";
    std::string unknown = *header;
    unknown.replace(unknown.find("warps = 4"), 9, "warps = 1");
    EXPECT_FALSE(compiles(unknown, "")) << "it holds every constraint, but is not one of its values";
}

TEST_F(SearchHistory, TransferSaysHowGoodABestIsElsewhere)
{
    SearchRecord small = record("1", "H200", kSmall, 64, 4, 100);
    add(small, 64, 2, 110);
    add(small, 32, 2, 125);
    SearchRecord large = record("2", "H200", kLarge, 32, 2, 1000);
    add(large, 64, 2, 1050);
    large.rejected.push_back({point(64, 4), "spills", "It spills."});
    SearchRecord other = record("3", "L4", kSmall, 64, 4, 300);
    other.sourceHash = "0";
    for (const SearchRecord& each : {small, large, other})
        save(each);
    const Result<TransferReport> report = computeTransfer(*store_, *kernels_, "attention/fused");
    ASSERT_TRUE(report);
    ASSERT_EQ(report->places.size(), 2U);
    EXPECT_EQ(report->stale, 1U);
    const std::size_t first = report->places[0].record.id == "1" ? 0 : 1, second = 1 - first;
    EXPECT_EQ(report->table[first][first].share, 1.0);
    EXPECT_FALSE(report->table[first][second].share);
    EXPECT_THAT(report->table[first][second].why, HasSubstr("It spills"));
    EXPECT_DOUBLE_EQ(*report->table[second][first].share, 0.8);
    ASSERT_TRUE(report->portable);
    EXPECT_EQ(report->portable->tunables, point(64, 2));
    EXPECT_DOUBLE_EQ(report->portable->worst, 100.0 / 110);
}

TEST_F(SearchHistory, AnIncorrectPointIsNeitherFastNorPortable)
{
    SearchRecord small = record("1", "H200", kSmall, 64, 4, 100);
    add(small, 64, 2, 50);
    add(small, 32, 2, 125);
    small.wrong = {toText(makeAddress(*family_, *variant_, *parseParams(point(64, 2)))) + ": row 3"};
    SearchRecord large = record("2", "H200", kLarge, 64, 2, 1000);
    add(large, 32, 2, 1250);
    for (const SearchRecord& each : {small, large})
        save(each);
    const Result<TransferReport> report = computeTransfer(*store_, *kernels_, "attention/fused");
    ASSERT_TRUE(report);
    ASSERT_EQ(report->places.size(), 2U);
    const std::size_t first = report->places[0].record.id == "1" ? 0 : 1, second = 1 - first;
    EXPECT_FALSE(report->table[second][first].share) << "it was incorrect there";
    EXPECT_TRUE(report->table[second][first].why.ends_with(": row 3"));
    ASSERT_TRUE(report->portable);
    EXPECT_EQ(report->portable->tunables, point(32, 2));
    EXPECT_DOUBLE_EQ(report->portable->worst, 0.8);
}

TEST_F(SearchHistory, EveryPartOfAFilterCounts)
{
    save(record("1", "NVIDIA H200", kSmall, 64, 4, 7000));
    save(record("2", "NVIDIA H200", kLarge, 32, 2, 9000));
    SearchRecord lean = record("3", "NVIDIA H200", kSmall, 32, 2, 9000);
    lean.objective = "energy";
    lean.best->joules = 0.1;
    save(lean);
    SearchRecord wasteful = record("4", "NVIDIA H200", kSmall, 64, 2, 8000); // newer and faster
    wasteful.objective = "energy";
    wasteful.best->joules = 0.2;
    save(wasteful);
    EXPECT_EQ(findBests(*store_, *kernels_, {})->size(), 3U) << "by problem and objective";
    EXPECT_EQ(found({.problem = kLarge}).record.id, "2");
    EXPECT_EQ(found({.objective = "energy"}).record.id, "3");
    EXPECT_EQ(found({.problem = kSmall, .objective = "time"}).record.id, "1");
    EXPECT_EQ(found({.objective = "time", .tunables = {{"BLOCK_M", std::int64_t{32}}, {"WARPS", std::int64_t{2}}}}).record.id, "2");
    EXPECT_TRUE(findBests(*store_, *kernels_, {.tunables = {{"BLOCK_M", std::int64_t{16}}}})->empty());
    EXPECT_TRUE(findBests(*store_, *kernels_, {.tunables = {{"NOSUCH", std::int64_t{16}}}})->empty());
    EXPECT_EQ(findBests(*store_, *kernels_, {.kernel = "attention"})->size(), 3U);
    EXPECT_TRUE(findBests(*store_, *kernels_, {.kernel = "attent"})->empty());
}

TEST_F(SearchHistory, OfSeveralStaleOnesTheNewestIsShown)
{
    for (const auto& [id, ns] : {std::pair{"1", 5000.0}, std::pair{"2", 7000.0}}) {
        SearchRecord old = record(id, "H200", kSmall, 64, 4, ns);
        old.sourceHash = "0";
        save(old);
    }
    EXPECT_EQ(found({}).record.id, "2");
}

TEST_F(SearchHistory, ATransferTakesTheLongerLookAndTheTimeOfTheSameProgram)
{
    SearchRecord small = record("1", "H200", kSmall, 64, 4, 100);
    small.trials.back().again = 120; // looked at twice
    add(small, 32, 2, 150);
    SearchRecord large = record("2", "H200", kLarge, 32, 2, 1000);
    large.twins[point(64, 4)] = point(32, 2);
    add(large, 64, 2, 900);
    large.trials.back().why = "it faulted";
    SearchRecord other = record("3", "L4", kSmall, 64, 2, 400);
    SearchRecord lean = record("4", "L4", kLarge, 32, 2, 9000);
    lean.objective = "energy";
    for (const SearchRecord& each : {small, large, other, lean})
        save(each);
    const Result<TransferReport> report = computeTransfer(*store_, *kernels_, "attention/fused");
    ASSERT_TRUE(report);
    ASSERT_EQ(report->places.size(), 3U) << "a search for energy says nothing about time";
    EXPECT_EQ(report->stale, 0U);
    std::map<std::string, std::size_t> at;
    for (std::size_t i = 0; i < report->places.size(); ++i)
        at[report->places[i].record.id] = i;
    const auto entry = [&](const char* from, const char* to) { return report->table[at[from]][at[to]]; };
    EXPECT_EQ(entry("1", "1").share, 1.0);
    EXPECT_EQ(entry("1", "2").share, 1.0) << "the same program there";
    EXPECT_DOUBLE_EQ(*entry("2", "1").share, 120.0 / 150);
    EXPECT_FALSE(entry("3", "2").share) << "it failed there";
    EXPECT_FALSE(entry("3", "2").why.empty());
    EXPECT_FALSE(entry("3", "1").share);
    EXPECT_FALSE(entry("2", "3").share);
    EXPECT_FALSE(report->portable) << "none was measured in every place";
}

} // namespace
} // namespace kl
