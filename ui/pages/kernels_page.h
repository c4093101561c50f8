// SPDX-License-Identifier: MIT
#pragma once

#include "ui/models/run_table_model.h"
#include "ui/pages/page.h"

class QComboBox;
class QLabel;
class QPushButton;
class QLineEdit;
class QTabWidget;
class QTreeWidget;
class QTreeWidgetItem;

namespace kl::ui {

class Card;
class CodeView;
class DataTable;
class OwnKernelsBar;
class ReasonedButton;
class StateStack;
class StaticView;
class SweepView;

/// The catalog: families with their variants; one variant with its source, sizes, tunables, runs, and buttons to run and
/// profile it.
class KernelsPage : public Page {
    Q_OBJECT
public:
    explicit KernelsPage(AppContext& context, QWidget* parent = nullptr);
    void refresh() override;
    void open(const QString& argument) override; ///< "transpose/naive"
    QLineEdit* filterField() const override { return filter_; }

    /// Does what the buttons do.
    void measure(bool profile);
    void recordTimeline();

private:
    QWidget* makeList(QWidget* parent);
    QWidget* makeDetail(QWidget* parent);
    void fillList();
    /// Selects a variant; the first one if it does not exist or the address is empty.
    void choose(const QString& address);
    void takeKernels(const QStringList& saved);
    void showBroken(const QString& path);
    void showVariant(const Address& address);
    void refreshList();
    /// What depends on the variant and the size alone.
    void showSubject();
    void showStatics(const std::optional<RunRecord>& newest);
    /// The door to the newest profile, preferably of the size that is chosen; hidden without one.
    void offerDiagnosis(const std::vector<RunSummary>& runs);
    /// What a profile has found before its counters are read.
    void showEarly(const RunRecord& run);
    /// Heat of the newest profile that sampled this source, and links to its hottest lines.
    void showHeat(const std::optional<RunRecord>& profile);
    QWidget* makeSource(QWidget* parent);
    void refreshButtons();

    BackgroundJob loader_;
    BackgroundJob measuring_;
    BackgroundJob listing_;
    RunTableModel runsModel_;
    Address address_;
    QTreeWidget* list_ = nullptr;
    QLineEdit* filter_ = nullptr;
    OwnKernelsBar* own_ = nullptr;
    Card* detail_ = nullptr;
    QLabel* summary_ = nullptr;
    QLabel* facts_ = nullptr;
    QLabel* statics_ = nullptr;
    QComboBox* problem_ = nullptr;
    QComboBox* against_ = nullptr; ///< baseline of a run; hidden if there is no choice
    QLabel* hotLinks_ = nullptr;
    CodeView* code_ = nullptr;
    StaticView* compiled_ = nullptr;
    QTabWidget* tabs_ = nullptr;
    SweepView* sweep_ = nullptr;
    DataTable* runs_ = nullptr;
    StateStack* runsState_ = nullptr;
    ReasonedButton* run_ = nullptr;
    QPushButton* profile_ = nullptr;
    QPushButton* timeline_ = nullptr;
    QPushButton* diagnosis_ = nullptr;
    QString newestProfile_; ///< id of the run that it opens
};

} // namespace kl::ui
