// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/diagnosis.h"
#include "sessions/learning/recommend.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <string>
#include <vector>

namespace kl::ui {

/// One line of the list of fixes.
struct FixRow {
    QString title;
    QString basis;     ///< "expected speedup 4.12×, 91 % chance of ≥1.20×, 9 similar cases"
    QString why;       ///< may be empty
    QStringList ready; ///< addresses of points that have the change
    std::string kind;  ///< id of the fix in the tree: for its code; may be empty
    std::vector<NextStep> steps = {};
};

/// The finding's fixes in the order of the advice: ready variants first, then the largest expected gain. The change that the advice names
/// is on top if the finding does not list it. Fixes unknown to the advice follow in the order of the tree; without advice, all of them do.
std::vector<FixRow> fixRows(const Finding& finding, const std::optional<Advice>& advice);

} // namespace kl::ui
