// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/diagnose/tree_geometry.h"

#include <QWidget>

namespace kl::ui {

/// The decision tree, drawn left to right: the path taken in accent, questions that were not reached muted, each with its value
/// against the threshold. A tooltip explains a question; explained() does for one that is clicked or reached with the arrow keys.
class TreeView : public QWidget {
    Q_OBJECT
public:
    explicit TreeView(QWidget* parent = nullptr);

    void setTree(const std::vector<DiagnosisTree::Node>& nodes, const Finding& finding);

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;

signals:
    void explained(const QString& html);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    TreeLayout layOut() const;
    void choose(const TreeLayout& layout, int index);

    std::vector<DiagnosisTree::Node> nodes_;
    std::vector<PathEntry> path_;
    std::string classId_;
    int chosen_ = 0; ///< the question with keyboard focus
};

} // namespace kl::ui
