// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>

#include <vector>

class QBoxLayout;
class QWidget;

namespace kl::ui {

/// Puts the columns of a page below one another where it is too narrow for them beside one another; columns of a fixed width then fill it.
class Reflow : public QObject {
public:
    /// `least`: a width of the page below which they are never beside one another, though they would fit.
    Reflow(QBoxLayout* columns, QWidget* page, int least = 0);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void arrange();

    QBoxLayout* columns_;
    QWidget* page_;
    int least_;
    std::vector<QWidget*> fixed_;
    QWidget* watched_ = nullptr; ///< what has the layout, once it is in a widget
};

} // namespace kl::ui
