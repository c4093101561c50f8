// SPDX-License-Identifier: MIT
// The use of a winner: which of history is the best, whether it still holds, its export, and how it does elsewhere.
#include "sessions/search/search_history.h"

#include "kernels/code_builder.h"
#include "kernels/space/search_space.h"
#include "sessions/search/tuned_export.h"
#include "sessions/store/search_records.h"
#include "tests/sessions/store_support.h"

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
        Result<Catalog> kernels = Catalog::embedded();
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
        made.sourceHash = codeTextOf(*family_, *variant_).hash();
        made.best.emplace();
        made.best->tunables = point(rows, warps);
        made.best->kernel = toText(addressOf(*family_, *variant_, *parseParams(made.best->tunables)));
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
        const auto [name, content] = artifactOf(made);
        ASSERT_TRUE(store_->saveArtifact(name, content));
    }
    FoundBest found(const BestFilter& filter) const
    {
        const auto list = foundBests(*store_, *kernels_, filter);
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
    EXPECT_TRUE(foundBests(*store_, *kernels_, {"copy/coalesced", {}, {}, {}})->empty());
    EXPECT_TRUE(foundBests(*store_, *kernels_, {{}, {}, "L4", {}})->empty());
    SearchRecord unfinished = record("4", "L4", kSmall, 32, 4, 5000);
    unfinished.best.reset();
    save(unfinished);
    EXPECT_EQ(foundBests(*store_, *kernels_, {})->size(), 1U);
}

TEST_F(SearchHistory, ABestOfAnOlderSourceIsStale)
{
    SearchRecord old = record("1", "H200", kSmall, 64, 4, 7000);
    old.sourceHash = "0";
    save(old);
    const FoundBest stale = found({});
    EXPECT_FALSE(stale.stale.empty());
    EXPECT_EQ(tunedHeader(*family_, *variant_, stale).error().code, ErrorCode::refused);
    const Result<Json> json = tunedJson(*family_, *variant_, stale);
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
    const Result<std::string> header = tunedHeader(*family_, *variant_, best);
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
    const Result<TransferReport> report = transferOf(*store_, *kernels_, "attention/fused");
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

} // namespace
} // namespace kl
