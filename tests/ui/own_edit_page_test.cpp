// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "sessions/edit/command.h"
#include "sessions/edit/kernel_files.h"
#include "ui/charts/xy_chart.h"
#include "ui/pages/session/edit_card.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <QCheckBox>
#include <QDesktopServices>
#include <QFile>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QUrl>

namespace kl::ui {
namespace {

/// A debug session on a kernel of the user's in a git repository, clicked through in the window. The recorded device knows nothing of the
/// kernel, so what a GPU would have measured of it is put into the database.
class OwnEditPage : public testing::Test {
protected:
    void SetUp() override
    {
        ASSERT_TRUE(QDir(folder.path()).mkdir("repo"));
        for (const char* name : {"kernel.json", "flip.cu"})
            ASSERT_TRUE(QFile::copy(QStringLiteral(KL_SOURCE_DIR "/tests/data/own_transpose/%1").arg(name), path(name)));
        git({"init", "-q", "-b", "main"});
        git({"config", "user.name", "A"});
        git({"config", "user.email", "a@b.c"});
        git({"add", "."});
        git({"commit", "-qm", "first"});
        auto opened = AppContext::open(utf8(folder.filePath("test.db")), DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        ASSERT_TRUE(context->addKernel(utf8(path("kernel.json"))));
        window = std::make_unique<MainWindow>(*context);
        window->resize(1280, 800);
        window->show();
        NewSession request;
        request.name = "E";
        request.objective = "wrong on odd sizes";
        request.kind = "debug";
        request.kernel = "flip/plain";
        const Result<SessionView> made = context->engine()->sessions.create(request);
        ASSERT_TRUE(made) << made.error().message;
        id = made->header.id;
        for (const SessionAction action : {SessionAction::hypothesis, SessionAction::instrument})
            ASSERT_TRUE(context->engine()->sessions.act(id, action));
        const std::string run = save("M=31,N=33", false);
        append("failing-case-found", Json{{"run", run}, {"problem", "M=31,N=33"}, {"seen", "wrong"}});
        ASSERT_TRUE(context->engine()->sessions.act(id, SessionAction::analyze));
        before = text();
    }
    void TearDown() override { waitForJobs(); }

    QString path(const char* name) const { return folder.filePath(QStringLiteral("repo/%1").arg(QLatin1String(name))); }
    QByteArray text() const
    {
        QFile file(path("flip.cu"));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    void edit(const QByteArray& line) const
    {
        const QByteArray old = text();
        QFile file(path("flip.cu"));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(line + old);
    }
    std::string git(std::vector<std::string> words) const
    {
        words.insert(words.begin(), {"-C", utf8(folder.filePath("repo"))});
        const Result<CommandAnswer> answer = runCommand("git", words);
        return answer ? answer->output + answer->errors : std::string();
    }
    SessionView view() const { return *context->engine()->sessions.view(id); }

    /// A run of flip/plain as it lies on disk, on every size of its suite.
    std::string save(const std::string& problem, bool right) const
    {
        const KernelFamily& family = **context->catalog().family("flip");
        RunRecord run;
        run.id = {newUuid()};
        run.kernel = {"flip", "plain", {}};
        run.problem = *parseParams(problem);
        run.startedAt = isoNow();
        run.source = Source::sample;
        run.device.name = "H200";
        run.status = right ? ResultStatus::ok : ResultStatus::validationFailed;
        run.correctness.result = right ? CorrectnessResult::correct : CorrectnessResult::incorrect;
        for (const Params& size : family.suite) {
            SuiteRow row;
            row.problem = toText(size);
            row.pass = right;
            run.correctness.suite.push_back(row);
        }
        EXPECT_TRUE(context->engine()->store->saveRun(run));
        return run.id.text;
    }
    void append(const char* type, const Json& data) const
    {
        ASSERT_TRUE(context->engine()->store->appendEvent(id, {view().events.back().seq + 1, isoNow(), type, encode(data)}));
    }
    void look()
    {
        window->showPage("session", q(id.text));
        ASSERT_TRUE(waitForJobs());
        page = window->page("session");
    }
    template <class Widget> Widget* find(const char* name) const
    {
        for (Widget* widget : page->findChildren<Widget*>(QString::fromLatin1(name)))
            if (widget->isVisible())
                return widget;
        return nullptr;
    }
    void click(QPushButton* button)
    {
        ASSERT_NE(button, nullptr);
        ASSERT_TRUE(button->isEnabled()) << button->text().toStdString();
        QTest::mouseClick(button, Qt::LeftButton);
        ASSERT_TRUE(waitForJobs());
    }
    /// A link below the gate's button.
    QPushButton* other(const QString& action, const QString& words = {}) const
    {
        for (QPushButton* link : page->findChildren<QPushButton*>("otherAction"))
            if (link->isVisible() && link->property("action").toString() == action && link->text().contains(words))
                return link;
        return nullptr;
    }
    /// From the offer to an edit that is shown.
    void applyEditBegun()
    {
        look();
        QPushButton* offer = nullptr;
        for (QPushButton* button : page->findChildren<QPushButton*>())
            if (button->isVisible() && button->property("fix").toString() == "own-edit")
                offer = button;
        click(offer);
        ASSERT_TRUE(find<QPushButton>("editOpen"));
    }
    void editShown()
    {
        edit("// tiled\n");
        ASSERT_TRUE(QTest::qWaitFor([this] { return find<QPlainTextEdit>("editDiff") != nullptr; }, 60000)) << "the file is watched";
        waitForJobs();
    }
    void editProven()
    {
        click(find<QPushButton>("editTake"));
        append("minimal-verified", Json{{"run", save("M=31,N=33", true)}});
        append("candidate-verified", Json{{"run", save("M=4096,N=4096", true)}});
        look();
    }

    QTemporaryDir folder;
    QByteArray before;
    std::unique_ptr<AppContext> context;
    std::unique_ptr<MainWindow> window;
    Page* page = nullptr;
    SessionId id;
};

/// Stands in for the desktop's editor.
class EditorOfFiles : public QObject {
    Q_OBJECT
public:
    QUrl opened;
public slots:
    void open(const QUrl& url) { opened = url; }
};

TEST_F(OwnEditPage, ASavedEditIsShownAsADifferenceAndKeptWithACommitThatUndoTakesBack)
{
    applyEditBegun();
    EXPECT_FALSE(find<QPushButton>("editTake")->isEnabled()) << "nothing has changed yet";
    EditorOfFiles editor;
    QDesktopServices::setUrlHandler("file", &editor, "open");
    QTest::mouseClick(find<QPushButton>("editOpen"), Qt::LeftButton);
    QDesktopServices::unsetUrlHandler("file");
    EXPECT_EQ(editor.opened.toLocalFile(), path("flip.cu"));

    editShown();
    EXPECT_TRUE(find<QPlainTextEdit>("editDiff")->toPlainText().contains("+// tiled"));
    EXPECT_TRUE(find<QLabel>("editState")->text().startsWith("+1 −0"));
    auto* commit = find<QCheckBox>("editGit");
    ASSERT_TRUE(commit) << "the file lies in a git repository";
    EXPECT_FALSE(commit->isChecked());
    commit->click();
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(view().git, true);

    editProven();
    ASSERT_TRUE(find<QPushButton>("gateAction"));
    EXPECT_TRUE(find<QPushButton>("gateAction")->text().contains("git")) << find<QPushButton>("gateAction")->text().toStdString();
    click(find<QPushButton>("gateAction"));
    EXPECT_EQ(view().commit + '\n', git({"rev-parse", "HEAD"}));
    EXPECT_EQ(git({"show", "--name-only", "--format="}), "flip.cu\n");
    EXPECT_TRUE(find<QLabel>("editState")->text().contains(q(view().commit.substr(0, 12))));

    click(other("undo"));
    EXPECT_EQ(git({"log", "--format=%s"}), "first\n");
    EXPECT_TRUE(view().commit.empty());
    EXPECT_NE(text(), before) << "the edit itself stays";
    click(other("keep", "without"));
    EXPECT_EQ(view().next.front().action, SessionAction::document) << view().why;
    EXPECT_EQ(git({"log", "--format=%s"}), "first\n");
}

TEST_F(OwnEditPage, GivingUpGivesTheFileBackAndUndoBringsTheEditBack)
{
    applyEditBegun();
    editShown();
    const QByteArray edited = text();
    click(find<QPushButton>("editGiveUp"));
    EXPECT_EQ(text(), before);
    click(other("undo"));
    EXPECT_EQ(text(), edited);
}

TEST_F(OwnEditPage, AttemptsAreALineAndAnyIsBroughtBack)
{
    applyEditBegun();
    editShown();
    const QByteArray first = text();
    const auto attempt = [this](double ns) {
        const SourceChange change = *context->engine()->sessions.edit(id);
        const std::string copy = "copy-" + change.after;
        ASSERT_TRUE(context->engine()->store->saveArtifact(copy, encodeFiles(*readKernelFiles(utf8(path("kernel.json"))))));
        RunRecord run = *context->engine()->store->run({save("M=4096,N=4096", true)});
        run.id = {newUuid()};
        run.timing.emplace();
        run.timing->gpu = {ns, ns - 500, ns + 500, 30};
        ASSERT_TRUE(context->engine()->store->saveRun(run));
        append(event::kAttempted,
               Json{{"run", run.id.text}, {"copy", copy}, {"source", change.after}, {"summary", change.summary}, {"diff", change.diff}});
    };
    attempt(9000);
    edit("// second\n");
    attempt(7000);
    look();
    auto* rows = find<QTableWidget>("attempts");
    ASSERT_TRUE(rows);
    ASSERT_EQ(rows->rowCount(), 3) << "what it began with, and two";
    EXPECT_EQ(rows->currentRow(), 2) << "what lies on disk";
    EXPECT_EQ(rows->item(1, 2)->text(), q(formatTime(9000)));
    const XYSpec& line = page->findChild<EditCard*>()->findChild<XYChart*>()->spec();
    ASSERT_EQ(line.series.front().points.size(), 2U) << "the start was not profiled";
    EXPECT_EQ(line.series.front().points[1].y, 7);
    EXPECT_EQ(line.series.front().points[1].low, 6.5) << "its noise";
    EXPECT_EQ(line.series.front().points[1].high, 7.5);
    EXPECT_FALSE(find<QPushButton>("attemptReturn")->isEnabled()) << "it is there already";
    rows->selectRow(1);
    EXPECT_FALSE(find<QPlainTextEdit>("editDiff")->toPlainText().contains("second"));
    click(find<QPushButton>("attemptReturn"));
    EXPECT_EQ(text(), first);
    EXPECT_FALSE(find<QCheckBox>("editSaves")) << "a recording cannot measure an edit";
}

TEST_F(OwnEditPage, ASecondVariableIsRefusedByName)
{
    applyEditBegun();
    edit("// tiled\n");
    QFile descriptor(path("kernel.json"));
    ASSERT_TRUE(descriptor.open(QIODevice::Append));
    descriptor.write("\n");
    descriptor.close();
    ASSERT_TRUE(QTest::qWaitFor([this] { return find<QLabel>("editState")->text().contains("kernel.json"); }, 60000));
    EXPECT_FALSE(find<QPushButton>("editTake")->isEnabled());
    bool named = false;
    for (const QLabel* label : page->findChildren<QLabel*>())
        named = named || (label->isVisible() && label->text().contains("one-variable"));
    EXPECT_TRUE(named);
}

} // namespace
} // namespace kl::ui

#include "own_edit_page_test.moc"
