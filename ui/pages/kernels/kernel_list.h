// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/catalogue.h"
#include "sessions/engine/registered_kernels.h"

#include <Qt>

class QTreeWidget;

namespace kl {

/// Of a top item: path of a registered descriptor that cannot be used. Variants carry their address in Qt::UserRole.
inline constexpr int kBrokenRole = Qt::UserRole + 1;

/// Fills a list of kernels anew: what cannot be read, the user's own families, those that the program carries.
void fillKernels(QTreeWidget& list, const Catalogue& catalogue, const std::vector<BrokenKernel>& broken);

} // namespace kl
