// SPDX-License-Identifier: MIT
// What version 0.1.0 itself wrote (tests/data/earlier/0.1.0, on its sample): a database with runs, a finished and an open session, a price
// and an imported report; a bundle; a kernel from a starter, whose descriptor has a field under its name of then.
#include "core/base/read_file.h"
#include "profiler/replay/capture_file.h"
#include "tests/cli/kloop.h"

#include <algorithm>
#include <filesystem>

namespace kl::test {
namespace {

class Version010 : public Kloop {
protected:
    void SetUp() override
    {
        Kloop::SetUp();
        unpack("own.db", "test.db");
    }
    static std::filesystem::path data() { return std::filesystem::path(KL_SOURCE_DIR) / "tests/data/earlier/0.1.0"; }
    void unpack(const std::string& name, const std::string& as) const
    {
        const Result<std::string> packed = readFile(data() / (name + ".zst"), 1 << 20);
        ASSERT_TRUE(packed) << packed.error().message;
        const Result<std::string> text = decompressCapture(*packed, name);
        ASSERT_TRUE(text) << text.error().message;
        write(as, *text);
    }
};

TEST_F(Version010, ItsDatabaseOpensWithItsSessionsRunsAndPrices)
{
    const Answer sessions = kloop({"session", "list", "--json"});
    ASSERT_EQ(sessions.code, 0) << sessions.err;
    const Json rows = sessions.json()["sessions"];
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0]["name"], "N");
    EXPECT_EQ(rows[0]["phase"], "done");
    EXPECT_EQ(rows[0]["outcome"], "kept");
    EXPECT_NEAR(rows[0]["gain"].get<double>(), 3.498, 0.001);
    EXPECT_EQ(rows[1]["kind"], "debug");
    EXPECT_EQ(rows[1]["phase"], "document");
    EXPECT_EQ(kloop({"runs", "list", "--limit", "100", "--json"}).json()["runs"].size(), 10U);
    const Answer profile = kloop({"show", "transpose/naive", "--json"});
    EXPECT_EQ(profile.code, 0) << profile.err;
    const Json prices = kloop({"cost", "price", "--json"}).json()["prices"];
    const auto own = std::ranges::find_if(prices, [](const Json& row) { return row["class"] == "own"; });
    ASSERT_NE(own, prices.end());
    EXPECT_EQ((*own)["dollars_per_hour"], 3.5);
    EXPECT_EQ(kloop({"db", "check"}).code, 0);
}

TEST_F(Version010, ItsSessionsGoOnAndAreReported)
{
    const Answer shown = kloop({"session", "show", "D", "--json"});
    ASSERT_EQ(shown.code, 0) << shown.err;
    EXPECT_EQ(shown.json()["gate"]["id"], "D1");
    EXPECT_EQ(kloop({"session", "report", "N", "--html", file("n.html")}).code, 0);
    EXPECT_THAT(read("n.html"), testing::HasSubstr("3.50"));
    KL_NEEDS_SAMPLE();
    for (int step = 0; step < 2; ++step) { // the report, then the end
        const Answer done = kloop({"session", "step", "--session", shown.json()["session"], "--on", "sample", "--json"});
        EXPECT_EQ(done.code, 0) << done.err << done.out;
    }
    EXPECT_EQ(kloop({"session", "list", "--json"}).json()["sessions"][1]["phase"], "done");
}

TEST_F(Version010, ItsBundleIsImportedAndItsDescriptorRead)
{
    unpack("bundle.json", "bundle.json");
    std::filesystem::remove(file("test.db"));
    const Answer imported = kloop({"import", file("bundle.json"), "--json"});
    EXPECT_EQ(imported.code, 0) << imported.err;
    EXPECT_EQ(kloop({"runs", "list", "--json"}).json()["runs"].size(), 1U);
    const Answer checked = kloop({"kernels", "check", (data() / "kernel.json").string(), "--json"});
    EXPECT_EQ(checked.code, 0) << checked.err;
    EXPECT_EQ(checked.json()["kernel"]["variants"][1]["fixes"], "plain");
}

} // namespace
} // namespace kl::test
