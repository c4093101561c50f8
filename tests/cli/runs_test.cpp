// SPDX-License-Identifier: MIT
// kloop runs, and what it shares with kloop session: names, tags, deleting.
#include "kloop.h"

#include <set>

namespace kl::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

class Runs : public Kloop {
protected:
    std::string measured(const std::string& kernel) const
    {
        return kloop({"run", kernel, "--on", "sample", "--json"}).json().value("id", "");
    }
};

TEST_F(Runs, AreListedNamedTaggedAndDeleted)
{
    const std::string naive = measured("transpose/naive");
    const std::string tiled = measured("transpose/tiled");
    ASSERT_FALSE(naive.empty() || tiled.empty());
    EXPECT_THAT(kloop({"runs", "list", "--json"}).json()["runs"], SizeIs(2));
    EXPECT_EQ(kloop({"runs", "rename", naive, "the first"}).code, 0);
    EXPECT_EQ(kloop({"runs", "tag", naive, "keep", "slow"}).code, 0);
    EXPECT_EQ(kloop({"runs", "untag", naive, "slow", "--json"}).json()["tags"], Json::array({"keep"}));
    const Json found = kloop({"runs", "list", "--find", "FIRST", "--json"}).json()["runs"];
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0]["id"], naive);
    EXPECT_EQ(found[0]["tags"], Json::array({"keep"}));
    const Json page = kloop({"runs", "list", "--sort", "slowest", "--limit", "1", "--json"}).json();
    EXPECT_EQ(page["runs"][0]["id"], naive);
    EXPECT_EQ(kloop({"runs", "list", "--sort", "slowest", "--after", page["after"], "--json"}).json()["runs"][0]["id"], tiled);

    const Answer asked = kloop({"runs", "delete", naive});
    EXPECT_EQ(asked.code, 1);
    EXPECT_THAT(asked.err, HasSubstr("transpose/naive"));
    EXPECT_EQ(kloop({"runs", "delete", naive, "--yes"}).code, 0);
    EXPECT_THAT(kloop({"runs", "list", "--json"}).json()["runs"], SizeIs(1));
    EXPECT_EQ(kloop({"runs", "delete", naive, "--yes"}).code, 4);
}

TEST_F(Runs, TheNextPageRepeatsNoRow)
{
    std::set<std::string> left{measured("transpose/naive"), measured("transpose/tiled"), measured("transpose/padded")};
    ASSERT_THAT(left, SizeIs(3));
    const Json page = kloop({"runs", "list", "--limit", "2", "--json"}).json();
    for (const Json& run : page["runs"])
        left.erase(run["id"].get<std::string>());
    const Json next = kloop({"runs", "list", "--limit", "2", "--after", page["after"], "--json"}).json();
    ASSERT_THAT(next["runs"], SizeIs(1));
    EXPECT_THAT(left, ElementsAre(next["runs"][0]["id"].get<std::string>()));
    EXPECT_TRUE(next["after"].is_null());
}

TEST_F(Runs, ASessionsEvidenceIsKeptUntilTheSessionGoes)
{
    ASSERT_EQ(kloop({"session", "new", "Evidence-7", "Coalesce the stores", "--kernel", "transpose", "--on", "sample"}).code, 0);
    for (int step = 0; step < 3; ++step)
        kloop({"session", "step", "--session", "Evidence-7"});
    const std::string run = kloop({"runs", "list", "--json"}).json()["runs"][0]["id"];
    EXPECT_THAT(kloop({"runs", "delete", run}).err, HasSubstr("Evidence-7"));
    EXPECT_EQ(kloop({"runs", "delete", run, "--yes"}).code, 1);
    EXPECT_EQ(kloop({"session", "rename", "Evidence-7", "M"}).code, 0);
    EXPECT_EQ(kloop({"session", "tag", "M", "paper"}).code, 0);
    EXPECT_EQ(kloop({"session", "list", "--tag", "paper", "--json"}).json()["sessions"][0]["name"], "M");
    EXPECT_EQ(kloop({"session", "delete", "M"}).code, 1);
    EXPECT_EQ(kloop({"session", "delete", "M", "--yes"}).code, 0);
    EXPECT_THAT(kloop({"session", "list", "--json"}).json()["sessions"], SizeIs(0));
    EXPECT_EQ(kloop({"runs", "delete", run, "--yes"}).code, 0);
}

} // namespace
} // namespace kl::test
