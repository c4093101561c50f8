// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <QStringList>
#include <QTimer>

namespace kl::ui {

class MainWindow;

/// Makes, fills and lays out the pages of a window that were not visited yet, a step at a time while the user does nothing and no job runs:
/// the first visit to a page is then as quick as any other.
class IdlePages : public QObject {
public:
    explicit IdlePages(MainWindow& window);

    /// The next step at once; false where none is left.
    bool step();

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class Stage { make, fill, layOut };

    MainWindow& window_;
    QStringList waiting_; ///< ids of pages
    Stage stage_ = Stage::make;
    QTimer idle_;
};

} // namespace kl::ui
