// SPDX-License-Identifier: MIT
#pragma once

// moc 6.4 cannot read libstdc++'s concepts.
#ifndef Q_MOC_RUN
#include "sessions/search/space_build.h"
#endif
#include "ui/context/app_context.h"
#include "ui/models/compiled_table_model.h"

class QComboBox;
class QLabel;
class QSplitter;

namespace kl::ui {

class ChartCard;
class CodeView;
class DataTable;
class LimitBars;
class StackedBar;
class StateStack;

/// A variant compiled without a GPU: its source with the instructions per line, and next to it registers, spills,
/// shared memory, instruction mix, and its occupancy on every known GPU, compiled for each. Compiles when shown.
class StaticView : public QWidget {
    Q_OBJECT
public:
    explicit StaticView(AppContext& context, QWidget* parent = nullptr);

    /// Compiles again only if the address, the problem or the source changed.
    void setSubject(const Address& address, const Params& problem);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fillSides();
    QWidget* makeSource(QWidget* parent);
    QWidget* makeFacts(QWidget* parent);
    void compile();
    void take(const Result<BuildManyAnswer>& answer);
    void showArch();
    void showLines(const std::vector<CompiledLaunch>& launches);

    AppContext& context_;
    BackgroundJob compiling_;
    CompiledTableModel model_;
    Address address_;
    Params problem_;
    std::string source_; ///< hash of its code
    bool stale_ = true;  ///< the contents are of another subject
    std::optional<BuildManyAnswer> answer_;
    QSplitter* sides_ = nullptr;
    QComboBox* arch_ = nullptr;
    QLabel* compiler_ = nullptr;
    QLabel* busiest_ = nullptr;
    CodeView* code_ = nullptr;
    DataTable* launches_ = nullptr;
    StackedBar* mix_ = nullptr;
    ChartCard* mixCard_ = nullptr;
    LimitBars* gpus_ = nullptr;
    ChartCard* gpusCard_ = nullptr;
    StateStack* state_ = nullptr;
};

} // namespace kl::ui
