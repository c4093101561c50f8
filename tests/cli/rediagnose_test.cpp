// SPDX-License-Identifier: MIT
// kloop rediagnose: stored findings and a tree that has changed since.
#include "kloop.h"

namespace kl::test {
namespace {

using testing::SizeIs;

class RediagnoseCli : public Kloop {
protected:
    /// The program's tree with another threshold for coalesced access, which nothing exceeds.
    std::string laterTree() const
    {
        Json tree = kloop({"tree", "--json"}).json();
        for (Json& node : tree["nodes"])
            if (node["class"] == "uncoalesced")
                for (Json& way : node["any"])
                    way["secondary_only"] = true;
        write("tree.json", tree.dump());
        return file("tree.json");
    }
};

TEST_F(RediagnoseCli, ShowsAndStoresWhatAnotherTreeFinds)
{
    KL_NEEDS_SAMPLE();
    const Json run = kloop({"profile", "transpose/naive", "--on", "sample", "--json"}).json();
    const std::string id = "run:" + run["id"].get<std::string>();
    const std::string tree = laterTree();
    const Json dry = kloop({"rediagnose", id, "--dry-run", "--tree", tree, "--json"}).json();
    EXPECT_EQ(dry["schema"], "kernelloop.rediagnose/1");
    ASSERT_THAT(dry["runs"], SizeIs(1));
    EXPECT_EQ(dry["runs"][0]["old"]["class"], "uncoalesced");
    EXPECT_EQ(dry["runs"][0]["old"]["tree_version"], run["tree_version"]);
    EXPECT_NE(dry["runs"][0]["new"]["class"], "uncoalesced");
    EXPECT_EQ(dry["runs"][0]["new"]["tree_version"], dry["tree_version"]);
    EXPECT_EQ(dry["stored"], 0);

    const Json all = kloop({"rediagnose", "--all", "--tree", tree, "--json"}).json();
    EXPECT_EQ(all["changed"], 1);
    EXPECT_EQ(all["stored"], 1);
    EXPECT_EQ(kloop({"rediagnose", "--all", "--tree", tree, "--json"}).json()["stored"], 0) << "by this tree already";
    const Json findings = kloop({"show", id, "--findings", "--json"}).json()["results"][0]["findings"];
    ASSERT_THAT(findings, SizeIs(2));
    EXPECT_EQ(findings[0]["class"], "uncoalesced");
    EXPECT_EQ(findings[0]["tree_version"], run["tree_version"]);
    EXPECT_EQ(findings[1]["tree_version"], dry["tree_version"]);
}

TEST_F(RediagnoseCli, WrongUse)
{
    EXPECT_EQ(kloop({"rediagnose"}).code, 2);
    EXPECT_EQ(kloop({"rediagnose", "run:1", "--all"}).code, 2);
    EXPECT_EQ(kloop({"rediagnose", "run:nothing"}).code, 4);
    EXPECT_EQ(kloop({"rediagnose", "--all", "--json"}).json()["runs"], Json::array()) << "an empty database";
}

TEST_F(RediagnoseCli, TheSampleIsDiagnosedWithoutStoring)
{
    KL_NEEDS_SAMPLE();
    EXPECT_EQ(kloop({"rediagnose", "--all", "--db", ":sample:"}).code, 4) << "it is read-only";
    const Json same = kloop({"rediagnose", "--all", "--dry-run", "--db", ":sample:", "--json"}).json();
    EXPECT_GT(same["runs"].size(), 100U);
    EXPECT_EQ(same["changed"], 0) << "by the tree that it was built with";
}

} // namespace
} // namespace kl::test
