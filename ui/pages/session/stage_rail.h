// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/session/session_view.h"

#include <QWidget>

#include <vector>

class QHBoxLayout;
class QToolButton;

namespace kl::ui {

/// The method's stages in one line, never elided: mark, name, minutes spent of the budget. Any stage can be selected.
class StageRail : public QWidget {
    Q_OBJECT
public:
    explicit StageRail(QWidget* parent = nullptr);

    void setPhases(const std::vector<PhaseView>& phases);
    /// Marks the stage that the page shows.
    void setShown(const std::string& phase);

signals:
    void chosen(const QString& phase);

private:
    struct Stage {
        std::string id;
        QToolButton* button;
    };

    QHBoxLayout* row_;
    std::vector<Stage> stages_;
};

/// "3 of 10 min".
QString formatSpent(double spent, double budget);

} // namespace kl::ui
