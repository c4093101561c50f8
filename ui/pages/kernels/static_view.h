// SPDX-License-Identifier: MIT
#pragma once

// moc 6.4 cannot read libstdc++'s concepts.
#ifndef Q_MOC_RUN
#include "sessions/search/space_build.h"
#endif
#include "ui/app_context.h"
#include "ui/models/record_model.h"

class QComboBox;
class QLabel;

namespace kl {

class ChartCard;
class DataTable;
class LimitBars;
class StackedBar;
class StateStack;

/// What the compiler says of each launch's kernel, as a table.
class CompiledTableModel : public RecordModel<CompiledLaunch> {
public:
    enum Column { Entry, Threads, Registers, Local, Spilled, StaticSmem, DynamicSmem, Occupied, Limiter, ColumnCount };
    using RecordModel::RecordModel;

    void setLaunches(std::vector<CompiledLaunch> launches, const SmLimits& sm);

protected:
    int columns() const override { return ColumnCount; }
    QString header(int column) const override;
    bool numeric(int column) const override { return column > Entry && column < Limiter; }
    QVariant cell(const CompiledLaunch& row, int column, int role) const override;

private:
    SmLimits sm_;
};

/// A variant as the compiler sees it, without a GPU: registers, spills, shared memory, instruction mix, and its occupancy on every known
/// GPU, compiled for each. Compiles when it is looked at.
class StaticView : public QWidget {
    Q_OBJECT
public:
    explicit StaticView(AppContext& context, QWidget* parent = nullptr);

    /// Compiles again only where the address, the problem or the source is another one.
    void setSubject(const Address& address, const Params& problem);

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeContent();
    void compile();
    void take(const Result<BuildManyAnswer>& answer);
    void showArch();
    void showGpus();

    AppContext& context_;
    BackgroundJob compiling_;
    CompiledTableModel model_;
    Address address_;
    Params problem_;
    std::string source_; ///< hash of its code
    bool stale_ = true;  ///< what is shown is of another subject
    std::optional<BuildManyAnswer> answer_;
    QComboBox* arch_ = nullptr;
    QLabel* compiler_ = nullptr;
    DataTable* launches_ = nullptr;
    StackedBar* mix_ = nullptr;
    ChartCard* mixCard_ = nullptr;
    LimitBars* gpus_ = nullptr;
    ChartCard* gpusCard_ = nullptr;
    StateStack* state_ = nullptr;
};

} // namespace kl
