// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/model/descriptor.h"

#include <string>
#include <vector>

class QComboBox;

namespace kl::ui {

/// Fills a box with the baselines of this family: the default one, each by name, all. Hidden if there is no
/// choice.
void fillBaselines(QComboBox& box, const KernelFamily& family);

/// Names for Workbench::run(); empty for the default baseline.
std::vector<std::string> readBaselines(const QComboBox& box);

} // namespace kl::ui
