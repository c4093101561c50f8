// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include <functional>

class QWidget;

namespace kl::ui {

/// Asks for a line of text over `parent` without blocking; `take` gets it unless the user cancels.
void askText(QWidget* parent, const QString& title, const QString& label, const QString& text, std::function<void(const QString&)> take);

/// What is to be deleted, for confirmation.
struct Deletion {
    QString title;   ///< of the dialog, and its object's name: "Delete Runs"
    QString text;    ///< "Delete this run?"
    QString lost;    ///< what is deleted with it
    QString blocked; ///< why it is not possible; empty: it is
};

/// Asks whether to delete, without blocking; `remove` is called if the user agrees.
void confirmDeletion(QWidget* parent, const Deletion& deletion, std::function<void()> remove);

} // namespace kl::ui
