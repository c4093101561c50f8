// SPDX-License-Identifier: MIT
#include "sessions/measure/hot_lines.h"

#include "core/base/ids.h"
#include "tests/support/snapshot.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

const Catalog& catalog()
{
    static const Result<Catalog> loaded = Catalog::loadEmbedded();
    return *loaded;
}

RunRecord sampled()
{
    RunRecord run;
    run.kernel = {"transpose", "naive", {}};
    run.sourceHash = contentHash((*catalog().family("transpose"))->source);
    SourceProfile profile;
    profile.launch = "transpose_naive";
    profile.samples = 100;
    profile.lines = {{kSourceFile, 17, 80, 0.8, {{"drain", 78}, {"selected", 2}}, 4096, 131072, {{"kernel.cu:15", 78}}},
                     {"half.hpp", 9, 20, 0.2, {{"wait", 20}}, {}, {}, {}},
                     {kSourceFile, 12, 0, 0, {}, 4096, 131072, {}}};
    run.sourceProfile = profile;
    return run;
}

/// The text of a 1-based line of the family's source.
std::string textAt(int line)
{
    const std::string& source = (*catalog().family("transpose"))->source;
    std::size_t from = 0;
    for (int i = 1; i < line; ++i)
        from = source.find('\n', from) + 1;
    return source.substr(from, source.find('\n', from) - from);
}

TEST(HotLines, CarryTheirTextStallAndCause)
{
    const HotLines hot = hotLines(sampled(), catalog());
    ASSERT_EQ(hot.lines.size(), 2u); // a line without samples is not hot
    EXPECT_EQ(hot.unavailable, "");
    EXPECT_EQ(hot.note, "");
    EXPECT_EQ(hot.lines[0].stall, "drain");
    EXPECT_EQ(hot.lines[0].cause, (LinePlace{kSourceFile, 15}));
    EXPECT_FALSE(hot.lines[0].text.empty());
    EXPECT_NE(textAt(17).find(hot.lines[0].text), std::string::npos);
    EXPECT_EQ(hot.lines[1].text, ""); // of a file that the catalog does not hold
    EXPECT_EQ(hotLines(sampled(), catalog(), 1).lines.size(), 1u);
}

TEST(HotLines, OfAnotherSourceHaveNoText)
{
    RunRecord run = sampled();
    run.sourceHash = "0";
    const HotLines hot = hotLines(run, catalog());
    ASSERT_EQ(hot.lines.size(), 2u);
    EXPECT_EQ(hot.lines[0].text, "");
    EXPECT_NE(hot.note, "");
    EXPECT_EQ(findMeasuredSource(catalog(), {"no-such-family", "x", {}}, run.sourceHash), nullptr);
}

TEST(HotLines, WithoutSamplesSayWhy)
{
    RunRecord run;
    run.kernel = {"transpose", "naive", {}};
    EXPECT_NE(hotLines(run, catalog()).unavailable, "");
    run.sourceProfile.emplace();
    run.sourceProfile->unavailable = "Counters are off.";
    EXPECT_EQ(hotLines(run, catalog()).unavailable, "Counters are off.");
    run = sampled();
    run.sourceProfile->countsUnavailable = "CUPTI is too old.";
    EXPECT_TRUE(hotLines(run, catalog()).note.ends_with(": CUPTI is too old."));
}

TEST(HotLineTexts, SnapshotOfWhatLinesLack)
{
    std::string text;
    const auto add = [&](const std::string& which, const RunRecord& run) {
        const HotLines hot = hotLines(run, catalog());
        text += which + ": " + hot.unavailable + hot.note + '\n';
    };
    RunRecord run;
    run.kernel = {"transpose", "naive", {}};
    add("a run without samples", run);
    run.imported.emplace();
    add("a report without samples", run);
    run = sampled();
    run.sourceProfile->countsUnavailable = "CUPTI is too old.";
    add("without counts", run);
    run.sourceHash = "0";
    add("of another source", run);
    run.program.emplace();
    add("of a program whose source is gone", run);
    run.program.reset();
    run.imported.emplace();
    add("of a report without source", run);
    run.sourceProfile->lines = {{"", 0, 10, 1, {}, {}, {}, {}}};
    add("without a line table", run);
    test::expectSnapshot("texts/hot-lines.txt", text);
}

TEST(HotLines, StandInTheJsonBesideTheWholeProfile)
{
    const Json json = runToJsonWithLines(sampled(), catalog());
    ASSERT_EQ(json.at("hot_lines").size(), 2u);
    const Json& first = json.at("hot_lines").at(0);
    EXPECT_EQ(first.at("line"), 17);
    EXPECT_EQ(first.at("cause").at("line"), 15);
    EXPECT_EQ(first.at("stall"), "drain");
    EXPECT_EQ(first.at("executed"), 4096);
    EXPECT_EQ(first.at("waits_for").at("kernel.cu:15"), 78);
    EXPECT_FALSE(first.at("text").get<std::string>().empty());
    EXPECT_EQ(json.at("source").at("lines").size(), 3u);
    EXPECT_FALSE(runToJsonWithLines(RunRecord{}, catalog()).contains("hot_lines"));
}

TEST(HotLines, OfAReportSayWhatTheFileLacks)
{
    RunRecord run;
    run.kernel = {"program", "k-1", {}};
    run.imported.emplace();
    const std::string unavailable = hotLines(run, catalog()).unavailable;
    run.imported.reset();
    EXPECT_NE(hotLines(run, catalog()).unavailable, unavailable) << "of a file and of a run";
    run.imported.emplace();
    run.sourceProfile.emplace();
    run.sourceProfile->samples = 10;
    run.sourceProfile->lines = {{"a.cu", 1, 10, 1, {}, {}, {}, {}}};
    EXPECT_FALSE(hotLines(run, catalog()).note.empty()) << "the report has no source";
    run.sourceProfile->texts = {{"a.cu", "x = y;"}};
    EXPECT_EQ(hotLines(run, catalog()).note, "");
    EXPECT_EQ(hotLines(run, catalog()).lines.at(0).text, "x = y;");
    run.sourceProfile->lines = {{"", 0, 10, 1, {}, {}, {}, {}}};
    EXPECT_TRUE(hotLines(run, catalog()).instructions);
}

TEST(HotLines, OfAVariantThatIsGoneHaveNoText)
{
    RunRecord run = sampled();
    run.kernel.variant = "nosuch";
    EXPECT_EQ(findMeasuredSource(catalog(), run.kernel, run.sourceHash), nullptr);
    const HotLines hot = hotLines(run, catalog());
    ASSERT_EQ(hot.lines.size(), 2u);
    EXPECT_EQ(hot.lines[0].text, "");
    EXPECT_FALSE(findShownSource(run, catalog()));
    run.sourceProfile->texts[kSourceFile] = "stored";
    EXPECT_EQ(findShownSource(run, catalog())->text, "stored");
    EXPECT_EQ(findShownSource(sampled(), catalog())->file, kSourceFile) << "the catalog's own";
}

} // namespace
} // namespace kl
