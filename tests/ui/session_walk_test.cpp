// SPDX-License-Identifier: MIT
#include "tests/support/build_folder.h"
#include "tests/support/snapshot.h"
#include "tests/ui/support/page_texts.h"
#include "ui/pages/session/report_export.h"
#include "ui/widgets/breakable.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

namespace kl::ui {
namespace {

QPushButton* findShownButton(const Page& page, const QString& name)
{
    for (QPushButton* button : page.findChildren<QPushButton*>(name))
        if (button->isVisible())
            return button;
    return nullptr;
}

bool shows(const Page& page, const QString& text)
{
    for (const QLabel* label : page.findChildren<QLabel*>())
        if (label->isVisible() && label->text().contains(text))
            return true;
    return false;
}

void click(QPushButton* button)
{
    ASSERT_NE(button, nullptr);
    ASSERT_TRUE(button->isEnabled()) << button->text().toStdString();
    QTest::mouseClick(button, Qt::LeftButton);
    ASSERT_TRUE(waitForJobs());
}

/// The answer of kloop on the same database, and its exit status.
nlohmann::json kloop(const QString& database, QStringList words)
{
    words << QStringLiteral("--db") << database << QStringLiteral("--json");
    QProcess process;
    process.start(QString::fromStdString(test::buildFolder() + "/bin/kloop"), words);
    if (!process.waitForFinished(60000))
        return {};
    return nlohmann::json::parse(process.readAllStandardOutput().toStdString(), nullptr, false);
}

/// One session on the recorded transpose, clicked through from its form to its end; the tests look at what it left.
class SessionWalk : public testing::Test {
protected:
    static void SetUpTestSuite()
    {
        actions.clear();
        keptBeforeProfile = fixesShown = sentenceShown = false;
        folder = new QTemporaryDir;
        auto opened = AppContext::open(utf8(file()), DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = opened->release();
        window = new MainWindow(*context);
        window->resize(1280, 800);
        window->show();
        window->showPage("session", "new");
        ASSERT_TRUE(waitForJobs());
        page = window->page("session");
        openSession();
        for (int step = 0; step < 20 && view().phase != "done"; ++step)
            takeStep();
    }
    static void TearDownTestSuite()
    {
        delete window;
        delete context;
        delete folder;
    }

    void SetUp() override
    {
        window->showPage("session");
        ASSERT_TRUE(waitForJobs());
        page->findChildren<QToolButton*>("stage").last()->click(); // as the walk left it, whatever an earlier test looked at
    }

    static QString file() { return folder->filePath("walk.db"); }
    static SessionView view() { return *context->engine()->sessions.view(context->currentSession()); }

    static void openSession()
    {
        auto* kernel = page->findChild<QComboBox*>("sessionKernel");
        ASSERT_NE(kernel, nullptr);
        kernel->setCurrentIndex(kernel->findData("transpose"));
        page->findChild<QLineEdit*>("sessionObjective")->setText("Coalesce the stores");
        click(findShownButton(*page, "openSession"));
        ASSERT_FALSE(context->currentSession().text.empty());
    }

    static void takeStep()
    {
        const SessionView now = view();
        ASSERT_FALSE(now.next.empty());
        const SessionAction action = now.next.front().action;
        actions.emplace_back(toString(action));
        if (action == SessionAction::profile) // nothing to decide yet, and nothing offers it
            keptBeforeProfile = findShownButton(*page, "keep") != nullptr && findShownButton(*page, "keep")->isEnabled();
        if (action == SessionAction::chooseFix)
            fixesShown = shows(*page, q(now.profileRun->diagnosis->finding.fixes.front().title));
        if (action == SessionAction::keep) {
            sentenceShown = shows(*page, breakable(q(now.evaluation->sentence)));
            click(findShownButton(*page, "keep"));
            return;
        }
        click(findShownButton(*page, "gateAction"));
    }

    static QTemporaryDir* folder;
    static AppContext* context;
    static MainWindow* window;
    static Page* page;
    static std::vector<std::string> actions;
    static bool keptBeforeProfile;
    static bool fixesShown;
    static bool sentenceShown;
};
QTemporaryDir* SessionWalk::folder = nullptr;
AppContext* SessionWalk::context = nullptr;
MainWindow* SessionWalk::window = nullptr;
Page* SessionWalk::page = nullptr;
std::vector<std::string> SessionWalk::actions;
bool SessionWalk::keptBeforeProfile = false;
bool SessionWalk::fixesShown = false;
bool SessionWalk::sentenceShown = false;

TEST_F(SessionWalk, EndsDoneAndKept)
{
    EXPECT_EQ(view().phase, "done");
    EXPECT_EQ(view().outcome, "kept");
    const std::vector<std::string> method = {"check-environment", "verify-smallest", "measure-baseline", "profile",
                                             "choose-fix",        "verify-suite",    "evaluate",         "keep",
                                             "document",          "finish"};
    EXPECT_EQ(actions, method);
}

TEST_F(SessionWalk, ShowsFixesAndVerdictAndOffersNoKeepBeforeTheProfile)
{
    EXPECT_TRUE(fixesShown);
    EXPECT_TRUE(sentenceShown);
    EXPECT_FALSE(keptBeforeProfile);
}

TEST_F(SessionWalk, EveryStageCanBeLookedAt)
{
    window->showPage("session");
    ASSERT_TRUE(waitForJobs());
    const auto stages = page->findChildren<QToolButton*>("stage");
    ASSERT_EQ(stages.size(), 6);
    for (QToolButton* stage : stages) {
        EXPECT_TRUE(stage->text().contains(QStringLiteral("✓"))) << stage->text().toStdString();
        stage->click();
        EXPECT_TRUE(stage->isChecked());
        const QPushButton* button = findShownButton(*page, "gateAction");
        EXPECT_TRUE(button == nullptr) << "a finished session offers nothing to do";
    }
}

TEST_F(SessionWalk, SessionAgreesWithTheCommandLine)
{
    const auto answer = kloop(file(), {"session", "show", q(context->currentSession().text)});
    ASSERT_TRUE(answer.is_object());
    EXPECT_EQ(answer.value("phase", ""), view().phase);
    window->showPage("session");
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(shows(*page, QStringLiteral("transpose/tiled")));
}

TEST_F(SessionWalk, GatesAgreeWithTheCommandLine)
{
    const std::pair<const char*, int> stages[] = {{"G1", 0}, {"G2", 1}, {"G3", 2}, {"G4", 3}, {"G5", 4}};
    for (const auto& [id, at] : stages) {
        const auto answer = kloop(file(), {"session", "gate", id, "--session", q(context->currentSession().text)});
        ASSERT_TRUE(answer.contains("gate")) << answer.dump();
        const QString word = q(answer["gate"]["result"].get<std::string>());
        window->showPage("session");
        ASSERT_TRUE(waitForJobs());
        page->findChildren<QToolButton*>("stage")[at]->click();
        bool shown = false;
        for (const MarkLabel* mark : page->findChildren<MarkLabel*>())
            shown = shown || (mark->isVisible() && mark->text().contains(word));
        EXPECT_TRUE(shown) << id << ' ' << word.toStdString();
        EXPECT_TRUE(shows(*page, q(id))) << id;
    }
}

TEST_F(SessionWalk, FindingAgreesWithTheCommandLine)
{
    const SessionView now = view();
    const auto answer = kloop(file(), {"profile", "transpose/naive", "--on", "sample"});
    ASSERT_TRUE(answer.contains("finding")) << answer.dump();
    window->showPage("diagnose", q(now.profileRun->id.text));
    ASSERT_TRUE(waitForJobs());
    const auto* sentence = window->page("diagnose")->findChild<QLabel*>("findingSentence");
    ASSERT_NE(sentence, nullptr);
    EXPECT_EQ(sentence->text(), q(answer["finding"]["title"].get<std::string>()));
    EXPECT_TRUE(shows(*window->page("diagnose"), q(answer["finding"]["class"].get<std::string>())));
}

TEST_F(SessionWalk, LikelyFixAgreesWithTheCommandLine)
{
    const SessionView now = view();
    const auto answer = kloop(file(), {QStringLiteral("recommend"), QStringLiteral("run:") + q(now.profileRun->id.text)});
    ASSERT_TRUE(answer.contains("sentence")) << answer.dump();
    window->showPage("diagnose", q(now.profileRun->id.text));
    ASSERT_TRUE(waitForJobs());
    const auto* sentence = window->page("diagnose")->findChild<QLabel*>("likelyFix");
    ASSERT_NE(sentence, nullptr);
    EXPECT_EQ(sentence->text(), q(answer["sentence"].get<std::string>()));
}

TEST_F(SessionWalk, ComparisonAgreesWithTheCommandLine)
{
    const SessionView now = view();
    ASSERT_TRUE(now.baselineRun && now.candidateRun);
    const QString a = QStringLiteral("run:") + q(now.baselineRun->id.text);
    const QString b = QStringLiteral("run:") + q(now.candidateRun->id.text);
    const auto answer = kloop(file(), {"compare", a, b});
    ASSERT_TRUE(answer.contains("verdict")) << answer.dump();
    Page* compare = window->page("compare");
    for (const QString& run : {a, b})
        window->showPage("compare", run);
    ASSERT_TRUE(waitForJobs());
    QString word = q(answer["verdict"].get<std::string>());
    bool shown = false;
    for (const MarkLabel* mark : compare->findChildren<MarkLabel*>())
        shown = shown || (mark->isVisible() && mark->text().contains(word.replace(u'-', u' ')));
    EXPECT_TRUE(shown) << word.toStdString();
    EXPECT_EQ(compare->findChild<QLabel*>("verdictSentence")->text(),
              q(context->engine()->bench.compare(now.baselineRun->id, now.candidateRun->id)->sentence));
    EXPECT_FALSE(compare->findChild<QLabel*>("verdictBasis")->text().isEmpty());
}

TEST_F(SessionWalk, BesideTheMeasuredComparisonStandRunsOfOneProblem)
{
    const SessionView now = view();
    ASSERT_TRUE(now.evaluation && now.candidateRun);
    window->showPage("compare", q(now.evaluation->id.text));
    ASSERT_TRUE(waitForJobs());
    // The problem as the list of runs words it: "M=4096, N=4096".
    const QString problem = spaceProblem(toText(now.candidateRun->problem));
    int rows = 0;
    for (const QLabel* label : window->page("compare")->findChildren<QLabel*>())
        rows += label->isVisible() && label->text().startsWith(problem + QStringLiteral(" ·"));
    EXPECT_EQ(rows, 2) << problem.toStdString();
}

TEST_F(SessionWalk, StagesAreWordedAsInTheSnapshot)
{
    QString text;
    int number = 0;
    for (QToolButton* stage : page->findChildren<QToolButton*>("stage")) {
        stage->click();
        text += QStringLiteral("== stage %1\n").arg(++number) + collectTexts(*page);
    }
    text.replace(QRegularExpression("[0-9.]+([\\x{A0}\\x{202F} ]s)? of [0-9]+[\\x{A0}\\x{202F} ]min"), "SPENT of BUDGET");
    test::expectSnapshot("ui/session-stages.txt", utf8(text));
}

TEST_F(SessionWalk, ReportsAreWrittenAndTroubleIsReported)
{
    const SessionId id = context->currentSession();
    for (const char* suffix : {"html", "pdf", "md", "json"}) {
        const QString name = folder->filePath(QStringLiteral("report.%1").arg(QLatin1String(suffix)));
        const Status written = exportReport(context->store(), context->catalog(), id, name);
        EXPECT_TRUE(written) << suffix;
        EXPECT_GT(QFile(name).size(), 500) << suffix;
    }
    QFile pdf(folder->filePath("report.pdf"));
    ASSERT_TRUE(pdf.open(QIODevice::ReadOnly));
    EXPECT_EQ(pdf.read(5), "%PDF-");
    EXPECT_FALSE(exportReport(context->store(), context->catalog(), id, folder->filePath("report.doc")));
    EXPECT_FALSE(exportReport(context->store(), context->catalog(), id, folder->filePath("none/report.html")));
    EXPECT_FALSE(exportReport(context->store(), context->catalog(), id, folder->filePath("none/report.pdf")));
}

} // namespace
} // namespace kl::ui
