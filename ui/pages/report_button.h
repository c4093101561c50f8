// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/report/report.h"

#include <QString>

#include <functional>

class QPushButton;
class QWidget;

namespace kl::ui {

class AppContext;

/// Asks for a file and writes a report there, in the format of its suffix; reports the result in the message bar.
void saveReport(AppContext& context, QWidget* parent, const QString& name, const std::function<Result<Report>()>& make);

/// A button for the page's header that creates and saves a report; `name` is the suggested file name.
QPushButton* makeReportButton(AppContext& context, QWidget* page, const QString& text, const QString& name,
                              std::function<Result<Report>()> make);

} // namespace kl::ui
