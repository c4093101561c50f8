// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/comparison.h"
#include "core/model/run.h"
#include "sessions/report/report.h"
#include "sessions/store/rows.h"
#include "ui/pages/page.h"

class QHBoxLayout;
class QLabel;

namespace kl::ui {

class BasketCard;
class CompareTabs;
class MarkLabel;
class ReasonedButton;
class StateStack;

/// Compares two or more stored runs: the verdict in a sentence, what differs, the samples, the roofline, the stalls. The first
/// two of the basket are A and B; the verdict is the engine's.
class ComparePage : public Page {
    Q_OBJECT
public:
    explicit ComparePage(AppContext& context, QWidget* parent = nullptr);

    /// "run:ID" adds a run to the basket; "runs:ID,ID…" replaces it; "kernels:A B PROBLEM" shows the newest runs of two variants, which
    /// need not be there to measure them in turn (without a problem: on any); a comparison's id shows that measured A/B.
    void open(const QString& argument) override;
    void refresh() override;

private:
    /// Two variants to measure in turn.
    struct WantedPair {
        Address a;
        Address b;
        Params problem; ///< empty: the default
    };
    struct Loaded {
        std::vector<RunSummary> runs;
        std::vector<RunRecord> basket;
        std::optional<Comparison> comparison;
        std::string why;         ///< why the window chose these runs; empty if the user did
        bool canSuggest = false; ///< the store has two runs that belong together
    };

    /// `suggest`: fill an empty basket.
    static Result<Loaded> load(Engine& engine, const std::vector<RunRecord>& opened, std::vector<std::string> basket,
                               const std::string& comparison, const std::optional<WantedPair>& wanted, bool suggest);
    QWidget* makeVerdict(QWidget* parent);
    void show(Loaded loaded);
    void showVerdict();
    void showNothing();
    void showMeasure();
    /// Replaces the basket with the user's choice, and any measured A/B with it.
    void take(std::vector<std::string> ids);
    void wantPair(const QString& kernels);
    void measure();
    void measurePair(const WantedPair& pair);
    std::vector<std::string> listShownIds() const;
    Result<Report> report() const;

    BackgroundJob reading_;
    BackgroundJob measuring_;
    std::vector<std::string> basket_;  ///< ids of the runs that the user chose, in order
    std::string comparison_;           ///< a measured A/B whose verdict is shown
    bool emptied_ = false;             ///< by the user: no pair is suggested then
    std::optional<WantedPair> wanted_; ///< until the user chooses runs
    Loaded data_;

    BasketCard* basketCard_;
    StateStack* state_;
    MarkLabel* mark_;
    QLabel* sentence_;
    QLabel* next_;
    QHBoxLayout* steps_;      ///< links to the pages for the next steps
    ReasonedButton* measure_; ///< measures an interleaved A/B
    QLabel* basis_;           ///< statistics, noise, notes
    CompareTabs* tabs_;
};

} // namespace kl::ui
