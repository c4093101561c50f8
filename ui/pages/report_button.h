// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/report/report.h"

#include <QString>

#include <functional>

class QPushButton;
class QWidget;

namespace kl {

class AppContext;

/// Asks for a file and writes a report there, in the format of its suffix; says in the message bar how it went.
void saveReport(AppContext& context, QWidget* parent, const QString& name, const std::function<Result<Report>()>& make);

/// A button for the page's header that saves a report made when it is pressed; `name` is the file's without its suffix.
QPushButton* makeReportButton(AppContext& context, QWidget* page, const QString& text, const QString& name,
                              std::function<Result<Report>()> make);

} // namespace kl
