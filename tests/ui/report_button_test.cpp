// SPDX-License-Identifier: MIT
// Saving reports: the button of several pages, the formats, and what each button of a session saves under which name.
#include "tests/ui/support/seen_texts.h"
#include "ui/context/app_context.h"
#include "ui/pages/patterns_page.h"
#include "ui/pages/report_button.h"
#include "ui/pages/session/report_export.h"
#include "ui/pages/session/session_pair_card.h"
#include "ui/pages/session_page.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

namespace kl::ui {
namespace {

Report tinyReport()
{
    Report report;
    report.model.title = "A title";
    report.json = R"({"schema":"tiny"})";
    report.csv.columns = {"figure", "value"};
    report.csv.rows = {{"time", "12.5"}};
    return report;
}

QByteArray readSaved(const QString& file)
{
    QFile in(file);
    return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}

class SavedReports : public testing::Test {
protected:
    void SetUp() override
    {
        auto opened = AppContext::open(utf8(folder.filePath("own.db")), DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        context->setStepWriter([](const NextStep& step) { return "step " + std::string(findKind(step.id).word); });
        posted = std::make_unique<QSignalSpy>(context.get(), &AppContext::messagePosted);
        parent.show();
    }
    void TearDown() override { waitForJobs(); }

    /// Answers the next dialog that asks for a file; `filter`: the suffix of the format to choose in it.
    void answer(const std::optional<QString>& file, const QString& filter = {})
    {
        proposed.clear();
        QTimer::singleShot(0, &parent, [this, file, filter] {
            for (QWidget* top : QApplication::topLevelWidgets())
                if (auto* dialog = qobject_cast<QFileDialog*>(top); dialog && dialog->isVisible()) {
                    auto* name = dialog->findChild<QLineEdit*>("fileNameEdit");
                    proposed = name->text();
                    for (const QString& one : dialog->nameFilters())
                        if (!filter.isEmpty() && one.contains("*." + filter))
                            dialog->selectNameFilter(one);
                    if (!file)
                        return static_cast<QDialog*>(dialog)->reject();
                    name->setText(*file);
                    return static_cast<QDialog*>(dialog)->accept();
                }
        });
    }
    Message lastMessage() const { return posted->isEmpty() ? Message{} : posted->last()[0].value<Message>(); }

    QTemporaryDir folder;
    QWidget parent;
    std::unique_ptr<AppContext> context;
    std::unique_ptr<QSignalSpy> posted;
    QString proposed; ///< name of the file that the dialog began with
};

TEST_F(SavedReports, AreInTheFormatOfTheirSuffixElseOfTheChosenFilter)
{
    int made = 0;
    const auto save = [&](const QString& name, const QString& filter) {
        answer(folder.filePath(name), filter);
        saveReport(*context, &parent, "first.html", [&]() -> Result<Report> {
            ++made;
            return tinyReport();
        });
    };
    save("a.json", "csv");
    EXPECT_EQ(proposed, "first.html");
    EXPECT_EQ(readSaved(folder.filePath("a.json")).trimmed(), "{\"schema\":\"tiny\"}");
    EXPECT_EQ(lastMessage().level, MessageLevel::success);
    EXPECT_TRUE(lastMessage().what.contains(folder.filePath("a.json")));
    for (const char* format : {"html", "md", "json", "csv", "pdf"}) {
        save(QStringLiteral("chosen-") + format, format);
        EXPECT_FALSE(readSaved(folder.filePath(QStringLiteral("chosen-%1.%1").arg(format))).isEmpty()) << format;
    }
    save("plain", {});
    EXPECT_TRUE(readSaved(folder.filePath("plain.html")).contains("A title")) << "the first format, where none is chosen";
    EXPECT_EQ(made, 7);
    EXPECT_EQ(posted->count(), 7);
}

TEST_F(SavedReports, AreNotAskedAboutWhereThereIsNoneAndTroubleIsPosted)
{
    saveReport(*context, &parent, "first.html", []() -> Result<Report> { return Error{.code = ErrorCode::notFound, .message = "gone"}; });
    ASSERT_EQ(posted->count(), 1);
    EXPECT_TRUE((lastMessage().what + lastMessage().why).contains("gone"));
    EXPECT_NE(lastMessage().level, MessageLevel::success);
    answer({});
    saveReport(*context, &parent, "first.html", []() -> Result<Report> { return tinyReport(); });
    EXPECT_EQ(posted->count(), 1) << "it was canceled";
    answer(folder.filePath("a.doc"));
    saveReport(*context, &parent, "first.html", []() -> Result<Report> { return tinyReport(); });
    ASSERT_EQ(posted->count(), 2);
    EXPECT_NE(lastMessage().level, MessageLevel::success);
    EXPECT_FALSE(QFile::exists(folder.filePath("a.doc")));
}

TEST_F(SavedReports, EachFormatHasItsOwnContent)
{
    const auto exported = [&](const char* name) {
        const QString file = folder.filePath(QString::fromLatin1(name));
        const Status done = exportReport(tinyReport(), file);
        EXPECT_TRUE(done) << name;
        return readSaved(file);
    };
    EXPECT_EQ(exported("r.csv").trimmed(), QByteArray::fromStdString(render(tinyReport(), ReportFormat::csv)).trimmed());
    EXPECT_TRUE(exported("r.csv").contains("12.5"));
    EXPECT_EQ(exported("r.md"), QByteArray::fromStdString(render(tinyReport(), ReportFormat::markdown)));
    EXPECT_EQ(exported("r.json"), QByteArray::fromStdString(render(tinyReport(), ReportFormat::json)));
    EXPECT_EQ(exported("r.html"), QByteArray::fromStdString(render(tinyReport(), ReportFormat::html)));
    EXPECT_TRUE(exported("UPPER.PDF").startsWith("%PDF"));
    EXPECT_EQ(exported("UPPER.HTML"), exported("r.html"));
    const Status nowhere = exportReport(tinyReport(), folder.filePath("none/r.csv"));
    ASSERT_FALSE(nowhere);
    EXPECT_EQ(nowhere.error().code, ErrorCode::badInput);
    EXPECT_EQ(nowhere.error().where, utf8(folder.filePath("none/r.csv")));
    EXPECT_FALSE(writePdf(folder.filePath("none/r.pdf"), "<p>text</p>"));
}

TEST_F(SavedReports, APdfIsPrintedFromWhatIsMadeForPrint)
{
    Report report = tinyReport();
    report.model.figures = {{"Speedup", "2.00x", "by the fix"}};
    const QString printed = folder.filePath("printed.pdf"), forScreens = folder.filePath("screens.pdf"),
                  exported = folder.filePath("r.pdf");
    ASSERT_TRUE(writePdf(printed, render(report, ReportFormat::print)));
    ASSERT_TRUE(writePdf(forScreens, render(report, ReportFormat::html)));
    ASSERT_NE(readSaved(printed).size(), readSaved(forScreens).size());
    ASSERT_TRUE(exportReport(report, exported));
    EXPECT_EQ(readSaved(exported).size(), readSaved(printed).size());
}

TEST_F(SavedReports, AButtonSavesThatOfItsPage)
{
    int made = 0;
    QPushButton* button = makeReportButton(*context, &parent, "Save", "page.html", [&]() -> Result<Report> {
        ++made;
        return tinyReport();
    });
    EXPECT_EQ(made, 0) << "made when it is asked for";
    answer(folder.filePath("page.csv"));
    button->click();
    EXPECT_EQ(made, 1);
    EXPECT_EQ(proposed, "page.html");
    EXPECT_TRUE(readSaved(folder.filePath("page.csv")).contains("12.5"));
    PatternsPage patterns(*context);
    patterns.refresh();
    ASSERT_TRUE(waitForJobs());
    QPushButton* save = nullptr;
    for (QWidget* action : patterns.actions())
        if (action->objectName() == "saveReport")
            save = qobject_cast<QPushButton*>(action);
    ASSERT_NE(save, nullptr);
    answer(folder.filePath("patterns.json"));
    save->click();
    EXPECT_EQ(proposed, "patterns.html");
    EXPECT_TRUE(readSaved(folder.filePath("patterns.json")).contains("kernelloop.report-patterns/1"));
}

TEST_F(SavedReports, OfASessionAreNamedAfterItAndThePromptIsNoReport)
{
    std::vector<SessionId> ids;
    for (const char* name : {"A", "B"}) {
        NewSession request;
        request.name = name;
        request.objective = std::string("objective of ") + name;
        request.kernel = "transpose";
        const Result<SessionView> made = context->engine()->sessions.create(request);
        ASSERT_TRUE(made) << made.error().message;
        ids.push_back(made->header.id);
    }
    SessionPage page(*context);
    page.resize(1280, 800);
    page.show();
    page.open(q(ids[1].text));
    page.refresh();
    ASSERT_TRUE(waitForJobs());
    const auto saved = [&](const char* button, const char* suffix) {
        const QString file = folder.filePath(QStringLiteral("%1.%2").arg(QLatin1String(button), QLatin1String(suffix)));
        answer(file);
        page.findChild<QPushButton*>(QString::fromLatin1(button))->click();
        return readSaved(file);
    };
    EXPECT_TRUE(saved("export-json", "json").contains("kernelloop.report/1"));
    EXPECT_EQ(proposed, "B-transpose.json");
    EXPECT_TRUE(saved("export-csv", "html").contains("objective of B"));
    EXPECT_EQ(proposed, "B-transpose.csv");
    EXPECT_TRUE(saved("export-prompt", "json").contains("kernelloop.prompt/1"));
    EXPECT_EQ(proposed, "prompt-B-transpose.md");
    EXPECT_TRUE(saved("savePlan", "json").contains("kernelloop.plan/1"));
    EXPECT_EQ(proposed, "plan-B.md");
    page.open("list");
    page.refresh();
    ASSERT_TRUE(waitForJobs());
    emit page.findChild<SessionPairCard*>()->pairRequested("A", "B");
    ASSERT_TRUE(waitForJobs());
    const QByteArray pair = saved("savePair", "json");
    EXPECT_TRUE(pair.contains("kernelloop.session-compare/1"));
    EXPECT_EQ(proposed, "A-B.html");
    EXPECT_LT(pair.indexOf("\"A\""), pair.indexOf("\"B\"")) << pair.constData();
    EXPECT_GE(pair.indexOf("\"A\""), 0);
}

} // namespace
} // namespace kl::ui
