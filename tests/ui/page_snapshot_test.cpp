// SPDX-License-Identifier: MIT
#include "tests/support/snapshot.h"
#include "tests/ui/support/page_texts.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <gtest/gtest.h>

#include <QTabWidget>

namespace kl::ui {
namespace {

/// The wording of each page on the recorded sample, in a window that is wide enough for every column.
class PageSnapshot : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override
    {
        auto opened = AppContext::open(":sample:", DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        RunQuery query;
        query.kernel = "transpose/naive";
        query.profilesOnly = true;
        const auto runs = context->store().runs(query);
        ASSERT_TRUE(runs);
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

    std::unique_ptr<AppContext> context;
    std::unique_ptr<MainWindow> window;
    QString run;
};

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
}

INSTANTIATE_TEST_SUITE_P(Window, PageSnapshot,
                         testing::Values("home", "session", "kernels", "diagnose", "compare", "search", "history", "patterns", "calculate",
                                         "environment"),
                         [](const auto& page) { return std::string(page.param); });

} // namespace
} // namespace kl::ui
