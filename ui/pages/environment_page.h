// SPDX-License-Identifier: MIT
#pragma once

#include "ui/models/env_check_model.h"
#include "ui/pages/environment/checked_machine.h"
#include "ui/pages/page.h"

class QComboBox;
class QLabel;
class QLineEdit;

namespace kl::ui {

class Card;
class CopyCard;
class DataTable;
class DevicesCard;
class ReasonedButton;
class RepairsCard;
class StateStack;

/// The check of `kloop env`, outside of sessions: of this machine, of a host, or of the recording's machine. Each check with why and how to
/// fix it, repairs, the log, settings for the shell, the build recipe, GPUs and hosts, corrected limits.
class EnvironmentPage : public Page {
    Q_OBJECT
public:
    explicit EnvironmentPage(AppContext& context, QWidget* parent = nullptr);
    /// A recording answers at once; a machine is checked when the user asks for it.
    void refresh() override;

private:
    QWidget* makeInputs(QWidget* parent);
    QWidget* makeChecks(QWidget* parent);
    QWidget* makeSide(QWidget* parent);
    void listMachines();
    void check();
    void show(CheckedMachine checked);
    void showDetail(int row);
    MachineWanted readWanted() const;

    BackgroundJob job_;
    EnvCheckModel model_;
    std::optional<CheckedMachine> checked_;
    QComboBox* machine_ = nullptr;
    QLineEdit* project_ = nullptr;
    QLineEdit* torch_ = nullptr;
    ReasonedButton* run_ = nullptr;
    StateStack* state_ = nullptr;
    Card* checks_ = nullptr;
    DataTable* table_ = nullptr;
    Card* detail_ = nullptr;
    QLabel* why_ = nullptr;
    QLabel* fix_ = nullptr;
    QLabel* log_ = nullptr;
    RepairsCard* repairs_ = nullptr;
    DevicesCard* devices_ = nullptr;
    CopyCard* settings_ = nullptr;
    CopyCard* recipe_ = nullptr;
};

} // namespace kl::ui
