// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/diagnose/tree_geometry.h"

#include <QWidget>

namespace kl {

/// The decision tree, drawn left to right: the path taken in accent, questions that were not reached muted, each with its value
/// against the threshold. The tooltip explains a question.
class TreeView : public QWidget {
    Q_OBJECT
public:
    explicit TreeView(QWidget* parent = nullptr);

    void setTree(const std::vector<DiagnosisTree::Node>& nodes, const std::vector<PathEntry>& path);

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    std::vector<DiagnosisTree::Node> nodes_;
    std::vector<PathEntry> path_;
};

} // namespace kl
