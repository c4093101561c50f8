// SPDX-License-Identifier: MIT
#pragma once

#include "ui/context/app_context.h"
#include "ui/models/sweep_table_model.h"

#include <QWidget>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;

namespace kl::ui {

class ChartCard;
class DataTable;
class ReasonedButton;
class StateStack;
class XYChart;

/// A kernel over many sizes: a form with a line per size, and what was measured as a chart and a table with findings.
class SweepView : public QWidget {
    Q_OBJECT
public:
    explicit SweepView(AppContext& context, QWidget* parent = nullptr);

    /// The kernel to sweep; its form starts with the given sizes. What was measured of another kernel is dropped.
    void setSubject(const Address& kernel, const Params& sizes);
    void setFocusOnForm();

private:
    QLayout* makeForm();
    void fillResults(QWidget* content);
    /// "M=1024..4096 x2,N=512", from the form.
    std::string axesText() const;
    void refreshButton();
    void measure();
    void showRows();
    void showChart();

    AppContext& context_;
    BackgroundJob measuring_;
    Address kernel_;
    Params sizes_;
    QFormLayout* form_ = nullptr;
    std::vector<std::pair<std::string, QLineEdit*>> axes_;
    ReasonedButton* button_ = nullptr;
    StateStack* state_ = nullptr;
    QLabel* about_ = nullptr; ///< how many sizes; what the recording has
    QComboBox* along_ = nullptr;
    QComboBox* figure_ = nullptr;
    XYChart* chart_ = nullptr;
    ChartCard* card_ = nullptr;
    DataTable* table_ = nullptr;
    SweepTableModel model_;
};

} // namespace kl::ui
