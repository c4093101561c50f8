// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QLabel;

namespace kl::inline diagnosis {
class DiagnosisTree;
}

namespace kl {
struct Diagnosis;
}

namespace kl::ui {

class ReasonedButton;

/// One line above a finding that another diagnosis tree than the current one has made, with a button that diagnoses the run again; hidden
/// for a finding of the current tree.
class TreeLine : public QWidget {
    Q_OBJECT
public:
    explicit TreeLine(QWidget* parent = nullptr);

    void setDiagnosis(const Diagnosis& diagnosis, const DiagnosisTree& tree);
    /// Of a database that cannot be written: the new finding is shown, and the line says that it is not stored.
    void setUnstored(const QString& reason);
    /// An empty reason enables the button.
    void setReason(const QString& reason);

signals:
    void againRequested();

private:
    QLabel* text_;
    ReasonedButton* button_;
};

} // namespace kl::ui
