// SPDX-License-Identifier: MIT
#include "tests/support/set_variable.h"
#include "tests/support/snapshot.h"
#include "tests/ui/support/page_texts.h"
#include "ui/charts/chart_card.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <gtest/gtest.h>

#include <QRegularExpression>
#include <QTabWidget>

namespace kl::ui {
namespace {

/// The wording of each page on the recorded sample, in a window that is wide enough for every column.
class PageSnapshot : public testing::TestWithParam<const char*> {
protected:
    static void SetUpTestSuite()
    {
        auto opened = AppContext::open(":sample:", DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = opened->release();
    }
    static void TearDownTestSuite() { delete context; }
    void SetUp() override
    {
        ASSERT_TRUE(context);
        RunQuery query;
        query.kernel = "transpose/naive";
        query.profilesOnly = true;
        auto runs = context->store().runs(query);
        ASSERT_TRUE(runs);
        std::erase_if(*runs, [](const RunSummary& one) { return one.source != Source::sample; }); // a session's code needs nvdisasm to show
        if (runs->empty())
            GTEST_SKIP() << "this build carries no recorded capture (resources/captures/): run ./dev capture on a GPU host";
        run = q(runs->front().id.text);
        window = std::make_unique<MainWindow>(*context);
        window->resize(2560, 1440);
        window->show();
    }

    /// What to show on a page, so that it is the same in every build.
    QString argument() const
    {
        const QString id = QString::fromLatin1(GetParam());
        return id == "diagnose"  ? run
               : id == "kernels" ? QStringLiteral("transpose/naive")
               : id == "search"  ? QStringLiteral("attention/fused")
                                 : QString();
    }

    /// Title, buttons of the header, and the page.
    static QString collectPage(const Page& page)
    {
        QString text = page.title() + u'\n';
        for (const QWidget* action : page.actions())
            text += collectTexts(*action);
        return text + collectTexts(page);
    }

    static AppContext* context;
    const support::SetVariable noDisassembler{"KERNELLOOP_NVDISASM", "/no/nvdisasm"}; ///< the same texts with a toolkit and without
    std::unique_ptr<MainWindow> window;
    QString run;
};
AppContext* PageSnapshot::context = nullptr;

/// A figure in six digits, which compilers agree on.
QString rounded(const QString& line)
{
    static const QRegularExpression figure(QStringLiteral("-?\\d+\\.\\d+(e[+-]?\\d+)?"));
    QString out;
    qsizetype at = 0;
    for (auto found = figure.globalMatch(line); found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        out += line.mid(at, match.capturedStart() - at) + QString::number(match.captured().toDouble(), 'g', 6);
        at = match.capturedEnd();
    }
    return out + line.mid(at);
}

/// The first lines of a table and how many there are.
QString formatHead(const QString& name, const QString& table)
{
    constexpr qsizetype kLines = 16;
    const QStringList lines = table.split(u'\n', Qt::SkipEmptyParts);
    QString out = QStringLiteral("-- %1: %2 lines\n").arg(name).arg(lines.size());
    for (const QString& line : lines.mid(0, kLines))
        out += rounded(withoutTimes(line.trimmed())) + u'\n';
    return out;
}

/// What the tables and charts of a page hold, those that another tab hides included.
QString collectFigures(const Page& page)
{
    QString text;
    for (const DataTable* table : page.findChildren<DataTable*>())
        text += formatHead(table->objectName(), table->tsv(false));
    for (const ChartCard* card : page.findChildren<ChartCard*>())
        text += formatHead(card->title(), card->csv());
    return text;
}

TEST_P(PageSnapshot, IsWordedAsInTheSnapshot)
{
    const QString id = QString::fromLatin1(GetParam());
    window->showPage(id, argument());
    ASSERT_TRUE(waitForJobs());
    QString text = id == "home" ? collectTexts(*window) : collectPage(*window->page(id));
    if (auto* tabs = window->page(id)->findChild<QTabWidget*>())
        for (int i = 1; i < tabs->count(); ++i)
            if (id == "calculate" || id == "compare") { // others need a compiler or a GPU for their tabs
                tabs->setCurrentIndex(i);
                ASSERT_TRUE(waitForJobs());
                text += QStringLiteral("== %1\n").arg(tabs->tabText(i)) + collectTexts(*tabs->currentWidget());
            }
    test::expectSnapshot("ui/" + utf8(id) + ".txt", utf8(text));
    test::expectSnapshot("values/page-" + utf8(id) + ".txt", utf8(collectFigures(*window->page(id))));
}

INSTANTIATE_TEST_SUITE_P(Window, PageSnapshot,
                         testing::Values("home", "session", "kernels", "diagnose", "compare", "search", "history", "patterns", "calculate",
                                         "environment"),
                         [](const auto& page) { return std::string(page.param); });

} // namespace
} // namespace kl::ui
