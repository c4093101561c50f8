// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/patterns/library.h"
#include "ui/models/pattern_table_model.h"
#include "ui/pages/page.h"

class QLabel;
class QLineEdit;

namespace kl {

class Card;
class DataTable;
class ReasonedButton;
class StateStack;

/// The lessons: a searchable list, and one in full with what it is said to save and what it saved here.
class PatternsPage : public Page {
    Q_OBJECT
public:
    explicit PatternsPage(AppContext& context);
    void refresh() override;
    void open(const QString& argument) override; ///< a slug

private:
    struct Data {
        std::vector<PatternRow> rows;
        std::vector<PatternApplication> applications;
    };
    static Result<Data> load(Engine& engine);
    QWidget* makeDetail();
    void filter();
    void choose(const std::string& slug);
    void showDetail(int row);
    void apply();

    BackgroundJob loader_;
    BackgroundJob writer_;
    PatternTableModel model_;
    std::vector<PatternRow> all_;
    std::vector<PatternApplication> applications_;
    std::string chosen_;
    StateStack* state_ = nullptr;
    StateStack* list_ = nullptr;
    QLineEdit* search_ = nullptr;
    DataTable* table_ = nullptr;
    Card* detail_ = nullptr;
    QLabel* problem_ = nullptr;
    QLabel* advice_ = nullptr;
    QLabel* savings_ = nullptr;
    QLabel* uses_ = nullptr;
    QLabel* origin_ = nullptr;
    ReasonedButton* apply_ = nullptr;
};

} // namespace kl
