// SPDX-License-Identifier: MIT
#pragma once

#include "ui/tour/tour_steps.h"

#include <QTimer>

#include <functional>
#include <vector>

class QFrame;
class QWidget;

namespace kl::ui {

class TourCard;

/// The tour through the pages of a window: shows the page of each step, frames what the step is about, and puts its words beside it. Where
/// it was left is remembered between starts.
class Tour : public QObject {
    Q_OBJECT
public:
    /// `over`: the widget that the pages are in; card and frame lie over it. `show` shows the page of a step and returns it.
    Tour(QWidget* over, std::function<QWidget*(const TourStep& step)> show);

    /// From where it was left, else from the first step.
    void start();
    bool isRunning() const;
    /// It was left before its end.
    static bool isBegun();

signals:
    /// Started, left or finished.
    void changed();

private:
    void showStep(int step);
    void leave();
    void finish();
    void hide();
    /// Again and again while it runs: pages fill, scroll and change their size.
    void follow();
    QWidget* target() const;
    /// The cards around what of these object names the page shows, in their order.
    std::vector<QWidget*> findShown(const char* names) const;

    QWidget* over_;
    std::function<QWidget*(const TourStep& step)> show_;
    TourCard* card_;
    QFrame* frame_;
    QTimer following_;
    QWidget* page_ = nullptr;
    int step_ = 0;
    bool scrolled_ = false; ///< to the target of this step
    int settling_ = 0;      ///< how often the target has yet to be seen until the card takes the focus back from the page
};

} // namespace kl::ui
