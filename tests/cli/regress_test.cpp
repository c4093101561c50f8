// SPDX-License-Identifier: MIT
// kloop regress over runs that slowed down: what it lists, what marks change, and its exit status.
#include "kloop.h"
#include "tests/support/store_support.h"

namespace kl::test {
namespace {

class Regress : public Kloop {
protected:
    void SetUp() override
    {
        Kloop::SetUp();
        const std::unique_ptr<Store> store = support::openStore(file("test.db"));
        for (int i = 0; i < 14; ++i) {
            RunRecord run = support::timedRun("aaaa00" + std::to_string(10 + i), "naive",
                                              "2026-01-" + std::to_string(10 + i) + "T00:00:00.000Z", i < 12 ? 1000 : 1200);
            ASSERT_TRUE(store->saveRun(run));
        }
        ASSERT_TRUE(store->saveRun(support::timedRun("bbbb0000", "tiled", "2026-01-30T00:00:00.000Z", 900)));
    }
    /// The one row of an answer that has this exit status and as many open regressions.
    Json row(std::vector<std::string> words, int code, int open) const
    {
        words.insert(words.begin(), "regress");
        words.emplace_back("--json");
        const Answer answer = kloop(words);
        EXPECT_EQ(answer.code, code) << testing::PrintToString(words) << answer.err;
        const Json json = answer.json();
        EXPECT_EQ(json.value("open", -1), open) << testing::PrintToString(words);
        return json.contains("regressions") && json["regressions"].size() == 1 ? json["regressions"][0] : Json::object();
    }
};

TEST_F(Regress, ExitsWithOneWhileASlowDownIsOpen)
{
    const Json slow = row({}, 1, 1);
    EXPECT_EQ(slow["kernel"], "transpose/naive");
    EXPECT_EQ(slow["problem"], "M=64,N=64");
    EXPECT_EQ(slow["device"], "NVIDIA H200");
    EXPECT_EQ(slow["run"], "aaaa0022");
    EXPECT_EQ(slow["since"], "2026-01-22T00:00:00.000Z");
    EXPECT_EQ(slow["newest"], "aaaa0023");
    EXPECT_EQ(slow["level_ns"], 1000);
    EXPECT_EQ(slow["after_ns"], 1200);
    EXPECT_EQ(slow["limit_ns"], 1010);
    EXPECT_NEAR(slow["change"].get<double>(), 0.2, 1e-9);
    EXPECT_EQ(slow["state"], "open");
    EXPECT_EQ(slow["note"], "");
}

TEST_F(Regress, AMarkClosesItUntilItIsUndone)
{
    const Json known = row({"acknowledge", "transpose/naive", "--note", "the driver"}, 0, 0);
    EXPECT_EQ(known["state"], "acknowledged");
    EXPECT_EQ(known["note"], "the driver");
    EXPECT_EQ(row({}, 0, 0)["state"], "acknowledged");
    EXPECT_EQ(row({"undo", "run:aaaa0022"}, 0, 1)["state"], "open");
    row({}, 1, 1);
    EXPECT_EQ(row({"fixed", "run:aaaa0023", "--note", "f"}, 0, 0)["state"], "fixed");
    row({"undo", "transpose/naive"}, 0, 1);
    EXPECT_EQ(row({"new-normal", "transpose/naive"}, 0, 0)["state"], "new-normal");
    EXPECT_EQ(kloop({"regress"}).code, 0);
    EXPECT_EQ(kloop({"regress", "fixed", "transpose/tiled"}).code, 4) << "it is not slower";
    EXPECT_EQ(kloop({"regress", "undo", "transpose/tiled"}).code, 4);
}

} // namespace
} // namespace kl::test
