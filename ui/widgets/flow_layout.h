// SPDX-License-Identifier: MIT
#pragma once

#include <QLayout>

#include <vector>

namespace kl::ui {

/// Places its widgets left to right and wraps into the next line, for legends that must not widen their card.
class FlowLayout : public QLayout {
public:
    explicit FlowLayout(QWidget* parent, int gapX, int gapY);
    ~FlowLayout() override;

    void addItem(QLayoutItem* item) override { items_.push_back(item); }
    int count() const override { return static_cast<int>(items_.size()); }
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return place(QRect(0, 0, width, 0), false); }
    QSize sizeHint() const override;
    QSize minimumSize() const override; ///< the widest item
    void setGeometry(const QRect& area) override;

private:
    /// Height of the items in the width of the area; also moves them there if requested.
    int place(const QRect& area, bool move) const;

    std::vector<QLayoutItem*> items_;
    int gapX_;
    int gapY_;
};

} // namespace kl::ui
