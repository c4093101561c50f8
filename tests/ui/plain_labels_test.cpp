// SPDX-License-Identifier: MIT
// Names of kernels, GPUs and files may look like markup, and are shown as they are.
#include "ui/pages/shared/label_dialogs.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QFormLayout>
#include <QInputDialog>
#include <QLabel>
#include <QMessageBox>
#include <QTest>
#include <QToolTip>

namespace kl::ui {
namespace {

const QString kName = QStringLiteral("reduce<b>(float)</b>");

TEST(PlainLabels, ATooltipKeepsWhatLooksLikeATag)
{
    QWidget owner;
    owner.resize(100, 100);
    owner.show();
    QToolTip::showText(owner.mapToGlobal(QPoint(10, 10)), kName, &owner);
    const QLabel* tip = nullptr;
    for (const QWidget* widget : QApplication::topLevelWidgets())
        if (widget->inherits("QTipLabel") && widget->isVisible())
            tip = qobject_cast<const QLabel*>(widget);
    ASSERT_NE(tip, nullptr);
    EXPECT_EQ(tip->text(), kName);
    EXPECT_EQ(tip->textFormat(), Qt::PlainText);
    QToolTip::hideText();
}

TEST(PlainLabels, DialogsKeepIt)
{
    QWidget parent;
    confirmDeletion(&parent, {kName, kName, kName, {}}, [] {});
    askText(&parent, kName, kName, {}, [](const QString&) {});
    QCoreApplication::processEvents();
    int shown = 0;
    for (QDialog* dialog : parent.findChildren<QDialog*>()) {
        for (const QLabel* label : dialog->findChildren<QLabel*>())
            if (label->text().contains(kName)) {
                ++shown;
                EXPECT_EQ(label->textFormat(), Qt::PlainText);
            }
        dialog->close();
    }
    EXPECT_EQ(shown, 3);
}

TEST(PlainLabels, LabelsOfFormsAndThoseMadeForMarkupDiffer)
{
    QWidget form;
    auto* layout = new QFormLayout(&form);
    layout->addRow(kName, new QWidget(&form));
    auto* rich = new QLabel(QStringLiteral("<b>bold</b>"), &form);
    rich->setTextFormat(Qt::RichText);
    layout->addRow(rich);
    form.show();
    QStringList plain;
    for (const QLabel* label : form.findChildren<QLabel*>())
        if (label->textFormat() == Qt::PlainText)
            plain << label->text();
    EXPECT_EQ(plain, QStringList(kName));
}

TEST(PlainLabels, AButtonKeepsAnAmpersand)
{
    EXPECT_EQ(escapeMnemonics(QStringLiteral("float const& x")), "float const&& x");
}

} // namespace
} // namespace kl::ui
