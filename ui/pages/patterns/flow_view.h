// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/patterns/flow_geometry.h"

#include <QWidget>

namespace kl::ui {

/// When to apply which pattern, drawn from left to right, with the way taken so far and the pattern that is next. A click, or Enter on the
/// box reached with the arrow keys, chooses its pattern.
class FlowView : public QWidget {
    Q_OBJECT
public:
    explicit FlowView(QWidget* parent = nullptr);

    void setFlow(PatternFlow flow);
    const PatternFlow& flow() const { return flow_; }

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void patternChosen(const QString& slug);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    FlowPlan layOut() const;
    void choose(const FlowNode& node);
    void step(int boxes);

    PatternFlow flow_;
    std::size_t focus_ = 0; ///< the box with keyboard focus
};

} // namespace kl::ui
