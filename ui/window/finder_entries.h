// SPDX-License-Identifier: MIT
#pragma once

#include "ui/context/app_context.h"

#include <QString>

#include <vector>

class QAction;

namespace kl::ui {

/// An item of the database or the catalog that a page can show.
struct FinderEntry {
    QString words; ///< searched text: "transpose/tiled · M=4096,N=4096 · bank-conflicts"
    QString kind;  ///< "kernel", "session", "pattern", "profile", "metric", "action", "setting"
    QString page;  ///< for AppContext::navigate, with the argument
    QString argument;
    QString more = {};         ///< also searched, not shown
    QAction* action = nullptr; ///< triggered instead of showing a page
};

/// Kernels, sessions, patterns, the newest profiles, and the metrics of the catalog. Errors: the store's.
Result<std::vector<FinderEntry>> finderEntries(const Engine& engine);

/// Indices of the entries that contain every word of the text, in any order and case; those that begin with the text first, else in the
/// order given. At most `most`.
std::vector<std::size_t> findEntries(const std::vector<FinderEntry>& entries, const QString& text, std::size_t most = 50);

} // namespace kl::ui
