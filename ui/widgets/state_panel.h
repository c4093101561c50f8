// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.h"

#include <QStackedWidget>

#include <functional>

class QLabel;
class QPushButton;
class QTimer;

namespace kl::ui {

/// Shown instead of content: a sentence, a reason and one action.
struct PanelState {
    QString icon = QStringLiteral("empty"); ///< of resources/icons
    QString what;
    QString why;
    QString actionText; ///< empty: no button
    std::function<void()> action;
};

/// Static gray bars instead of content that is still loading.
class Skeleton : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    QSize sizeHint() const override { return {240, 96}; }

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// Content with its four other states: loading, empty, error, not available. Starts on the content.
class StateStack : public QStackedWidget {
    Q_OBJECT
public:
    explicit StateStack(QWidget* content, QWidget* parent = nullptr);

    void showContent();
    /// The old content stays for 300 ms, then the skeleton replaces it.
    void showLoading();
    void showEmpty(const PanelState& state);
    void showError(const Error& error, std::function<void()> retry = {});
    /// A missing capability and how to get it.
    void showUnavailable(const QString& capability, const QString& how, const QString& actionText = {}, std::function<void()> action = {});
    /// Those of the visible widget, so that a state takes no more room than it needs.
    QSize sizeHint() const override { return currentWidget()->sizeHint(); }
    QSize minimumSizeHint() const override { return currentWidget()->minimumSizeHint(); }
    /// A stacked layout asks all of its widgets, so that hidden content would keep its height.
    bool hasHeightForWidth() const override { return showsContent() && QStackedWidget::hasHeightForWidth(); }
    bool showsContent() const { return currentIndex() == 0; }

private:
    void showState(const PanelState& state);

    QTimer* patience_;
    QWidget* panel_;
    QLabel* icon_;
    QLabel* what_;
    QLabel* why_;
    QPushButton* button_;
    std::function<void()> action_;
};

} // namespace kl::ui
