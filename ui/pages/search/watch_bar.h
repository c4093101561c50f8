// SPDX-License-Identifier: MIT
#pragma once

#include "ui/context/app_context.h"

#ifndef Q_MOC_RUN
#include "core/model/search_record.h"
#endif

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QSlider;
class QTimer;

namespace kl::ui {

/// Chooses the search that is watched: the one that runs, one of history, or the replay of a recorded space from a file; and how much of it
/// is shown. A search that is over can be played again.
class WatchBar : public QWidget {
    Q_OBJECT
public:
    explicit WatchBar(AppContext& context, QWidget* parent = nullptr);

    /// Reads the searches of history again.
    void refresh();
    /// The points of the running search; shown while "this search" is chosen, which it is from the first one on.
    void follow(SearchRecord running);
    /// Replays a recorded space, a T4, Kernel Tuner cache or CSV file, with the default strategy.
    void openFile(const QString& file);

    const SearchRecord& record() const { return record_; }
    /// Searches the times of the chosen search again, with the default strategy, and plays that.
    void searchAgain();
    /// The first points of it that are shown.
    std::size_t shown() const;

signals:
    void changed();

private:
    struct Entry {
        QString name;
        std::string id; ///< empty: not of history
        std::optional<SearchRecord> record;
    };
    void choose(int row);
    void playRecorded(const QString& name, SearchRecord replayed);
    void show(SearchRecord record, bool live);
    void fill(const QString& chosen);
    void play();
    void tick();
    void describe();

    AppContext& context_;
    QComboBox* searches_;
    QPushButton* open_;
    QPushButton* again_;
    QPushButton* play_;
    QSlider* slider_;
    QLabel* words_;
    QTimer* timer_;
    std::vector<Entry> entries_;
    SearchRecord record_;
    bool live_ = false;
    BackgroundJob listing_;
    BackgroundJob reading_;
};

} // namespace kl::ui
