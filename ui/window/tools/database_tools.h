// SPDX-License-Identifier: MIT
#pragma once

#include "ui/context/app_context.h"

#include <QObject>

namespace kl::ui {

/// Checks and copies the open database; the answers are messages of the window.
class DatabaseTools : public QObject {
    Q_OBJECT
public:
    DatabaseTools(AppContext& context, QWidget* window);

    void check(); ///< its integrity: `kloop db check`
    /// Asks for a file and writes a consistent copy: `kloop db backup`.
    void backUp();
    void backUpTo(const QString& file);

private:
    AppContext& context_;
    QWidget* window_;
    BackgroundJob job_;
};

} // namespace kl::ui
