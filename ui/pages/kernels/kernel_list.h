// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/catalog.h"
#include "sessions/measure/registered_kernels.h"

#include <Qt>

class QLineEdit;
class QString;
class QTreeWidget;
class QWidget;

namespace kl::ui {

/// Role of a top-level item: path of a registered descriptor that cannot be used. Variants have their address in Qt::UserRole.
inline constexpr int kBrokenRole = Qt::UserRole + 1;
/// Role of a variant's column: true where it is the best of its family. It is drawn so, in the theme of the moment.
inline constexpr int kBestRole = Qt::UserRole + 2;

/// Refills a list of kernels: unreadable ones, the user's own families, built-in families.
void fillKernels(QTreeWidget& list, const Catalog& catalog, const std::vector<BrokenKernel>& broken);

/// Hides items without the text in name, title, expected class, time or last finding. A family is shown with any of its variants, and
/// all variants with a matching family. An empty text shows everything.
void filterKernels(QTreeWidget& list, const QString& text);

/// A field that filters the list as one types.
QLineEdit* makeKernelFilter(QTreeWidget& list, QWidget* parent);

} // namespace kl::ui
