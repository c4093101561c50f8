// SPDX-License-Identifier: MIT
#pragma once

#include "ui/context/app_context.h"
#include "ui/pages/search/space_inputs.h"

#ifndef Q_MOC_RUN
#include "sessions/search/best_point.h"
#endif

#include <QWidget>

#include <memory>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QTimer;

namespace kl::ui {

class PauseGate;
class ReasonedButton;

/// Starts and stops a search on the window's device, shows its progress, and emits times as they arrive.
class SearchPanel : public QWidget {
    Q_OBJECT
public:
    /// Adds its fields to `inputs`.
    SearchPanel(AppContext& context, SpaceInputs& inputs, QWidget* parent = nullptr);

    /// Whether it can be started; `reason`: why this space cannot be searched, empty when it can.
    void refresh(const QString& reason);
    /// Why the window's device cannot search at all; empty when it can.
    QString deviceReason() const;
    bool running() const { return job_.running(); }
    const std::vector<TunedPoint>& times() const { return times_; }
    /// What was measured so far, as a record; without what is known only at the end.
    SearchRecord record() const;

    void start();
    void stop();
    /// Waits before the next point until it is called again.
    void pause();

signals:
    void began(const QString& about);
    void timesGrew();
    void ended(const kl::Result<kl::BestPoint>& best);

private:
    void showProgress();

    AppContext& context_;
    SpaceInputs& inputs_;
    QComboBox* strategy_;
    QDoubleSpinBox* budget_;
    ReasonedButton* button_;
    QPushButton* pause_;
    QLabel* status_;
    QTimer* soon_; ///< limits redraws: times arrive faster than a table can be drawn
    std::vector<TunedPoint> times_;
    std::shared_ptr<PauseGate> gate_; ///< of the running search
    int generation_ = 0;
    BackgroundJob job_;
};

} // namespace kl::ui
