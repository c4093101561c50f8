// SPDX-License-Identifier: MIT
#include "ui/style/text_label.h"
#include "ui/style/theme.h"

#include <gtest/gtest.h>

#include <QTest>
#include <QVBoxLayout>

namespace kl::ui {
namespace {

TEST(TextLabel, IsSelectedByTheMouseWithoutMoving)
{
    QWidget page;
    page.resize(160, 300);
    auto* column = new QVBoxLayout(&page);
    QLabel* label = makeLabel(QStringLiteral("several words that need more than a single line of this page"), TextRole::body, &page);
    label->setWordWrap(true);
    column->addWidget(label);
    QLabel* below = makeLabel(QStringLiteral("below"), TextRole::caption, &page);
    column->addWidget(below);
    page.show();
    QCoreApplication::processEvents();
    const QRect before = label->geometry();
    const QRect belowBefore = below->geometry();
    EXPECT_FALSE(label->textInteractionFlags() & Qt::TextSelectableByMouse) << "not before it is needed";
    QTest::mouseClick(label, Qt::LeftButton, {}, QPoint(8, 8));
    QTest::mouseDClick(label, Qt::LeftButton, {}, QPoint(8, 8));
    for (int turn = 0; turn < 3; ++turn)
        QCoreApplication::processEvents();
    EXPECT_TRUE(label->textInteractionFlags() & Qt::TextSelectableByMouse);
    EXPECT_EQ(label->selectedText(), "several");
    EXPECT_EQ(label->geometry(), before);
    EXPECT_EQ(below->geometry(), belowBefore);
}

TEST(TextLabel, ForgetsItsSizeWithItsText)
{
    TextLabel label(QStringLiteral("short"));
    const QSize one = label.sizeHint();
    label.setText(QStringLiteral("a text that is longer"));
    EXPECT_GT(label.sizeHint().width(), one.width());
    label.setWordWrap(true);
    EXPECT_GT(label.heightForWidth(40), label.heightForWidth(400));
}

TEST(TextLabel, TakesAnotherColorBeforeAndAfterItIsShown)
{
    QWidget page;
    QLabel* early = makeLabel(QStringLiteral("early"), TextRole::caption, &page);
    setTextToken(early, Token::worse);
    QLabel* late = makeLabel(QStringLiteral("late"), TextRole::caption, &page);
    page.show();
    setTextToken(late, Token::better);
    EXPECT_EQ(early->palette().color(QPalette::WindowText), color(Token::worse));
    EXPECT_EQ(late->palette().color(QPalette::WindowText), color(Token::better));
}

} // namespace
} // namespace kl::ui
