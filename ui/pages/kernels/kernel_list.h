// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/catalog.h"
#include "sessions/engine/registered_kernels.h"

#include <Qt>

class QLineEdit;
class QString;
class QTreeWidget;
class QWidget;

namespace kl {

/// Of a top item: path of a registered descriptor that cannot be used. Variants carry their address in Qt::UserRole.
inline constexpr int kBrokenRole = Qt::UserRole + 1;

/// Fills a list of kernels anew: what cannot be read, the user's own families, those that the program carries.
void fillKernels(QTreeWidget& list, const Catalog& catalog, const std::vector<BrokenKernel>& broken);

/// Hides what does not hold the text in its name, title, expected class, time or last finding; a family stays with any of its variants, and
/// all of them with its own name. An empty text shows everything.
void filterKernels(QTreeWidget& list, const QString& text);

/// A field that filters the list as one types.
QLineEdit* makeKernelFilter(QTreeWidget& list, QWidget* parent);

} // namespace kl
