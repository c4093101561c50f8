// SPDX-License-Identifier: MIT
#include "kloop.h"
#include "tests/support/build_folder.h"

namespace kl::test {
namespace {

using testing::HasSubstr;

class Reports : public Kloop {
protected:
    void opened() const
    {
        ASSERT_EQ(kloop({"session", "new", "N", "Make it <fast>", "--kernel", "transpose", "--on", "sample"}).code, 0);
        ASSERT_EQ(kloop({"session", "step", "--session", "N"}).code, 0);
    }
};

TEST_F(Reports, ASessionInEveryFormatByNameOrSuffix)
{
    KL_NEEDS_SAMPLE();
    opened();
    EXPECT_THAT(kloop({"report", "--session", "N"}).out, testing::StartsWith("# "));
    EXPECT_THAT(kloop({"report", "--session", "N", "--format", "csv"}).out, HasSubstr("group,subject,item"));
    ASSERT_EQ(kloop({"report", "N", "-o", file("r.html")}).code, 0);
    EXPECT_THAT(read("r.html"), HasSubstr("Make it &lt;fast&gt;"));
    ASSERT_EQ(kloop({"report", "N", "-o", file("r.json")}).code, 0);
    EXPECT_THAT(read("r.json"), HasSubstr("kernelloop.report/1"));
    EXPECT_EQ(kloop({"report", "N", "-o", file("r.doc")}).code, 2);
    EXPECT_EQ(kloop({"report", "N", "--format", "pdf"}).code, 2);
    EXPECT_EQ(kloop({"report", "N", "--history"}).code, 2);
    EXPECT_EQ(kloop({"report", "N", "-o", file("none/r.html")}).code, 4);
}

TEST_F(Reports, ASessionThatIsNotTheLatestByItsName)
{
    KL_NEEDS_SAMPLE();
    opened();
    ASSERT_EQ(kloop({"session", "new", "M", "Make the sum fast", "--kernel", "reduction", "--on", "sample"}).code, 0);
    EXPECT_THAT(kloop({"report"}).out, HasSubstr("Make the sum fast"));
    EXPECT_THAT(kloop({"report", "N"}).out, HasSubstr("Make it"));
    EXPECT_THAT(kloop({"prompt", "--session", "N"}).out, HasSubstr("Make it"));
}

TEST_F(Reports, APdfNeedsAPlaceForItsPage)
{
    KL_NEEDS_SAMPLE();
    opened();
    EXPECT_EQ(kloop({"report", "N", "-o", file("r.pdf")}, "TMPDIR=" + quoted(file("none"))).code, 5);
}

TEST_F(Reports, APdfIsWrittenByTheWindowsProgram)
{
    KL_NEEDS_SAMPLE();
    if (!std::filesystem::exists(test::buildFolder() + "/bin/kernelloop"))
        GTEST_SKIP() << "built without the window";
    opened();
    ASSERT_EQ(kloop({"report", "N", "--pdf", file("r.pdf"), "--html", file("r.html")}).code, 0);
    EXPECT_THAT(read("r.pdf"), testing::StartsWith("%PDF-"));
    EXPECT_THAT(read("r.html"), HasSubstr("Make it &lt;fast&gt;"));
}

TEST_F(Reports, HistoryPatternsPromptAndQuickReference)
{
    KL_NEEDS_SAMPLE();
    opened();
    EXPECT_EQ(kloop({"report", "--history", "--json"}).json()["schema"], "kernelloop.report-history/1");
    EXPECT_EQ(kloop({"report", "--patterns", "--json"}).json()["schema"], "kernelloop.report-patterns/1");
    EXPECT_EQ(kloop({"prompt", "--session", "N", "--json"}).json()["schema"], "kernelloop.prompt/1");
    EXPECT_THAT(kloop({"quickref"}).out, testing::StartsWith("# "));
    EXPECT_EQ(kloop({"report", "--compare", "transpose/naive", "transpose/tiled"}).code, 4); // nothing measured yet
}

TEST_F(Reports, AReviewGoesOutAndComesBack)
{
    KL_NEEDS_SAMPLE();
    opened();
    ASSERT_EQ(kloop({"review", "comment", "N", "--on", "G1", "--author", "Ada", "Is the clock locked?"}).code, 0);
    EXPECT_EQ(kloop({"review", "comment", "N", "--on", "G9", "--author", "Ada", "x"}).code, 4);
    ASSERT_EQ(kloop({"review", "export", "N", "-o", file("review.html")}).code, 0);
    const Json merged = kloop({"review", "import", file("review.html"), "--json"}).json();
    EXPECT_EQ(merged["added"], 0);
    EXPECT_EQ(merged["known"], 1);
    EXPECT_EQ(kloop({"review", "show", "N", "--json"}).json()["comments"][0]["target"], "G1");
    write("other.html", "<html></html>");
    EXPECT_EQ(kloop({"review", "import", file("other.html")}).code, 4);
    EXPECT_EQ(kloop({"review", "import", file("missing.html")}).code, 4);
}

} // namespace
} // namespace kl::test
