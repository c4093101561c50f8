// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

namespace kl::ui {

/// Call before creating QApplication. Without a display, options that only draw into files (--shots, --drive, --print-pdf) or print
/// (--help, --version) get Qt's offscreen platform. Anything else is an error environment, where Qt itself would abort.
Status choosePlatform(int argc, const char* const* argv);

/// Call after creating QApplication. On a host without any font, e.g. a bare server, all text would be boxes: the fonts of the package
/// (../share/fonts beside the program) are used there.
void useOwnFontsWhereNone();

} // namespace kl::ui
