// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.h"

#include <QWidget>

#include <functional>

class QVBoxLayout;

namespace kl {

enum class MessageLevel { info, success, warning, error };

/// What happened, why, and what to do next, with at most one button.
struct Message {
    MessageLevel level = MessageLevel::info;
    QString what;
    QString why;
    QString next;
    QString actionText;
    std::function<void()> action;
};

/// A message for an error of the layers below, in their words.
Message makeMessage(const Error& error, const QString& what = {});

/// Messages stay until dismissed (button or Escape). The newest is on top; at most three are shown.
class MessageBar : public QWidget {
    Q_OBJECT
public:
    explicit MessageBar(QWidget* parent = nullptr);
    void post(const Message& message);
    void dismissNewest(); ///< does nothing without messages
    void clear();
    int count() const;

private:
    void remove(QWidget* frame);

    QVBoxLayout* rows_;
};

} // namespace kl
