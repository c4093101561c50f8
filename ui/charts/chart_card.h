// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/chart_body.h"
#include "ui/widgets/card.h"

#include <QImage>

#include <vector>

class QStackedWidget;
class QTableWidget;

namespace kl::ui {

class FlowLayout;

/// A chart in its card: a title that states the finding, the legend outside, a menu (PNG, SVG, CSV, show as table), an accessible
/// sentence as the chart's name. Every chart of the application is in one.
class ChartCard : public Card {
    Q_OBJECT
public:
    /// Takes ownership of the chart.
    ChartCard(const QString& title, ChartBody* chart, QWidget* parent = nullptr);

    /// The title, and the accessible sentence (title and caption when empty).
    void setFinding(const QString& title, const QString& sentence = {});
    ChartBody* chart() const { return chart_; }

    void showAsTable(bool table);
    bool showsTable() const;

    // Files. False when one could not be written.
    bool savePng(const QString& file) const;
    bool saveSvg(const QString& file) const;
    bool saveCsv(const QString& file) const;
    QString csv() const;
    QImage image() const; ///< the chart, at twice the size on the screen
    /// The rows selected in the table, or all, with the header, tab-separated: what Ctrl+C copies.
    QString tsv() const;

private:
    void makeTable();
    void rebuild();
    void askAndSave(const QString& suffix);

    ChartBody* chart_;
    QStackedWidget* stack_;
    QTableWidget* table_ = nullptr; ///< made when it is first asked for: few are, and a table takes as long to make as a card
    QWidget* legend_;
    FlowLayout* legendRow_;
    std::vector<LegendItem> inLegend_;
};

} // namespace kl::ui
