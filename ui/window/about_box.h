// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/dialog.h"

namespace kl::ui {

class AppContext;

/// Version, license, libraries, device and database: what a report of a problem needs, with a button that copies it.
class AboutBox : public Dialog {
    Q_OBJECT
public:
    AboutBox(const AppContext& context, QWidget* parent);
};

} // namespace kl::ui
