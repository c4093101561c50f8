// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/ids.h"
#include "ui/style/tokens.h"

#include <QObject>
#include <QString>

#include <vector>

namespace kl::ui {

/// The runs that Diagnose compares every figure with, for each database: in the order in which they were pinned, each with a color. Kept
/// in the settings, since a database may be read-only.
class Baselines : public QObject {
    Q_OBJECT
public:
    static constexpr int kMost = 4; ///< a further one takes the place of the oldest

    static Baselines& instance();

    std::vector<RunId> of(const QString& database) const;
    bool isPinned(const QString& database, const RunId& id) const;
    void pin(const QString& database, const RunId& id, bool on);

    /// The color of the baseline at a place of of().
    static Token colorAt(int place);

signals:
    void changed();

private:
    Baselines() = default;
};

} // namespace kl::ui
