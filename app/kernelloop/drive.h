// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace kl {

class AppContext;
class MainWindow;

/// The database that a drive writes where none was named: a fresh file in the folder.
QString driveDatabase(const QString& folder);

/// Opens an optimize session on transpose and clicks the recommended button of the session page until the method is done; saves a
/// picture of every step and page, and the report as HTML and PDF. The exit status; 1 when the session did not end.
int drive(AppContext& context, MainWindow& window, const QString& folder);

} // namespace kl
