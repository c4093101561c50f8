// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.h"

#include <QWidget>

#include <functional>
#include <vector>

class QVBoxLayout;

namespace kl::ui {

enum class MessageLevel { info, success, warning, error };

struct MessageButton {
    QString text;
    std::function<void()> action;
};

/// What happened, why, and what to do next, with buttons that do it.
struct Message {
    MessageLevel level = MessageLevel::info;
    QString what;
    QString why;
    QString next;
    std::vector<MessageButton> buttons = {};
};

/// A message for an error of the layers below, in their words; without buttons: the window knows what its steps do
/// (ui/context/step_doors.h).
Message makeMessage(const Error& error, const QString& what = {});

/// Messages over the lower edge of their parent, so that nothing below moves when one comes or goes. They stay until dismissed (button or
/// Escape). The newest is on top; at most three are shown.
class MessageBar : public QWidget {
    Q_OBJECT
public:
    explicit MessageBar(QWidget* parent = nullptr);
    void post(const Message& message);
    void dismissNewest(); ///< does nothing without messages
    /// Removes what needs no attention: successes and information.
    void clearSettled();
    void clear();
    int count() const;
    /// Leaves this many pixels free below.
    void setBottom(int pixels);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void remove(QWidget* frame);
    void place();

    QVBoxLayout* rows_;
    int bottom_ = 0;
};

} // namespace kl::ui
