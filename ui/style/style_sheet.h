// SPDX-License-Identifier: MIT
#pragma once

#include "ui/style/tokens.h"

#include <QString>

namespace kl::ui {

/// The one style sheet, with the scheme's colors filled in.
QString styleSheet(Scheme scheme);

/// "text", "muted" …: the name of a token in the style sheet and as a label property.
QString tokenName(Token token);

} // namespace kl::ui
