// SPDX-License-Identifier: MIT
// In a locale with a decimal comma the window shows no figure with a point; what it stores, writes and copies has no comma.
#include "tests/support/build_folder.h"
#include "tests/ui/support/every_surface.h"
#include "tests/ui/support/in_language.h"
#include "tests/ui/support/shown_texts.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/xy_chart.h"
#include "ui/pages/home/program_dialog.h"
#include "ui/pages/patterns/add_pattern_card.h"
#include "ui/pages/session/report_export.h"
#include "ui/pages/shared/kernel_table.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/text.h"
#include "ui/window/tools/support_tool.h"

#include <QApplication>
#include <gtest/gtest.h>

#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <set>

namespace kl::ui {
namespace {

QString read(const QString& name)
{
    QFile file(name);
    EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << utf8(name);
    return QString::fromUtf8(file.readAll());
}

class NumbersByLocale : public testing::Test {
protected:
    void open(const std::string& location)
    {
        auto opened = AppContext::open(location, DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        window = std::make_unique<MainWindow>(*context);
        window->resize(1600, 1000);
        window->show();
        ASSERT_TRUE(waitForJobs());
    }
    void TearDown() override
    {
        waitForJobs();
        window.reset();
        context.reset();
    }
    void expectCommas(const QString& where, const QWidget& shown)
    {
        const QStringList texts = findShownTexts(shown);
        for (const QString& text : findPoints(texts))
            if (reported.insert(text).second)
                ADD_FAILURE() << utf8(where) << ": " << utf8(text);
        for (const QString& text : texts)
            commas += hasComma(text) ? 1 : 0;
    }

    const InGerman german;
    QTemporaryDir folder;
    std::unique_ptr<AppContext> context;
    std::unique_ptr<MainWindow> window;
    std::set<QString> reported; ///< once for the whole window
    int commas = 0;
};

TEST_F(NumbersByLocale, EveryPageAndDialogHasCommas)
{
    open(":sample:");
    visitPages(*context, *window, [this](const QString& name, QWidget& page) {
        expectCommas(name, page);
        for (ChartCard* card : page.findChildren<ChartCard*>())
            EXPECT_FALSE(hasComma(card->tsv())) << utf8(name) << ": " << utf8(card->tsv());
        for (DataTable* table : page.findChildren<DataTable*>())
            EXPECT_FALSE(hasComma(table->tsv(false))) << utf8(name) << ": " << utf8(table->tsv(false));
        for (KernelTable* table : page.findChildren<KernelTable*>())
            EXPECT_FALSE(hasComma(table->tsv(false))) << utf8(name) << ": " << utf8(table->tsv(false));
    });
    visitDialogs(*context, *window, [this](const QString& name, QWidget& shown) {
        if (name != QStringLiteral("dialog help")) // documents with the command line's output
            expectCommas(name, shown);
    });
    EXPECT_GT(commas, 300);
}

TEST_F(NumbersByLocale, ASessionStoresAndReportsPoints)
{
    open(utf8(folder.filePath("own.db")));
    window->showPage("session", "new");
    ASSERT_TRUE(waitForJobs());
    Page* page = window->page("session");
    auto* kernel = page->findChild<QComboBox*>("sessionKernel");
    kernel->setCurrentIndex(kernel->findData("transpose"));
    page->findChild<QLineEdit*>("sessionObjective")->setText("Coalesce the stores");
    const auto click = [page](const char* name) {
        for (QPushButton* button : page->findChildren<QPushButton*>(QLatin1String(name)))
            if (button->isVisible() && button->isEnabled()) {
                QTest::mouseClick(button, Qt::LeftButton);
                return waitForJobs();
            }
        return false;
    };
    ASSERT_TRUE(click("openSession"));
    const auto view = [this] { return *context->engine()->sessions.view(context->currentSession()); };
    for (int step = 0; step < 20 && view().phase != "done"; ++step)
        ASSERT_TRUE(click(view().next.front().action == SessionAction::keep ? "keep" : "gateAction")) << view().phase;
    for (QToolButton* stage : page->findChildren<QToolButton*>("stage")) {
        stage->click();
        expectCommas("stage", *page);
    }
    EXPECT_GT(commas, 10);

    for (const SessionEvent& event : view().events)
        EXPECT_FALSE(hasComma(exact(event.dataJson))) << event.dataJson;
    for (const char* suffix : {"html", "md", "json"}) {
        const QString name = folder.filePath(QStringLiteral("report.") + QLatin1String(suffix));
        ASSERT_TRUE(exportReport(context->store(), context->catalog(), context->currentSession(), name));
        EXPECT_FALSE(hasComma(read(name))) << suffix;
        EXPECT_FALSE(findPoints({read(name)}).isEmpty()) << suffix;
    }
    const SessionView now = view();
    ASSERT_TRUE(now.profileRun);
    QProcess kloop;
    kloop.start(QString::fromStdString(test::buildFolder() + "/bin/kloop"),
                {QStringLiteral("show"), q(now.profileRun->id.text), QStringLiteral("--db"), folder.filePath("own.db")});
    ASSERT_TRUE(kloop.waitForFinished(60000));
    const QString answer = QString::fromUtf8(kloop.readAllStandardOutput());
    EXPECT_FALSE(hasComma(answer)) << utf8(answer);
    EXPECT_FALSE(findPoints({answer}).isEmpty());
}

TEST_F(NumbersByLocale, ASupportBundleHasPoints)
{
    open(":sample:");
    context->post({MessageLevel::success, q("transpose/naive takes 8.13\u202fµs"), q("1.27× faster"), {}});
    window->findChild<SupportTool*>()->saveTo(folder.filePath("support.txt"));
    ASSERT_TRUE(waitForJobs());
    const QString text = read(folder.filePath("support.txt"));
    EXPECT_TRUE(text.contains("takes 8.13\u202fµs 1.27× faster"));
    EXPECT_FALSE(hasComma(text));
}

TEST_F(NumbersByLocale, AnEditedPatternIsSavedAsItWasStored)
{
    Pattern pattern;
    pattern.slug = "tiles";
    pattern.title = "Tiles of 1.5\u202fKiB are 1.27× faster";
    pattern.problem = "Spills take 8.13\u202fµs";
    PatternBody body;
    body.evidence = "1.27×";
    body.steps = {"Lose 77.8\u202f% of the traffic"};
    AddPatternCard card;
    card.setEdited(pattern, body);
    std::optional<std::pair<Pattern, PatternBody>> saved;
    QObject::connect(&card, &AddPatternCard::saved,
                     [&saved](const Pattern& of, const PatternBody& with, bool) { saved.emplace(of, with); });
    card.findChild<QPushButton*>("savePattern")->click();
    ASSERT_TRUE(saved);
    EXPECT_EQ(saved->first.slug, "tiles") << "it stays the same pattern";
    EXPECT_EQ(saved->first.title, pattern.title);
    EXPECT_EQ(saved->first.problem, pattern.problem);
    EXPECT_EQ(saved->second.evidence, body.evidence);
    EXPECT_EQ(saved->second.steps, body.steps);
}

TEST_F(NumbersByLocale, ACommandIsCopiedAsItWasTyped)
{
    open(utf8(folder.filePath("own.db")));
    context->setStepWriter([](const NextStep&) { return std::string("kloop run --limit 1.5 -- PROGRAM"); });
    ProgramDialog dialog(*context, window.get());
    dialog.show();
    dialog.findChild<QLineEdit*>("program")->setText("./train --lr 0.5 --wait '1.5 s'");
    QTest::mouseClick(dialog.findChild<QPushButton*>("copyCommand"), Qt::LeftButton);
    EXPECT_EQ(QApplication::clipboard()->text(), "kloop run --limit 1.5 -- ./train --lr 0.5 --wait '1.5 s'");
}

TEST_F(NumbersByLocale, AChartsAxisHasCommasAndItsDataPoints)
{
    auto* chart = new XYChart;
    ChartCard card("Times", chart);
    card.resize(500, 300);
    XYSpec spec;
    spec.y.withZero = true;
    XYSeries series;
    series.name = "a";
    series.points = {{0.25, 0.5, {}, {}, q("0.50\u202fµs"), {}, {}}, {0.75, 1.5, {}, {}, q("1.50\u202fµs"), {}, {}}};
    spec.series.push_back(series);
    chart->setSpec(spec);
    card.show();
    QCoreApplication::processEvents();
    EXPECT_TRUE(findShownTexts(card).contains("0,4")) << utf8(findShownTexts(card).join(u'|'));
    EXPECT_TRUE(findPoints(findShownTexts(card)).isEmpty());
    EXPECT_TRUE(card.csv().contains("a,0.25,0.5,,,0.50\u202fµs\n")) << utf8(card.csv());
    EXPECT_TRUE(card.tsv().contains("a\t0.25\t0.5\t\t\t0.50\u202fµs"));
    card.showAsTable(true);
    EXPECT_TRUE(findShownTexts(card).contains("0,25"));
}

} // namespace
} // namespace kl::ui
