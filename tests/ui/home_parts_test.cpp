// SPDX-License-Identifier: MIT
// The page Home on databases of its own: what it lists, in which order, and where its links lead.
#include "core/base/format.h"
#include "core/model/model_words.h"
#include "sessions/learning/roadmap.h"
#include "tests/support/snapshot.h"
#include "tests/support/store_support.h"
#include "tests/ui/support/seen_texts.h"
#include "ui/charts/xy_chart.h"
#include "ui/context/app_context.h"
#include "ui/models/session_table_model.h"
#include "ui/pages/home/new_kernel_dialog.h"
#include "ui/pages/home/program_dialog.h"
#include "ui/pages/home/start_doors.h"
#include "ui/pages/home_page.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/key_figure.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

namespace kl::ui {
namespace {

class HomePages : public testing::Test {
protected:
    void SetUp() override { open((folder / "own.db").string()); }
    void open(const std::string& location)
    {
        page.reset();
        auto opened = AppContext::open(location, DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        requested = std::make_unique<QSignalSpy>(context.get(), &AppContext::navigationRequested);
    }
    SessionId begin(const std::string& name)
    {
        NewSession request;
        request.name = name;
        request.objective = "objective of " + name;
        request.kernel = "transpose";
        const auto session = context->engine()->sessions.create(request);
        EXPECT_TRUE(session) << session.error().message;
        return session->header.id;
    }
    void fill()
    {
        if (!page)
            page = std::make_unique<HomePage>(*context);
        page->refresh();
        ASSERT_TRUE(waitForJobs());
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    Store& store() { return *context->engine()->store; }
    /// Where the last link led: "page argument".
    QString led() const
    {
        return requested->isEmpty() ? QString() : requested->back()[0].toString() + u' ' + requested->back()[1].toString();
    }
    /// Presses the link with these words.
    void follow(const QString& words)
    {
        for (QPushButton* button : page->findChildren<QPushButton*>())
            if (button->text() == words)
                return button->click();
        ADD_FAILURE() << words.toStdString();
    }
    QStringList texts() const
    {
        QStringList all;
        for (const QLabel* label : page->findChildren<QLabel*>())
            if (!label->text().isEmpty() && label->isVisibleTo(page.get()))
                all << label->text();
        return all;
    }
    /// Value and note of a key figure.
    QStringList figure(int place) const
    {
        const auto labels = page->findChildren<KeyFigure*>().at(place)->findChildren<QLabel*>();
        return {labels.at(0)->text(), labels.at(1)->text()};
    }
    /// Runs of a kernel that became 20 % slower.
    void slowDown()
    {
        for (int i = 0; i < 12; ++i) {
            const double ns = i < 10 ? 100 + 0.1 * (i % 3) : 120;
            RunRecord run =
                support::timedRun("r" + std::to_string(10 + i), "naive", "2026-03-01T09:" + std::to_string(10 + i) + ":00.000Z", ns);
            run.timing->gpu = {ns, ns, ns, 3};
            ASSERT_TRUE(store().saveRun(run));
        }
    }
    const DataTable& sessions() const { return *page->findChild<DataTable*>(); }
    bool showsDoors() const { return page->findChild<StartDoors*>()->isVisibleTo(page.get()); }

    support::TempDir folder;
    std::unique_ptr<AppContext> context;
    std::unique_ptr<QSignalSpy> requested;
    std::unique_ptr<HomePage> page;
};

TEST_F(HomePages, AnEmptyDatabaseOffersToBegin)
{
    fill();
    EXPECT_TRUE(showsDoors());
    EXPECT_EQ(figure(0)[0], "0");
    EXPECT_EQ(figure(1)[0], q(kNoValue));
    EXPECT_EQ(figure(2)[0], q(kNoValue));
    EXPECT_EQ(figure(3)[0], q(kNoValue));
    EXPECT_EQ(figure(4)[0], "0");
    EXPECT_EQ(figure(5)[0], "0");
    page->findChild<QPushButton*>("nextAction")->click();
    EXPECT_EQ(led(), "session new");
    EXPECT_EQ(sessions().model()->rowCount(), 0);
    follow("Show roadmap");
    EXPECT_EQ(led(), "history roadmap");
    const Roadmap roadmap = *loadRoadmap(context->store());
    EXPECT_TRUE(texts().contains(q(roadmap.steps[0].title)));
    EXPECT_TRUE(texts().contains(q(roadmap.steps[1].title)));
    EXPECT_FALSE(texts().contains(q(roadmap.steps[2].title))) << "the next two";
}

TEST_F(HomePages, DoneStepsOfTheRoadmapGiveWay)
{
    Roadmap roadmap = *loadRoadmap(context->store());
    roadmap.steps[0].done = true;
    roadmap.steps[1].sessions = {"some session"};
    ASSERT_TRUE(saveRoadmap(store(), roadmap));
    fill();
    EXPECT_FALSE(texts().contains(q(roadmap.steps[0].title)));
    EXPECT_TRUE(texts().contains(q(roadmap.steps[1].title)));
    EXPECT_TRUE(texts().contains(q(roadmap.steps[2].title)));
    EXPECT_FALSE(texts().contains(q(roadmap.steps[3].title)));
    EXPECT_EQ(texts().filter("some session").size(), 1);
}

TEST_F(HomePages, SessionsAreListedNewestFirstAndOpened)
{
    std::vector<SessionId> ids;
    for (int i = 0; i < 9; ++i) {
        ids.push_back(begin("S" + std::to_string(i)));
        if (i == 7) {
            fill();
            EXPECT_EQ(sessions().model()->rowCount(), 8);
            bool more = false;
            for (const QPushButton* button : page->findChildren<QPushButton*>())
                more = more || (button->text().contains("8 sessions") && button->isVisibleTo(page.get()));
            EXPECT_FALSE(more) << "all are shown";
        }
    }
    fill();
    ASSERT_EQ(sessions().model()->rowCount(), 8);
    EXPECT_EQ(sessions().model()->index(0, 0).data().toString(), "S8");
    EXPECT_EQ(sessions().model()->index(7, 0).data().toString(), "S1") << "the oldest one has no room";
    emit page->findChild<DataTable*>()->opened(2);
    EXPECT_EQ(led(), "session " + q(ids[6].text));
    follow("All 9 sessions");
    EXPECT_EQ(led(), "history ");
    EXPECT_EQ(figure(0)[0], "9");
    EXPECT_FALSE(figure(0)[1].isEmpty());
    EXPECT_FALSE(showsDoors());
    page->findChild<QPushButton*>("nextAction")->click();
    EXPECT_EQ(led(), "session " + q(ids[8].text)) << "the latest open one goes on";
    EXPECT_EQ(context->currentSession(), ids[8]);
    EXPECT_EQ(context->sessionText(), q("S8 · transpose"));
}

TEST_F(HomePages, SnapshotOfWhoseSessionsAreCounted)
{
    fill();
    QString text = "none | " + figure(0).join(" | ") + u'\n';
    begin("S");
    fill();
    text += "own | " + figure(0).join(" | ") + u'\n';
    for (const char* shipped : {":documents:", ":sample:"}) {
        open(shipped);
        fill();
        text += QString::fromLatin1(shipped) + " | " + figure(0)[1] + u'\n';
    }
    test::expectSnapshot("ui/home-sessions.txt", utf8(text));
}

TEST_F(HomePages, TheNewestThreeRunsAreListedWithTheirOutcome)
{
    RunRecord oldest = support::timedRun("oldest", "strided", "2026-03-01T09:00:00.000Z", 100);
    RunRecord wrong = support::timedRun("wrong", "padded", "2026-03-01T09:00:01.000Z", 200);
    wrong.correctness.result = CorrectnessResult::replays;
    wrong.status = ResultStatus::validationFailed;
    wrong.timing.reset();
    RunRecord failed = support::timedRun("failed", "tiled", "2026-03-01T09:00:02.000Z", 300);
    failed.status = ResultStatus::compilationFailed;
    failed.timing.reset();
    failed.correctness = {};
    const RunRecord profiled = support::profiledRun("profiled", "naive", "2026-03-01T09:00:03.000Z", 400);
    for (const RunRecord& run : {oldest, wrong, failed, profiled})
        ASSERT_TRUE(store().saveRun(run));
    fill();
    EXPECT_FALSE(showsDoors()) << "a run is something of one's own";
    const QStringList all = texts();
    EXPECT_FALSE(all.contains("transpose/strided"));
    EXPECT_LT(all.indexOf("transpose/naive"), all.indexOf("transpose/tiled"));
    EXPECT_LT(all.indexOf("transpose/tiled"), all.indexOf("transpose/padded"));
    ASSERT_GE(all.indexOf("transpose/naive"), 0);
    EXPECT_TRUE(all.contains(q(formatTime(400))));
    const QString refuted = markSign(Mark::fail) + ' ' + q(toWord(CorrectnessResult::replays));
    QStringList marked = all.filter(markSign(Mark::fail) + ' ');
    EXPECT_GE(marked.removeAll(refuted), 1) << all.join('|').toStdString();
    EXPECT_FALSE(marked.isEmpty()) << "the one that was not built has other words";
    const QStringList details = all.filter("M=64, N=64\n");
    ASSERT_EQ(details.size(), 3);
    EXPECT_TRUE(details[0].contains(q("P0 uncoalesced · 0.25×"))) << details[0].toStdString();
    follow("Diagnose latest profile");
    EXPECT_EQ(led(), "diagnose ");
}

TEST_F(HomePages, ASlowerKernelIsAnAlertThatLeadsToItsMark)
{
    slowDown();
    fill();
    EXPECT_EQ(figure(5)[0], "1");
    const auto* step = page->findChild<QPushButton*>("step");
    ASSERT_NE(step, nullptr);
    const QWidget* alerts = step->parentWidget();
    const auto links = alerts->findChildren<QPushButton*>();
    ASSERT_EQ(links.size(), 2) << "to measure it, and to mark it";
    links[links[0] == step ? 1 : 0]->click();
    EXPECT_EQ(led(), "history regressions");
    ASSERT_TRUE(context->switchTo((folder / "other.db").string()));
    fill();
    EXPECT_EQ(figure(5)[0], "0");
    EXPECT_TRUE(alerts->findChildren<QPushButton*>().isEmpty()) << "of the other database";
    EXPECT_FALSE(texts().contains("transpose/naive"));
}

class HomeAlerts : public HomePages {};

TEST_F(HomeAlerts, AreWordedAsInTheSnapshot)
{
    slowDown();
    fill();
    const auto* step = page->findChild<QPushButton*>("step");
    ASSERT_NE(step, nullptr);
    test::expectSnapshot("ui/home-alerts.txt", utf8(wordsOn(*step->parentWidget())) + '\n');
}

TEST_F(HomePages, WithoutUsesTheMostUsefulPatternsAreThoseQuotedMost)
{
    fill();
    std::vector<Pattern> quoted;
    const std::vector<Pattern> all = *context->store().patterns();
    for (const Pattern& pattern : all)
        if (pattern.quotedMinutes)
            quoted.push_back(pattern);
    std::ranges::stable_sort(quoted, std::ranges::greater{}, [](const Pattern& pattern) { return *pattern.quotedMinutes; });
    ASSERT_GT(quoted.size(), 3U);
    const QStringList shown = texts();
    for (int i = 0; i < 3; ++i)
        EXPECT_TRUE(shown.contains(q(quoted[static_cast<std::size_t>(i)].title))) << i;
    EXPECT_FALSE(shown.contains(q(quoted.back().title)));
    EXPECT_LT(shown.indexOf(q(quoted[0].title)), shown.indexOf(q(quoted[2].title)));
    EXPECT_TRUE(shown.contains(q(formatMinutes(*quoted[0].quotedMinutes))));
}

TEST_F(HomePages, TheDocumentsSessionsAreReadInTheHistory)
{
    open(":documents:");
    fill();
    EXPECT_TRUE(showsDoors()) << "nothing of one's own can be there";
    const Result<History> history = loadHistory(context->store());
    ASSERT_TRUE(history);
    emit page->findChild<DataTable*>()->opened(0);
    EXPECT_EQ(led(), "history " + q(history->rows.back().id));
    EXPECT_EQ(figure(0)[0], QString::number(history->own.sessions + history->sample.sessions));
    EXPECT_FALSE(figure(0)[1].isEmpty()) << "whose they are";
    page->findChild<QPushButton*>("nextAction")->click();
    EXPECT_EQ(led(), "session new");
    const auto toCome = std::ranges::find_if(history->planned, [](const PlannedSession& one) { return one.became.empty(); });
    ASSERT_NE(toCome, history->planned.end());
    EXPECT_EQ(texts().filter(q(toCome->name + ": " + toCome->objective)).size(), 1) << "the next one that is planned";
    EXPECT_FALSE(figure(2)[1].isEmpty());
}

TEST_F(HomePages, TheSampleBeginsWithItsTour)
{
    open(":sample:");
    fill();
    page->findChild<QPushButton*>("nextAction")->click();
    EXPECT_EQ(led(), "tour ");
    const Result<History> history = loadHistory(context->store());
    const HistoryRow* best = nullptr;
    for (const HistoryRow& row : history->rows)
        if (const auto speedup = findShownFigure(row.speedup); speedup && (!best || speedup->value > findShownFigure(best->speedup)->value))
            best = &row;
    ASSERT_TRUE(best);
    EXPECT_EQ(figure(1)[0], q(formatRatio(findShownFigure(best->speedup)->value)));
    EXPECT_TRUE(figure(1)[1].startsWith(q(best->name + ";"))) << figure(1)[1].toStdString();
    double gain = 0;
    for (const HistoryRow& row : history->rows)
        gain = std::max(gain, row.gain.value_or(0));
    EXPECT_TRUE(figure(1)[1].endsWith(q(formatRatio(gain)))) << figure(1)[1].toStdString();
}

TEST_F(HomePages, AProgramIsCheckedBeforeItIsStarted)
{
    ProgramDialog dialog(*context, nullptr);
    dialog.show();
    auto* status = dialog.findChild<QLabel*>("programStatus");
    const auto stated = [&] {
        dialog.findChild<QPushButton*>("profileProgram")->click();
        EXPECT_EQ(JobMonitor::instance().active(), 0) << "nothing was started";
        EXPECT_TRUE(status->isVisible());
        return status->text();
    };
    QStringList reasons{stated()};
    dialog.findChild<QLineEdit*>("program")->setText("echo 'open");
    reasons << stated();
    dialog.findChild<QLineEdit*>("program")->setText("true");
    dialog.findChild<QLineEdit*>("programKernels")->setText("(");
    reasons << stated();
    dialog.findChild<QLineEdit*>("programKernels")->clear();
    dialog.findChild<QLineEdit*>("programFolder")->setText("/no/such/folder");
    reasons << stated();
    EXPECT_TRUE(reasons.back().contains("/no/such/folder"));
    dialog.findChild<QLineEdit*>("programFolder")->clear();
    for (const char* line : {"NOVALUE", "=1"}) {
        dialog.findChild<QPlainTextEdit*>("programVariables")->setPlainText(QStringLiteral("A=1\n") + QLatin1String(line));
        EXPECT_TRUE(stated().contains(QLatin1String(line)));
    }
    EXPECT_EQ(reasons.removeDuplicates(), 0) << reasons.join('|').toStdString();
    auto* counters = dialog.findChild<QCheckBox*>("programCounters");
    auto* count = dialog.findChild<QSpinBox*>("programCount");
    EXPECT_TRUE(counters->isChecked());
    EXPECT_TRUE(count->isEnabled());
    counters->setChecked(false);
    EXPECT_FALSE(count->isEnabled()) << "no launches are counted";
}

TEST_F(HomePages, AProgramsCommandFollowsWhatIsTyped)
{
    context->setStepWriter([](const NextStep& step) {
        return "kloop --db " + step.at(StepArgument::database) + " profile -- " + step.at(StepArgument::program);
    });
    ProgramDialog dialog(*context, nullptr);
    const auto* command = dialog.findChild<QLineEdit*>("command");
    const QString begin = "kloop --db " + context->location() + " profile -- ";
    EXPECT_EQ(command->text(), begin + "python3 train.py");
    dialog.findChild<QLineEdit*>("program")->setText(" ./a --n 3 ");
    EXPECT_EQ(command->text(), begin + "./a --n 3");
    dialog.findChild<QPushButton*>("copyCommand")->click();
    EXPECT_EQ(QApplication::clipboard()->text(), begin + "./a --n 3");
}

TEST_F(HomePages, AKernelIsWrittenFromTheChosenTemplateIntoTheNamedFolder)
{
    NewKernelDialog dialog(nullptr);
    dialog.show();
    QString descriptor, id;
    QObject::connect(&dialog, &NewKernelDialog::written, &dialog, [&](const QString& file, const QString& name) {
        descriptor = file;
        id = name;
    });
    dialog.findChild<QLineEdit*>("kernelParent")->setText(q(folder.path().string()));
    dialog.findChild<QLineEdit*>("kernelName")->setText("no name");
    dialog.findChild<QPushButton*>("writeKernel")->click();
    const auto* error = dialog.findChild<QLabel*>("kernelError");
    EXPECT_TRUE(error->isVisible());
    EXPECT_TRUE(dialog.isVisible());
    EXPECT_TRUE(descriptor.isEmpty());
    dialog.findChild<QLineEdit*>("kernelName")->setText(" mine ");
    EXPECT_FALSE(error->isVisible()) << "it was of the other name";
    auto* starter = dialog.findChild<QComboBox*>("kernelStarter");
    starter->setCurrentIndex(starter->findData("reduction"));
    dialog.findChild<QPushButton*>("writeKernel")->click();
    EXPECT_FALSE(dialog.isVisible());
    EXPECT_EQ(id, "mine");
    EXPECT_EQ(utf8(descriptor), (folder.path() / "mine" / "kernel.json").string());
    EXPECT_NE(support::readBytes(utf8(descriptor)).find("mine"), std::string::npos);
}

} // namespace
} // namespace kl::ui
