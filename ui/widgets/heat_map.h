// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include <cstdint>
#include <vector>

namespace kl::ui {

/// A strip beside a long list that shows where its hot rows are: each pixel has the color of the hottest row that it stands for. A click
/// or drag goes there.
class HeatMap : public QWidget {
    Q_OBJECT
public:
    explicit HeatMap(QWidget* parent = nullptr);

    /// Of all rows, in their order.
    void setHeat(std::vector<std::int64_t> heat);
    /// The rows that the list shows now.
    void setShown(int first, int count);
    /// The row at this height.
    int rowAt(int y) const;

    QSize sizeHint() const override { return {16, 100}; }

signals:
    void picked(int row);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    std::vector<std::int64_t> heat_;
    int first_ = 0;
    int count_ = 0;
};

} // namespace kl::ui
