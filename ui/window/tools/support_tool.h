// SPDX-License-Identifier: MIT
#pragma once

#include "ui/context/app_context.h"

// moc 6.4 cannot read libstdc++'s concepts.
#ifndef Q_MOC_RUN
#include "sessions/diagnostics/support_bundle.h"
#endif

#include <QObject>

#include <deque>

namespace kl::ui {

/// Saves what helps to find the cause of a problem as one text, without what is private: `kloop support-bundle`, and what only the window
/// knows.
class SupportTool : public QObject {
    Q_OBJECT
public:
    SupportTool(AppContext& context, QWidget* window);

    /// Into the user's folder for downloads; the answer is a message with buttons that open it.
    void save();
    void saveTo(const QString& file);

private:
    std::vector<SupportSection> describeWindow() const;

    AppContext& context_;
    QWidget* window_;
    BackgroundJob job_;
    std::deque<std::string> messages_; ///< the newest ones that the window showed, oldest first
};

} // namespace kl::ui
