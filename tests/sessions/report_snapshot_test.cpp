// SPDX-License-Identifier: MIT
// The wording of every kind of report.
#include "sessions/report/report.h"
#include "sessions/report/review.h"
#include "tests/sessions/engine_support.h"
#include "tests/support/snapshot.h"

#include <gtest/gtest.h>
#include <regex>

namespace kl::test {
namespace {

class ReportSnapshot : public EngineTest {
protected:
    SessionId done()
    {
        NewSession request;
        request.objective = "make it fast";
        request.kernel = "transpose";
        request.claims.push_back({"README of flash-x", "1.5x", "kernel"});
        const SessionId id = unwrap(engine.create(request)).header.id;
        EXPECT_TRUE(engine.waive(id, "G1", "borrowed machine").ok());
        EXPECT_TRUE(engine.note(id, "watch the tail").ok());
        EXPECT_TRUE(addReviewComment(*store, stepTo(id, "done"), "finding", "Ada", "Which stall?").ok());
        return id;
    }

    /// The database is in a folder of its own for every run.
    std::string withoutFolder(std::string text) const
    {
        const std::string path = folder.path().string();
        for (auto at = text.find(path); at != std::string::npos; at = text.find(path))
            text.replace(at, path.size(), "FOLDER");
        return text;
    }

    void expectReport(const std::string& name, const Result<Report>& report)
    {
        expectSnapshot("report/" + name + ".md", withoutFolder(render(unwrap(report), ReportFormat::markdown)));
    }
};

TEST_F(ReportSnapshot, OfASession)
{
    expectReport("session", sessionReport(*store, catalog, done()));
}

TEST_F(ReportSnapshot, OfASessionThatHasJustBegun)
{
    expectReport("session-open", sessionReport(*store, catalog, open()));
}

TEST_F(ReportSnapshot, OfTheHistory)
{
    done();
    expectReport("history", historyReport(*store));
}

TEST_F(ReportSnapshot, OfThePatterns)
{
    done();
    expectReport("patterns", patternReport(*store));
}

TEST_F(ReportSnapshot, OfThePromptForTheNextSession)
{
    expectReport("prompt", expertPrompt(*store, catalog, done(), [](const NextStep& step) { return '<' + titleFor(step) + '>'; }));
}

TEST_F(ReportSnapshot, OfTheQuickReference)
{
    expectReport("quick-reference", quickReference(tree));
}

TEST_F(ReportSnapshot, OfAComparison)
{
    Comparison comparison;
    comparison.a = "run:a";
    comparison.b = "run:b";
    comparison.verdict = Verdict::faster;
    comparison.sentence = "B is faster.";
    comparison.ratio = Ratio{2, 1.9, 2.1};
    comparison.tunables = {{"TILE", "16", "32", 1.0}};
    expectReport("comparison", comparisonReport(comparison, support::timedRun("a", "naive", "2026-01-01T00:00:00.000Z", 200),
                                                support::timedRun("b", "tiled", "2026-01-01T00:00:00.000Z", 100)));
}

/// The page's own controls; its style and script, and the report in it, are not wording.
TEST_F(ReportSnapshot, OfTheReviewPage)
{
    std::string page = unwrap(reviewPage(*store, catalog, done()));
    std::string controls;
    const std::regex control(R"((<h3>[^<]*</h3>|<button[^>]*>[^<]*</button>|placeholder="[^"]*"|textContent = [^;]*;))");
    for (std::sregex_iterator found(page.begin(), page.end(), control), end; found != end; ++found)
        controls += found->str() + '\n';
    expectSnapshot("report/review-page.txt", controls);
}

} // namespace
} // namespace kl::test
