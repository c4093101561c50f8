// SPDX-License-Identifier: MIT
#pragma once

#include "ui/style/tokens.h"

#include <QWidget>

#include <vector>

namespace kl::ui {

/// The data behind a chart, for "Show as table" and CSV.
struct ChartTable {
    QStringList header;
    std::vector<QStringList> rows;
};

enum class Swatch { solid, hatched, line, dashed, marker };
enum class Marker { none, circle, square, triangle, diamond };

struct LegendItem {
    QString name;
    Token token = Token::series1;
    Swatch swatch = Swatch::solid;
    Marker marker = Marker::circle; ///< of Swatch::marker

    bool operator==(const LegendItem&) const = default;
};

/// The drawing area of a chart. ChartCard puts title, legend and menu around it.
class ChartBody : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;

    virtual ChartTable table() const = 0;
    virtual std::vector<LegendItem> legend() const { return {}; }
    /// Draws the whole chart into the rectangle; used on screen and for files.
    virtual void draw(QPainter& painter, const QRectF& area) = 0;
    /// Why there is nothing to draw; empty when there is something.
    virtual QString emptyReason() const { return {}; }
    /// Whether it shows a part of its data, enlarged; resetZoom() shows all of it again.
    virtual bool isZoomed() const { return false; }
    virtual void resetZoom() {}

signals:
    void changed();
    void picked(int index);         ///< an item was clicked
    void opened(const QString& id); ///< a point with an id was clicked
};

/// A chart that paints itself; draw() adds the hit areas for tooltips and clicks.
class PaintedChart : public ChartBody {
    Q_OBJECT
public:
    explicit PaintedChart(QWidget* parent = nullptr);

    void draw(QPainter& painter, const QRectF& area) final;
    /// Also lets the keyboard choose items: arrow keys move from one to the next and pick it, like a click.
    void setPickable();

protected:
    /// Draws at (0, 0) with the given size. Colors from color(Token), texts by text().
    virtual void paint(QPainter& painter, const QSizeF& size) = 0;

    void addHit(const QRectF& area, const QString& tip, int index);
    /// Text elided to its box.
    static void text(QPainter& painter, const QRectF& box, int flags, const QString& words, Token token = Token::text);

    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Hit {
        QRectF area;
        QString tip;
        int index;
    };
    const Hit* findHitAt(const QPointF& point) const;
    void paintChosen(QPainter& painter) const;
    void choose(int index);

    std::vector<Hit> hits_;
    bool collecting_ = false;
    int chosen_ = 0; ///< index of the item with keyboard focus
};

} // namespace kl::ui
