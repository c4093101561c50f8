// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/next_step.h"

#include <vector>

class QBoxLayout;

namespace kl::ui {

class AppContext;

/// Fills a layout with a link for each step that the window has a page for; each is named "step" and has the step's word as property
/// "step".
void showStepLinks(AppContext& context, const std::vector<NextStep>& steps, QBoxLayout* layout);

} // namespace kl::ui
