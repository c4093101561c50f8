// SPDX-License-Identifier: MIT
#pragma once

#include "ui/context/app_context.h"

#include <QString>

#include <vector>

namespace kl {

/// Something of the database or the catalog that a page shows.
struct FinderEntry {
    QString words; ///< what it is found by: "transpose/tiled · M=4096,N=4096 · bank-conflicts"
    QString kind;  ///< "kernel", "session", "pattern", "profile"
    QString page;  ///< for AppContext::navigate, with the argument
    QString argument;
};

/// Kernels, sessions, patterns, and the newest profiles. Errors: the store's.
Result<std::vector<FinderEntry>> finderEntries(const Engine& engine);

/// Places of the entries that have every word of the text, in whatever order and case; those that begin with the text first, else in the
/// order given. At most `most`.
std::vector<std::size_t> findEntries(const std::vector<FinderEntry>& entries, const QString& text, std::size_t most = 50);

} // namespace kl
