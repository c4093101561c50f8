// SPDX-License-Identifier: MIT
// No text is cut or overlaps another, in every page and dialog, in both themes and all sizes, in English and in a language 40 % longer.
#include "tests/ui/support/clipped_texts.h"
#include "tests/ui/support/every_surface.h"
#include "tests/ui/support/pseudo_locale.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QLabel>
#include <QPushButton>

#include <set>

namespace kl::ui {
namespace {

constexpr QSize kSizes[] = {{1280, 800}, {960, 600}, {1920, 1080}, {2560, 1440}};

/// Of what a dialog wants, as much as Qt gives it at first on a screen of 2560 x 1440 at scale 2. The offscreen platform's screen has
/// 800 x 800 pixels at every scale.
QSize dialogSize(const QWidget& dialog)
{
    constexpr QSize kRoom(1280 * 2 / 3, 720 * 2 / 3);
    return dialog.sizeHint().boundedTo(kRoom).expandedTo(dialog.minimumSizeHint());
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
            if (reported.insert(text).second)
                ADD_FAILURE() << where.toStdString() << ": " << text.toStdString();
    }
    static void settle()
    {
        for (int turn = 0; turn < 10; ++turn) // some layouts follow others
            QCoreApplication::processEvents();
    }
    PseudoLocale longer;
    std::unique_ptr<AppContext> context;
    std::unique_ptr<MainWindow> window;
    std::set<QString> reported; ///< the title line is on every page
};

TEST_P(Clipping, NoPageCutsAText)
{
    for (const ThemeChoice theme : {ThemeChoice::light, ThemeChoice::dark}) {
        Theme::instance().choose(theme);
        visitPages(*context, *window, [&](const QString& name, QWidget&) {
            for (const QSize& size : kSizes) {
                window->resize(size);
                settle();
                report(QStringLiteral("%1 at %2").arg(name).arg(size.width()), *window);
            }
            window->resize(kSizes[0]);
        });
    }
}

TEST_P(Clipping, NoDialogCutsAText)
{
    for (const ThemeChoice theme : {ThemeChoice::light, ThemeChoice::dark}) {
        Theme::instance().choose(theme);
        visitDialogs(*context, *window, [&](const QString& name, QWidget& shown) {
            if (shown.isWindow()) {
                shown.resize(shown.size().expandedTo(dialogSize(shown)));
                settle();
            }
            report(name, shown);
        });
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
