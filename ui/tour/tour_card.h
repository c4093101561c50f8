// SPDX-License-Identifier: MIT
#pragma once

#include <QFrame>

#include <vector>

class QLabel;
class QPushButton;

namespace kl::ui {

/// The words of one step of the tour, over the page, with the buttons that lead on. It takes the focus; Escape leaves the tour.
class TourCard : public QFrame {
    Q_OBJECT
public:
    explicit TourCard(QWidget* parent);

    /// `step` of `count`, the first is 0.
    void setStep(int step, int count, const QString& title, const QString& text);
    void focusNext();

signals:
    void backRequested();
    void nextRequested();
    void leaveRequested();

protected:
    bool event(QEvent* event) override;

private:
    QLabel* place_;
    QLabel* title_;
    QLabel* text_;
    QPushButton* leave_;
    QPushButton* back_;
    QPushButton* next_;
};

/// Where a card goes in `room`: where it covers least of what it points at, then least of what else it mentions. Of equally good places
/// the first: below, above, right or left of the target, then the corners of the room, beginning at the lower right.
QRect placeBeside(const QRect& target, const std::vector<QRect>& kept, const QSize& card, const QRect& room);

} // namespace kl::ui
