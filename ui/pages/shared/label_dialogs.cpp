// SPDX-License-Identifier: MIT
#include "ui/pages/shared/label_dialogs.h"

#include <QInputDialog>
#include <QMessageBox>
#include <QPushButton>

namespace kl::ui {

void askText(QWidget* parent, const QString& title, const QString& label, const QString& text, std::function<void(const QString&)> take)
{
    auto* dialog = new QInputDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    dialog->setLabelText(label);
    dialog->setTextValue(text);
    QObject::connect(dialog, &QInputDialog::textValueSelected, parent, std::move(take));
    dialog->open();
}

void confirmDeletion(QWidget* parent, const Deletion& deletion, std::function<void()> remove)
{
    auto* box = new QMessageBox(parent);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setObjectName(QStringLiteral("confirmDeletion"));
    box->setIcon(QMessageBox::Warning);
    box->setWindowTitle(deletion.title);
    box->setText(deletion.text);
    box->setStandardButtons(QMessageBox::Cancel);
    box->setInformativeText(deletion.blocked.isEmpty() ? QMessageBox::tr("This cannot be undone. Deleted with it: %1.").arg(deletion.lost)
                                                       : deletion.blocked);
    if (deletion.blocked.isEmpty()) {
        QPushButton* yes = box->addButton(QMessageBox::tr("Delete"), QMessageBox::DestructiveRole);
        yes->setObjectName(QStringLiteral("confirmDelete"));
        QObject::connect(yes, &QPushButton::clicked, parent, std::move(remove));
    }
    box->open();
}

} // namespace kl::ui
