// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose/tree_view.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>

namespace kl::ui {
namespace {

TEST(TreeView, AnotherTreeIsWalkedFromItsFirstQuestion)
{
    TreeView view;
    view.resize(600, 200);
    QSignalSpy explained(&view, &TreeView::explained);
    view.setTree({{"a", "A?", "x", ""}, {"b", "B?", "y", ""}, {"c", "C?", "z", ""}}, {});
    QTest::keyClick(&view, Qt::Key_Right);
    QTest::keyClick(&view, Qt::Key_Right);
    ASSERT_EQ(explained.count(), 2);
    EXPECT_TRUE(explained[1][0].toString().contains("C?"));
    view.setTree({{"d", "D?", "x", ""}, {"e", "E?", "y", ""}, {"f", "F?", "z", ""}}, {});
    QTest::keyClick(&view, Qt::Key_Space);
    ASSERT_EQ(explained.count(), 3);
    EXPECT_TRUE(explained[2][0].toString().contains("D?")) << explained[2][0].toString().toStdString();
}

} // namespace
} // namespace kl::ui
