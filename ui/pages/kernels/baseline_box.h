// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/descriptor.h"

#include <string>
#include <vector>

class QComboBox;

namespace kl {

/// Fills a box with what a run of this family can be measured against: its own baseline, each by name, all. Hidden where there is no
/// choice.
void fillBaselines(QComboBox& box, const KernelFamily& family);

/// Names for Workbench::run(); none for the family's own.
std::vector<std::string> readBaselines(const QComboBox& box);

} // namespace kl
