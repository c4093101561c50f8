// SPDX-License-Identifier: MIT
#include "sessions/report/report.h"

#include "core/base/format.h"
#include "core/diagnosis/quantities.h"
#include "sessions/report/report_charts.h"
#include "sessions/report/report_model.h"
#include "tests/sessions/engine_support.h"

#include <nlohmann/json.hpp>

namespace kl::test {
namespace {

TEST_F(EngineTest, TheReportIsTheSameForTheSameDatabase)
{
    const SessionId id = open();
    stepTo(id, "done");
    const std::unique_ptr<Store> other = support::openStore((folder / "kl.db").string());
    for (const ReportFormat format : {ReportFormat::html, ReportFormat::markdown, ReportFormat::json})
        EXPECT_EQ(unwrap(renderReport(*store, catalog, id, format)), unwrap(renderReport(*other, catalog, id, format)));
}

TEST_F(EngineTest, TheReportTellsTheWholeSession)
{
    const SessionId id = open();
    stepTo(id, "done");
    const std::string html = unwrap(renderReport(*store, catalog, id, ReportFormat::html));
    for (const char* part : {"<!DOCTYPE html>", "transpose/tiled", "Uncoalesced access.", "<svg", "G5", "make it fast", "M=64,N=65"})
        EXPECT_NE(html.find(part), std::string::npos) << part;
    for (const char* outside : {"https://", "src=", "<script", "<link"}) // nothing is fetched
        EXPECT_EQ(html.find(outside), std::string::npos) << outside;
    EXPECT_EQ(unwrap(store->artifact("session/" + id.text + "/report.html")), html);
}

TEST_F(EngineTest, AnOpenSessionHasAReportToo)
{
    const SessionId id = open();
    const Report report = unwrap(sessionReport(*store, catalog, id));
    const SessionView view = unwrap(engine.view(id));
    EXPECT_EQ(report.model.tone, "neutral");
    EXPECT_NE(report.model.verdict.find(view.phase), std::string::npos) << report.model.verdict;
    EXPECT_NE(report.model.verdict.find(view.why), std::string::npos) << report.model.verdict;
}

TEST_F(EngineTest, TheJsonReportHoldsTheMeasurements)
{
    const SessionId id = open();
    stepTo(id, "done");
    const Json json = unwrap(parseJson(unwrap(renderReport(*store, catalog, id, ReportFormat::json)), "report"));
    EXPECT_EQ(json["schema"], "kernelloop.report/1");
    EXPECT_EQ(json["session"]["phase"], "done");
    EXPECT_EQ(json["session"]["outcome"], "kept");
    EXPECT_FALSE(json["session"].contains("next"));
    EXPECT_EQ(json["runs"]["profile"]["finding"]["class"], "uncoalesced");
    EXPECT_EQ(json["comparison"]["verdict"], "faster");
}

TEST_F(EngineTest, TextFromTheUserCannotBreakThePage)
{
    NewSession request;
    request.kernel = "transpose";
    request.objective = "<script>alert(1)</script> & | pipes";
    const SessionId id = unwrap(engine.create(request)).header.id;
    const std::string html = unwrap(renderReport(*store, catalog, id, ReportFormat::html));
    EXPECT_EQ(html.find("<script>"), std::string::npos);
    EXPECT_NE(html.find("&lt;script&gt;"), std::string::npos);
    EXPECT_NE(unwrap(renderReport(*store, catalog, id, ReportFormat::markdown)).find("\\| pipes"), std::string::npos);
}

TEST_F(EngineTest, ThePrintFormKeepsToRichText)
{
    const SessionId id = open();
    stepTo(id, "done");
    const std::string print = unwrap(renderReport(*store, catalog, id, ReportFormat::print));
    EXPECT_EQ(print.find("<svg"), std::string::npos);
    EXPECT_EQ(print.find("var(--"), std::string::npos);
    EXPECT_NE(print.find("data:image/svg+xml;base64,PHN2Zy"), std::string::npos); // "<svg"
    EXPECT_NE(print.find("transpose/tiled"), std::string::npos);
}

TEST_F(EngineTest, AMissingSessionHasNoReport)
{
    EXPECT_EQ(renderReport(*store, catalog, SessionId{"none"}, ReportFormat::html).error().code, ErrorCode::notFound);
}

TEST(Charts, WithoutFiguresThereIsNoChart)
{
    EXPECT_TRUE(barsSvg({}, "x").empty());
    EXPECT_TRUE(evidenceSvg({{"n", "m", std::nullopt, 1.0, "<", false}}, "x").empty());
    EXPECT_TRUE(ratioSvg({}, 1.2, "x").empty());
}

TEST(Charts, EvidenceReadsAsInTheWindow)
{
    const EvidenceWords known = evidenceWords({"coalescing", "excess_sectors_percent", 77.8, 20.0, ">=", true});
    EXPECT_EQ(known.name, findQuantity("excess_sectors_percent")->title);
    EXPECT_NE(known.name, "excess_sectors_percent");
    EXPECT_EQ(known.value, formatPercent(77.8));
    EXPECT_EQ(known.threshold, "≥ " + formatPercent(20));
    const EvidenceWords unknown = evidenceWords({"n", "m", std::nullopt, std::nullopt, "<", false});
    EXPECT_EQ(unknown.name, "m");
    EXPECT_EQ(unknown.value.find_first_of("0123456789"), std::string::npos) << unknown.value;
    EXPECT_NE(unknown.value, "");
    EXPECT_EQ(unknown.threshold, kNoValue);
}

TEST(Charts, ABarCarriesItsFigureAndName)
{
    const std::string svg = barsSvg({{"a & b", 8130, 8000, 8200, "#0072B2", {}}}, "times of \"a\"");
    EXPECT_NE(svg.find("a &amp; b"), std::string::npos);
    EXPECT_NE(svg.find('>' + formatTime(8130.0) + '<'), std::string::npos) << "in its unit";
    EXPECT_NE(svg.find("aria-label=\"times of &quot;a&quot;\""), std::string::npos);
}

} // namespace
} // namespace kl::test
