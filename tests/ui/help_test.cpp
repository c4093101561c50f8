// SPDX-License-Identifier: MIT
// The offline help: every page has text, links lead somewhere, the quick reference is one page.
#include "sessions/learning/history_parts.h"
#include "ui/window/help_window.h"
#include "ui/window/mainwindow.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QFile>
#include <QListWidget>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTextBrowser>

#include <set>

namespace kl::ui {
namespace {

class Help : public testing::Test {
protected:
    static void SetUpTestSuite()
    {
        auto opened = AppContext::open(":sample:", DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = opened->release();
        window = new MainWindow(*context);
        window->show();
        window->findChild<QAction*>("help")->trigger();
        help = window->findChild<HelpWindow*>();
        ASSERT_TRUE(help && help->isVisible());
    }
    static void TearDownTestSuite()
    {
        EXPECT_TRUE(waitForJobs());
        delete window;
        delete context;
    }

    static AppContext* context;
    static MainWindow* window;
    static HelpWindow* help;
};
AppContext* Help::context = nullptr;
MainWindow* Help::window = nullptr;
HelpWindow* Help::help = nullptr;

TEST_F(Help, EveryPageHasTextAndItsLinksLeadSomewhere)
{
    std::set<QString> ids;
    for (const HelpPage& page : help->pages())
        ids.insert(page.id);
    EXPECT_EQ(ids, (std::set<QString>{"start", "engineer", "lead", "assistant", "faq", "quick-reference", "prevention", "links"}));
    static const QRegularExpression link(QStringLiteral("\\]\\(([a-z]+):([^)]+)\\)"));
    for (const HelpPage& page : help->pages()) {
        help->showPage(page.id);
        EXPECT_GT(help->findChild<QTextBrowser*>()->toPlainText().size(), 300) << page.id.toStdString();
        for (auto found = link.globalMatch(page.text); found.hasNext();) {
            const QRegularExpressionMatch match = found.next();
            EXPECT_TRUE(match.captured(1) == "https" || ids.contains(match.captured(2))) << match.captured(0).toStdString();
        }
    }
}

TEST_F(Help, TheListChoosesAPageAndTheMenuOpensIt)
{
    auto* list = help->findChild<QListWidget*>("helpPages");
    list->setCurrentRow(4);
    EXPECT_TRUE(help->findChild<QTextBrowser*>()->toPlainText().contains(help->pages()[4].title));
    window->findChild<QAction*>("quick-reference")->trigger();
    EXPECT_EQ(help->pages()[static_cast<std::size_t>(list->currentRow())].id, "quick-reference");
    EXPECT_EQ(window->findChildren<HelpWindow*>().size(), 1) << "the same window";
}

TEST_F(Help, PreventsEveryMistakeThatIsCounted)
{
    const auto sample = embeddedSampleHistory();
    ASSERT_TRUE(sample);
    EXPECT_EQ(preventionPage().count("\n| "), static_cast<qsizetype>(sample->mistakes.size()) + 2);
    for (const MistakeKind& kind : sample->mistakes)
        EXPECT_FALSE(kind.prevention.empty()) << kind.id;
}

TEST_F(Help, TheQuickReferenceIsSavedAsOnePage)
{
    const QTemporaryDir folder;
    help->showPage("quick-reference");
    const QString file = folder.filePath("reference.pdf");
    ASSERT_TRUE(help->savePage(file));
    QFile pdf(file);
    ASSERT_TRUE(pdf.open(QIODevice::ReadOnly));
    const QByteArray bytes = pdf.readAll();
    static const QRegularExpression page(QStringLiteral("/Type /Page\\b"));
    EXPECT_EQ(QString::fromLatin1(bytes).count(page), 1);
    EXPECT_TRUE(help->savePage(folder.filePath("reference.md")));
    EXPECT_FALSE(help->savePage(folder.filePath("missing/reference.pdf")));
}

} // namespace
} // namespace kl::ui
