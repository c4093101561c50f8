// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/session/session_view.h"

#include <QWidget>

#include <vector>

class QToolButton;

namespace kl::ui {

/// The method's stages in one line, in a narrow window in several, never elided: mark, name, minutes spent of the budget. Any stage can be
/// selected.
class StageRail : public QWidget {
    Q_OBJECT
public:
    explicit StageRail(QWidget* parent = nullptr);

    void setPhases(const std::vector<PhaseView>& phases);
    /// Marks the stage that the page shows.
    void setShown(const std::string& phase);

    /// Narrower than its line: it wraps.
    QSize minimumSizeHint() const override;

signals:
    void chosen(const QString& phase);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Stage {
        std::string id;
        QToolButton* button;
    };
    QToolButton* makeButton(const PhaseView& phase);
    /// Whether the stages need more than one line.
    bool wraps() const;
    void place(bool wrapped);

    QWidget* line_;    ///< with lines between the stages
    QWidget* wrapped_; ///< the stages alone, where the line is wider than the widget
    std::vector<Stage> stages_;
};

/// "3 of 10 min".
QString formatSpent(double spent, double budget);

} // namespace kl::ui
