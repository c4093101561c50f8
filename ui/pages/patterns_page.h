// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/learning/history.h"
#include "sessions/patterns/suggest.h"
#include "ui/models/pattern_table_model.h"
#include "ui/pages/page.h"

class QLabel;
class QLineEdit;
class QStackedWidget;
class QVBoxLayout;

namespace kl::ui {

class AddPatternCard;
class Card;
class DataTable;
class ReasonedButton;
class StateStack;

/// The patterns: a searchable list with suggestions for the current session, and one in full with its quoted and measured savings and
/// its cost to learn. A new one is drafted from a session.
class PatternsPage : public Page {
    Q_OBJECT
public:
    explicit PatternsPage(AppContext& context);
    void refresh() override;
    void open(const QString& argument) override; ///< a slug
    QLineEdit* filterField() const override { return search_; }

private:
    struct Data {
        std::vector<PatternRow> rows;
        History history;
        std::vector<Suggestion> suggestions;
        std::string lastSession; ///< the current one, else the newest in this database; empty without any
        std::string lastName;
    };
    static Result<Data> load(Engine& engine, const SessionId& session);
    QWidget* makeList();
    QWidget* makeDetail();
    void show(Data found);
    void showSuggestions();
    void search();
    void showFound(const std::vector<std::string>& slugs);
    void choose(const std::string& slug);
    void showDetail(int row);
    QString describeUses(const std::string& slug) const;
    void apply();
    void draft();
    void add(const Pattern& pattern);

    BackgroundJob loader_;
    BackgroundJob searcher_;
    BackgroundJob writer_;
    PatternTableModel model_;
    Data data_;
    std::string chosen_;
    StateStack* state_ = nullptr;
    StateStack* list_ = nullptr;
    QLineEdit* search_ = nullptr;
    DataTable* table_ = nullptr;
    QVBoxLayout* suggestions_ = nullptr;
    QLabel* totals_ = nullptr;
    QStackedWidget* side_ = nullptr;
    Card* detail_ = nullptr;
    AddPatternCard* form_ = nullptr;
    QLabel* problem_ = nullptr;
    QLabel* advice_ = nullptr;
    QLabel* savings_ = nullptr;
    QLabel* return_ = nullptr;
    QLabel* uses_ = nullptr;
    QLabel* origin_ = nullptr;
    ReasonedButton* apply_ = nullptr;
    ReasonedButton* add_ = nullptr;
};

} // namespace kl::ui
