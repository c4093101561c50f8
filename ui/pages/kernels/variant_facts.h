// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"
#include "kernels/catalog.h"
#include "sessions/store/rows.h"

#include <QString>

#include <vector>

class QTreeWidget;

namespace kl::ui {

/// A launch in one line: registers, spills, shared memory, blocks, occupancy and its limiter.
QString launchWords(const LaunchFacts& launch);

/// Makes the list at least as wide as its columns, so that none of their texts is cut.
void fitColumns(QTreeWidget& list);

/// Fills the list's columns 1 and 2 from the stored runs (newest first): each variant's newest time on the family's first problem that was
/// measured, and the class of its newest profile there. The fastest variant of a family is marked. Items carry their address in
/// Qt::UserRole of column 0. Fits the columns.
void fillVerdicts(QTreeWidget& list, const Catalog& catalog, const std::vector<RunSummary>& runs);

} // namespace kl::ui
