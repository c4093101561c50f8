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
    const auto sample = loadEmbeddedSampleHistory();
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

TEST(HelpTexts, MistakesHaveTheirCostBeforeTheirPrevention)
{
    const Result<SampleHistory> sample = loadEmbeddedSampleHistory();
    ASSERT_TRUE(sample);
    ASSERT_FALSE(sample->mistakes.empty());
    const QStringList lines = preventionPage().split('\n');
    qsizetype at = 0;
    for (const MistakeKind& kind : sample->mistakes) {
        const auto row = std::find_if(lines.begin() + at, lines.end(), [&](const QString& line) {
            return line.startsWith("| " + QString::fromStdString(kind.text).section('|', 0, 0));
        });
        ASSERT_NE(row, lines.end()) << kind.text << " in its order";
        at = row - lines.begin() + 1;
        EXPECT_EQ(row->count(" | "), 2) << row->toStdString();
        if (!kind.cost.empty()) {
            EXPECT_EQ(row->section(" | ", 1, 1), QString::fromStdString(kind.cost)) << kind.id;
        }
        EXPECT_EQ(row->section(" | ", 2, 2), QString::fromStdString(kind.prevention) + " |") << kind.id;
    }
}

TEST(HelpTexts, PagesAreInTheOrderOfTheListAndOneIsHtml)
{
    auto opened = AppContext::open(":memory:", DeviceSpec::sample());
    ASSERT_TRUE(opened) << opened.error().message;
    QStringList ids, html, titles;
    for (const HelpPage& page : helpPages(**opened)) {
        ids << page.id;
        titles << page.title;
        if (page.html)
            html << page.id;
        EXPECT_FALSE(page.text.isEmpty()) << page.id.toStdString();
    }
    EXPECT_EQ(ids, (QStringList{"start", "engineer", "lead", "assistant", "faq", "quick-reference", "prevention", "links"}));
    EXPECT_EQ(html, QStringList{"quick-reference"});
    EXPECT_EQ(titles.removeDuplicates(), 0);
}

} // namespace
} // namespace kl::ui
