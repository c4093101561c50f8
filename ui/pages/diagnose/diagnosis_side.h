// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"
#include "sessions/learning/recommend.h"

#include <QWidget>

class QGridLayout;
class QVBoxLayout;

namespace kl::ui {

class Card;
class LikelyFixCard;
class NcuCard;
class OccupancyCard;
struct PinnedRun;

/// The side column of a diagnosis: ranked fixes, secondary findings, warnings, results of experiments, the occupancy what-if,
/// and the facts of the run.
class DiagnosisSide : public QWidget {
    Q_OBJECT
public:
    explicit DiagnosisSide(QWidget* parent = nullptr);
    /// `advice`: the recommended change; unset without one. Each detail of the run has those of the baselines below it.
    void setRun(const RunRecord& run, const std::optional<Advice>& advice, const std::vector<PinnedRun>& baselines);

signals:
    void kernelRequested(const QString& address); ///< the variant that a fix leads to
    void stepRequested(const kl::NextStep& step); ///< of a fix

private:
    void showFixes(const Finding& finding, const std::optional<Advice>& advice);
    void addSteps(QVBoxLayout* row, const std::vector<NextStep>& steps, std::vector<NextStep>& shown);
    void showSecondary(const std::vector<Finding>& findings);
    void showExperiments(const std::vector<Experiment>& experiments);
    void showFacts(const RunRecord& run, const std::vector<PinnedRun>& baselines);

    LikelyFixCard* likely_;
    Card* fixesCard_;
    QVBoxLayout* fixes_;
    Card* secondaryCard_;
    QVBoxLayout* secondary_;
    Card* experimentsCard_;
    QVBoxLayout* experiments_;
    OccupancyCard* occupancy_;
    NcuCard* ncu_;
    Card* warningsCard_;
    QVBoxLayout* warnings_;
    QGridLayout* facts_;
};

} // namespace kl::ui
