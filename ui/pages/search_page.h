// SPDX-License-Identifier: MIT
#pragma once

#include "ui/models/space_table_model.h"
#include "ui/pages/page.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;

namespace kl {

class ChartCard;
class DataTable;
class FunnelChart;
class InputCard;
class KeyFigure;
class ReasonedButton;

/// The space of a kernel's tunables: which combinations the gates reject, why, on which GPU, and what the compiler says of the rest.
class SearchPage : public Page {
    Q_OBJECT
public:
    explicit SearchPage(AppContext& context);
    void refresh() override;
    void open(const QString& argument) override; ///< a family or a variant, as "attention/fused"

    /// As the button does.
    void compile();

private:
    struct Subject {
        std::string family;
        std::string variant;
    };
    /// What the gates said, here and on the other GPU.
    struct Judged {
        SearchSpace here;
        std::optional<SearchSpace> other;
    };
    QWidget* makeInputs();
    QWidget* makeResults();
    void fillKernels();
    void fillProblems();
    void judge();
    void showJudged(Result<Judged> judged);
    void showFunnel();
    void showPoints();
    void showCompiled(const Result<SpaceBuild>& build);
    SpaceQuestion question(int gpu) const;
    const KernelFamily* family() const;

    BackgroundJob judging_;
    BackgroundJob compiling_;
    SpaceTableModel model_;
    std::vector<Subject> subjects_;
    std::optional<SearchSpace> space_;
    std::optional<SearchSpace> other_;
    std::optional<SpaceBuild> build_; ///< of space_
    InputCard* inputs_ = nullptr;
    QComboBox* kernel_ = nullptr;
    QComboBox* problem_ = nullptr;
    QComboBox* gpu_ = nullptr;
    QComboBox* whatIf_ = nullptr;
    QDoubleSpinBox* occupancy_ = nullptr;
    KeyFigure* survivors_ = nullptr;
    QLabel* elsewhere_ = nullptr;
    QLabel* compiled_ = nullptr;
    ReasonedButton* compile_ = nullptr;
    FunnelChart* funnel_ = nullptr;
    ChartCard* funnelCard_ = nullptr;
    QComboBox* shown_ = nullptr;
    QLabel* count_ = nullptr;
    DataTable* points_ = nullptr;
};

} // namespace kl
