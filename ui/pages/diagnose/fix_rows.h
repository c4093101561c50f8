// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/diagnosis.h"
#include "sessions/learning/recommend.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace kl {

/// One line of the list of fixes.
struct FixRow {
    QString title;
    QString basis;     ///< "expected 4.12× as fast, 91 %, 9 similar cases"
    QString why;       ///< may be empty
    QStringList ready; ///< addresses of points that have the change
};

/// The finding's fixes in the order of the advice, the largest expected gain first, and the advice's first change above them where it is
/// none of theirs. Fixes that the advice does not know follow as the tree ranks them; without an advice that is all of them.
std::vector<FixRow> fixRows(const Finding& finding, const std::optional<Advice>& advice);

} // namespace kl
