// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/diagnose/diagnosis_data.h"
#include "ui/pages/page.h"

class QBoxLayout;
class QComboBox;
class QPushButton;

namespace kl {

class DecisionCard;
class DiagnosisSide;
class EvidenceCard;
class FindingHeader;
class GapsCard;
class HotLinesPanel;
class MemoryCard;
class RooflinePanel;
class StallsCard;
class StateStack;

/// What limits one profiled run: the finding in one sentence, the path through the decision tree, the evidence, the roofline, memory and
/// stalls, and in the side column the fixes, secondary findings and the facts of the run.
class DiagnosePage : public Page {
    Q_OBJECT
public:
    explicit DiagnosePage(AppContext& context);

    /// A run's id, or a kernel's address for its newest profile.
    void open(const QString& argument) override;
    void refresh() override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeActions();
    QWidget* makeContent();
    QLayout* makeCharts(QWidget* parent);
    void show(DiagnosisData loaded);
    void showChoices();
    void showWithoutDiagnosis(const QString& kernel);
    void showNoProfile();
    void showRun();

    BackgroundJob reading_;
    std::string wanted_;
    DiagnosisData data_;

    QComboBox* picker_ = nullptr;
    QPushButton* compare_ = nullptr;
    StateStack* state_ = nullptr;
    FindingHeader* header_ = nullptr;
    QBoxLayout* columns_ = nullptr; ///< charts and side column
    DecisionCard* decision_ = nullptr;
    EvidenceCard* evidence_ = nullptr;
    RooflinePanel* roofline_ = nullptr;
    MemoryCard* memory_ = nullptr;
    StallsCard* stalls_ = nullptr;
    HotLinesPanel* hotLines_ = nullptr;
    GapsCard* gaps_ = nullptr;
    DiagnosisSide* side_ = nullptr;
};

} // namespace kl
