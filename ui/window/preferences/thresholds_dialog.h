// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/dialog.h"

namespace kl::ui {

class AppContext;

/// Thresholds of the diagnosis and of the gates, each with what a change would do.
class ThresholdsDialog : public Dialog {
    Q_OBJECT
public:
    ThresholdsDialog(AppContext& context, QWidget* parent);
};

} // namespace kl::ui
