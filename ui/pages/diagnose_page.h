// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/diagnose/diagnosis_data.h"
#include "ui/pages/page.h"

class QBoxLayout;
class QPushButton;
class QScrollArea;
class QSplitter;
class QTabWidget;

namespace kl::ui {

class BaselineStrip;
class DecisionCard;
class DiagnosisSide;
class DurationCard;
class EvidenceCard;
class FindingHeader;
class GapsCard;
class GlanceCard;
class HotLinesPanel;
class KernelTable;
class KernelsRoofline;
class MemoryCard;
class MetricBrowser;
class RooflinePanel;
class RunPicker;
class SourceView;
class StallsCard;
class StateStack;
class TimeHistory;
class TimelineTab;
class TreeLine;

/// What limits one profiled run: the finding in one sentence, the path through the decision tree, the evidence, the roofline, memory and
/// stalls, and in the side column the fixes, secondary findings and the facts of the run. Every figure has its change against the pinned
/// baselines. Above it, for a run from a report or a program, the table of all its kernels; the arrow keys walk through their diagnoses.
class DiagnosePage : public Page {
    Q_OBJECT
public:
    explicit DiagnosePage(AppContext& context, QWidget* parent = nullptr);

    /// A run's id, or a kernel's address for its newest profile. Of "report:ID", the kernel with the largest saving of that run's report or
    /// program. "metric:NAME" shows that metric of the present run.
    void open(const QString& argument) override;
    void refresh() override;
    QLineEdit* filterField() const override;

private:
    void makeActions();
    QWidget* makeKernels();
    void fillContent(QWidget* content);
    QWidget* makeGlance(QWidget* parent);
    QLayout* makeCharts(QWidget* parent);
    /// Shows another run, from its top.
    void choose(const QString& id);
    void show(DiagnosisData loaded);
    void showKernels();
    void showPicker();
    void showPin();
    void showTab();
    void showMetrics();
    void showTimeline();
    void showSource();
    /// Reads the machine code of a run that came without its SASS.
    void readCode();
    void showWithoutDiagnosis(const QString& kernel);
    void showNoProfile();
    void showRun();
    /// With the current tree; stored, if the database can be written.
    void diagnoseAgain();

    BackgroundJob reading_;
    BackgroundJob diagnosing_;
    BackgroundJob disassembling_;
    std::string wanted_;
    bool wantsLargest_ = false; ///< of the report, once it is read
    DiagnosisData data_;

    RunPicker* picker_ = nullptr;
    QPushButton* compare_ = nullptr;
    QPushButton* pin_ = nullptr;
    QPushButton* target_ = nullptr; ///< of a kernel of a program: a session on it
    QSplitter* splitter_ = nullptr;
    QWidget* kernelsPane_ = nullptr;
    KernelTable* kernels_ = nullptr;
    QTabWidget* tabs_ = nullptr;
    QScrollArea* area_ = nullptr;
    MetricBrowser* metrics_ = nullptr;
    KernelsRoofline* kernelsRoofline_ = nullptr;
    TimeHistory* times_ = nullptr;
    TimelineTab* timeline_ = nullptr;
    QWidget* sourceTab_ = nullptr;
    SourceView* source_ = nullptr;
    bool sourceShown_ = false; ///< of the present run
    QString metric_;           ///< to show once the run is read
    StateStack* state_ = nullptr;
    TreeLine* treeLine_ = nullptr;
    FindingHeader* header_ = nullptr;
    BaselineStrip* baselines_ = nullptr;
    GlanceCard* glance_ = nullptr;
    QBoxLayout* columns_ = nullptr; ///< charts and side column
    DecisionCard* decision_ = nullptr;
    EvidenceCard* evidence_ = nullptr;
    RooflinePanel* roofline_ = nullptr;
    MemoryCard* memory_ = nullptr;
    StallsCard* stalls_ = nullptr;
    DurationCard* duration_ = nullptr;
    HotLinesPanel* hotLines_ = nullptr;
    GapsCard* gaps_ = nullptr;
    DiagnosisSide* side_ = nullptr;
};

} // namespace kl::ui
