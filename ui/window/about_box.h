// SPDX-License-Identifier: MIT
#pragma once

#include <QDialog>

namespace kl::ui {

class AppContext;

/// Version, license, libraries, device and database: what a report of a problem needs, with a button that copies it.
class AboutBox : public QDialog {
    Q_OBJECT
public:
    AboutBox(const AppContext& context, QWidget* parent);
};

} // namespace kl::ui
