// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/learning/history.h"
#include "ui/widgets/card.h"

class QVBoxLayout;

namespace kl::ui {

/// What one session of the history tells: its grade, the patterns that it applied and taught, what worked, what failed, insights, what is
/// next.
class SessionStory : public Card {
    Q_OBJECT
public:
    explicit SessionStory(QWidget* parent = nullptr);
    /// Null hides it. `patterns`: for their titles.
    void show(const HistoryRow* row, const std::vector<PatternReturn>& patterns);

signals:
    void patternRequested(const QString& slug);

private:
    void addPatterns(const QString& heading, const std::vector<std::string>& slugs, const std::vector<PatternReturn>& patterns);
    void addList(const QString& heading, const std::vector<std::string>& lines);

    QVBoxLayout* parts_;
};

} // namespace kl::ui
