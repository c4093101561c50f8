// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include <vector>

class QVBoxLayout;

namespace kl {
struct RunRecord;
}

namespace kl::ui {

struct PinnedRun;

/// The baselines that a diagnosis is compared with: color, name, time and finding of each, how much the run's time differs, and a link that
/// unpins it. Hidden without any.
class BaselineStrip : public QWidget {
    Q_OBJECT
public:
    explicit BaselineStrip(QWidget* parent = nullptr);
    void setRun(const RunRecord& run, const std::vector<PinnedRun>& baselines);

signals:
    void unpinned(const QString& id);
    void opened(const QString& id);

private:
    QVBoxLayout* rows_;
};

} // namespace kl::ui
