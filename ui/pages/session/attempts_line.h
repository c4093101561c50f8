// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/engine/attempts.h"

#include <QWidget>

#include <vector>

class QLabel;
class QPushButton;
class QTableWidget;

namespace kl::ui {

class XYChart;

/// The attempts of an edit: their times as a line from what the edit began with, each with its finding, and the way back to any. Hidden
/// until one was measured.
class AttemptsLine : public QWidget {
    Q_OBJECT
public:
    explicit AttemptsLine(QWidget* parent = nullptr);

    /// `current`: hash of the source as it lies on disk.
    void setAttempts(std::vector<Attempt> attempts, const std::string& current);
    void setBusy(const QString& reason);

signals:
    void chosen(const QString& diff); ///< of the attempt that was selected, against what the edit began with
    void returnRequested(int seq);

private:
    void fillChart();
    void fillRows();
    void showChoice();
    const Attempt* selected() const;

    std::vector<Attempt> attempts_;
    std::string current_;
    QString busy_;
    XYChart* chart_;
    QTableWidget* rows_;
    QPushButton* back_;
};

} // namespace kl::ui
