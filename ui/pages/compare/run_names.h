// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"

#include <QStringList>

namespace kl {

/// What a run is called by its place in the basket: A, B … Z, then numbers.
QString basketLetter(std::size_t place);

/// What charts and tables call the runs of a basket: their kernels, with the letters of the basket before them ("A transpose/naive")
/// where two are of one kernel.
QStringList runNames(const std::vector<const RunRecord*>& runs);

} // namespace kl
