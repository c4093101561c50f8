// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace kl::ui {

class AppContext;
class MainWindow;
class Page;

/// Scrolls the page to the named widget and the title of its card. False when the page has no such widget.
bool scrollTo(Page& page, const QString& part);

/// The default database of a drive: a fresh file in the folder.
QString driveDatabase(const QString& folder);

/// Opens an optimize session on transpose and clicks the recommended button of the session page until the method is done; saves a
/// picture of every step, stage and page, and the report as HTML and PDF. The exit status; 1 when the session did not end as done and
/// kept, another when a report or picture could not be written.
int drive(AppContext& context, MainWindow& window, const QString& folder);

/// Walks the same session for the few pictures of the README at 1280 × 800: home, session, diagnose, compare, history and search in
/// light, session and diagnose in dark. The exit status.
int driveForReadme(AppContext& context, MainWindow& window, const QString& folder);

} // namespace kl::ui
