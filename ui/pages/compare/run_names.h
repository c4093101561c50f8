// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"

#include <QStringList>

namespace kl::ui {

/// The name of a run by its position in the basket: A, B … Z, then numbers.
QString basketLetter(std::size_t place);

/// The names of the basket's runs in charts and tables: their kernels, preceded by the letters of the basket ("A transpose/naive")
/// if two runs have the same kernel.
QStringList runNames(const std::vector<const RunRecord*>& runs);

} // namespace kl::ui
