// SPDX-License-Identifier: MIT
#pragma once

#include "ui/context/app_context.h"
#include "ui/models/metric_tree_model.h"

#include <QWidget>

#include <optional>

class QLabel;
class QLineEdit;
class QTreeView;

namespace kl::ui {

class RunPicker;
class WordFilter;

/// Every metric of a run by section, with the share of its peak, what it means, and the change against another run: filtered by words,
/// copied as tab-separated text. Sections of another run stay folded as they were.
class MetricBrowser : public QWidget {
    Q_OBJECT
public:
    explicit MetricBrowser(AppContext& context, QWidget* parent = nullptr);

    /// `pinned`: the baseline to compare with until the user chooses another run; may be null.
    void setRun(const RunRecord& run, const RunRecord* pinned);
    /// Filters by that metric and selects it.
    void showMetric(const QString& name);
    QLineEdit* filterField() const { return filter_; }
    QTreeView* view() const { return view_; }
    const MetricTreeModel& model() const { return model_; }
    /// Header and selected rows, or all that are shown; the values with all their digits and without grouping.
    QString tsv(bool selectedOnly) const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeTools();
    void makeView();
    void fitColumns(); ///< to the window, unless the user has set them
    void fill();
    void refilter();
    void chooseBaseline(const QString& id);
    void compareWith(std::optional<RunRecord> baseline);

    AppContext& context_;
    BackgroundJob reading_;
    MetricTreeModel model_;
    WordFilter* proxy_;
    std::optional<RunRecord> run_;
    std::optional<RunRecord> baseline_;
    std::optional<RunId> pinned_;
    QLineEdit* filter_;
    RunPicker* picker_ = nullptr;
    QWidget* clear_ = nullptr; ///< removes the baseline
    QLabel* counts_ = nullptr;
    QTreeView* view_;
    bool ownWidths_ = false; ///< the user has dragged a column
};

} // namespace kl::ui
