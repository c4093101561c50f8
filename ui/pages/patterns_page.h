// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/page.h"
#include "ui/pages/patterns/patterns_data.h"

class QLabel;
class QLineEdit;
class QStackedWidget;
class QVBoxLayout;

namespace kl::ui {

class AddPatternCard;
class Card;
class DataTable;
class FlowView;
class PatternDetail;
class ReasonedButton;
class StateStack;

/// The patterns: when to apply which, drawn for the current session or the newest run; a searchable list; one in full. Patterns of the
/// user's own are added, edited, retired and restored.
class PatternsPage : public Page {
    Q_OBJECT
public:
    explicit PatternsPage(AppContext& context, QWidget* parent = nullptr);
    void refresh() override;
    void open(const QString& argument) override; ///< a slug
    QLineEdit* filterField() const override { return search_; }

private:
    QWidget* makeFlow(QWidget* parent);
    QWidget* makeList(QWidget* parent);
    QWidget* makeDetail(QWidget* parent);
    void show(PatternsData found);
    void showSuggestions();
    void search();
    void showFound(const std::vector<std::string>& slugs);
    void choose(const std::string& slug);
    void showDetail(int row);
    void apply();
    void addBlank();
    void draft();
    void edit();
    void retire(bool retired);
    void fillRecipe();
    void save(const Pattern& pattern, const PatternBody& body, bool replace);
    void showForm();

    BackgroundJob loader_;
    BackgroundJob searcher_;
    BackgroundJob writer_;
    BackgroundJob checker_;
    PatternTableModel model_;
    PatternsData data_;
    std::string chosen_;
    StateStack* state_ = nullptr;
    StateStack* list_ = nullptr;
    Card* flowCard_ = nullptr;
    FlowView* flow_ = nullptr;
    QLineEdit* search_ = nullptr;
    DataTable* table_ = nullptr;
    QVBoxLayout* suggestions_ = nullptr;
    QLabel* totals_ = nullptr;
    QStackedWidget* side_ = nullptr;
    PatternDetail* detail_ = nullptr;
    AddPatternCard* form_ = nullptr;
    ReasonedButton* new_ = nullptr;
    ReasonedButton* add_ = nullptr;
};

} // namespace kl::ui
