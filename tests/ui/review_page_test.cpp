// SPDX-License-Identifier: MIT
#include "sessions/report/review.h"
#include "tests/ui/support/file_answer.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>

namespace kl::ui {
namespace {

/// A session whose report is due, on the recorded device, and what the reviewer's part of the window does.
class ReviewPage : public testing::Test {
protected:
    void SetUp() override
    {
        auto opened = AppContext::open(utf8(folder.filePath("test.db")), DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        QObject::connect(context.get(), &AppContext::messagePosted,
                         [this](const Message& message) { posted << message.what + message.why; });
        NewSession request;
        request.name = "R";
        request.objective = "see how it stands";
        request.kind = "baseline";
        request.kernel = "transpose";
        const Result<SessionView> made = context->engine()->sessions.create(request);
        ASSERT_TRUE(made) << made.error().message;
        id = made->header.id;
        for (int i = 0; i < 10 && context->engine()->sessions.view(id)->phase != "document"; ++i)
            ASSERT_TRUE(context->engine()->sessions.step(id));
        window = std::make_unique<MainWindow>(*context);
        window->resize(1280, 800);
        window->show();
        window->showPage("session", q(id.text));
        ASSERT_TRUE(waitForJobs());
        page = window->page("session");
    }
    void TearDown() override { waitForJobs(); }

    template <class Widget> Widget* find(const QString& name) const
    {
        for (Widget* widget : page->findChildren<Widget*>(name))
            if (widget->isVisible())
                return widget;
        return nullptr;
    }
    QPushButton* findNamed(const QString& words) const
    {
        for (QPushButton* button : page->findChildren<QPushButton*>())
            if (button->isVisible() && button->text() == words)
                return button;
        return nullptr;
    }
    bool shows(const QString& text) const
    {
        for (const QLabel* label : page->findChildren<QLabel*>())
            if (label->isVisible() && label->text().contains(text))
                return true;
        return false;
    }
    /// Clicks what asks for a file, and names it.
    void clickAndName(QPushButton* button, const QString& file)
    {
        ASSERT_NE(button, nullptr);
        QTimer::singleShot(0, [file] {
            for (QWidget* top : QApplication::topLevelWidgets())
                if (auto* dialog = qobject_cast<QFileDialog*>(top)) {
                    dialog->findChild<QLineEdit*>("fileNameEdit")->setText(file);
                    static_cast<QDialog*>(dialog)->accept();
                }
        });
        QTest::mouseClick(button, Qt::LeftButton);
        ASSERT_TRUE(waitForJobs());
    }
    QByteArray content(const QString& file) const
    {
        QFile in(file);
        return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
    }

    QTemporaryDir folder;
    std::unique_ptr<AppContext> context;
    std::unique_ptr<MainWindow> window;
    Page* page = nullptr;
    QStringList posted;
    SessionId id;
};

TEST_F(ReviewPage, ACommentNeedsANameAndIsShownAsWordsNotMarkup)
{
    find<QLineEdit>("reviewText")->setText("why <b>cold</b> L2?");
    QTest::mouseClick(find<QPushButton>("reviewAdd"), Qt::LeftButton);
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(reviewComments(context->store(), id)->empty()) << "a comment without a name is not kept";
    find<QLineEdit>("reviewAuthor")->setText("Ada");
    QTest::keyClick(find<QLineEdit>("reviewText"), Qt::Key_Return);
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(shows("why <b>cold</b> L2?"));
    EXPECT_TRUE(shows("Ada"));
    ASSERT_EQ(reviewComments(context->store(), id)->size(), 1U);
    EXPECT_TRUE(find<QLineEdit>("reviewText")->text().isEmpty());
}

TEST_F(ReviewPage, GoesOutAsOneFileAndItsCommentsComeBackOnce)
{
    const QString file = folder.filePath("review.html");
    clickAndName(find<QPushButton>("reviewExport"), file);
    const QByteArray html = content(file);
    EXPECT_TRUE(html.contains("see how it stands"));
    EXPECT_FALSE(html.contains("src=\"http")) << "a single file";
    const auto comment = addReviewComment(*context->engine()->store, *context->engine()->sessions.view(id), "G2", "Bob", "too slow");
    ASSERT_TRUE(comment) << comment.error().message;
    const QString later = folder.filePath("later.html");
    clickAndName(find<QPushButton>("reviewExport"), later);

    clickAndName(find<QPushButton>("reviewImport"), later);
    ASSERT_FALSE(posted.isEmpty());
    EXPECT_TRUE(posted.back().contains('0') && posted.back().contains('1')) << posted.back().toStdString();
    EXPECT_LT(posted.back().indexOf('0'), posted.back().indexOf('1')) << "none is new, one was there already";
    EXPECT_EQ(reviewComments(context->store(), id)->size(), 1U);
}

TEST_F(ReviewPage, AFileThatIsNoReviewIsRefusedByName)
{
    const QString file = folder.filePath("no.json");
    QFile out(file);
    ASSERT_TRUE(out.open(QIODevice::WriteOnly));
    out.write("{}");
    out.close();
    clickAndName(find<QPushButton>("reviewImport"), file);
    ASSERT_FALSE(posted.isEmpty());
    EXPECT_TRUE(posted.back().contains("no.json")) << posted.back().toStdString();
}

TEST_F(ReviewPage, TheReportIsSavedInTheFormatOfItsName)
{
    const std::pair<const char*, const char*> formats[] = {{"html", "<!"}, {"md", "#"}, {"json", "{"}};
    for (const auto& [suffix, begins] : formats) {
        auto* button = find<QPushButton>(QStringLiteral("export-%1").arg(QLatin1String(suffix)));
        ASSERT_NE(button, nullptr) << suffix;
        const QString file = folder.filePath(QStringLiteral("report.%1").arg(QLatin1String(suffix)));
        clickAndName(button, file);
        EXPECT_TRUE(content(file).trimmed().startsWith(begins)) << suffix;
    }
}

TEST_F(ReviewPage, ImportedCommentsAreShownAtOnce)
{
    const auto save = [this](const char* name, const std::string& session) {
        QFile out(folder.filePath(QString::fromLatin1(name)));
        EXPECT_TRUE(out.open(QIODevice::WriteOnly));
        out.write(QByteArray(R"({"schema":"kernelloop.review/1","session":"SESSION","name":"R","kernel":"transpose","comments":[)"
                             R"({"id":"c1","target":"session","author":"Bob","at":"2026-01-01T00:00:00.000Z","text":"too slow"},)"
                             R"({"id":"c2","target":"outcome","author":"Eve","at":"2026-01-02T00:00:00.000Z","text":"well done"}]})")
                      .replace("SESSION", session.c_str()));
        return out.fileName();
    };
    clickAndName(find<QPushButton>("reviewImport"), save("other.json", "another session"));
    ASSERT_EQ(posted.size(), 1);
    EXPECT_TRUE(posted.back().contains("other.json")) << posted.back().toStdString();
    EXPECT_TRUE(reviewComments(context->store(), id)->empty());
    clickAndName(find<QPushButton>("reviewImport"), save("review.json", id.text));
    ASSERT_EQ(posted.size(), 2);
    EXPECT_LT(posted.back().indexOf('2'), posted.back().indexOf('0')) << "two are new, none was there already";
    for (const char* shown : {"too slow", "well done", "Bob", "Eve"})
        EXPECT_TRUE(shows(shown)) << shown;
}

TEST_F(ReviewPage, WithoutAFileNothingIsSavedOrRead)
{
    for (const char* name : {"reviewExport", "reviewImport"}) {
        const FileAnswer answer({});
        QTest::mouseClick(find<QPushButton>(name), Qt::LeftButton);
        ASSERT_TRUE(waitForJobs());
        EXPECT_TRUE(answer.seen()) << name;
        EXPECT_EQ(answer.name(), QLatin1String(name) == QLatin1String("reviewExport") ? "review-R.html" : "");
    }
    EXPECT_TRUE(posted.isEmpty()) << posted.join('|').toStdString();
    clickAndName(find<QPushButton>("reviewExport"), folder.filePath("kept.html"));
    ASSERT_EQ(posted.size(), 1);
    EXPECT_TRUE(posted[0].contains(folder.filePath("kept.html")));
}

} // namespace
} // namespace kl::ui
