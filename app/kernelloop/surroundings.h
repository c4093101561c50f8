// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

namespace kl {

/// Before QApplication is made. Without a display, what draws into files alone (--shots, --drive, --print-pdf) and what only prints
/// (--help, --version) gets Qt's offscreen platform; a window is refused in words, where Qt would abort. Error environment.
Status choosePlatform(int argc, const char* const* argv);

/// After QApplication is made. On a host without any font, as a bare server, text would be boxes: those that the package brings
/// (../share/fonts beside the program) are used there.
void useOwnFontsWhereNone();

} // namespace kl
