// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace kl::ui {

class AppContext;
class MainWindow;

/// A session on a kernel of a program, by clicks and keys alone, with a picture of each step: profiles the program of the working folder,
/// picks its kernel `transpose` in the table, describes the target in the form, and walks the session to its end. `program`: the command,
/// with rows and columns as its last arguments; `edit`: the file whose text takes the place of transpose.cu when the session asks for an
/// edit. The exit status; 1 when the session does not end as kept, with the reason printed.
int driveTarget(AppContext& context, MainWindow& window, const QString& program, const QString& edit, const QString& folder);

} // namespace kl::ui
