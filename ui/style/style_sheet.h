// SPDX-License-Identifier: MIT
#pragma once

#include "ui/style/tokens.h"

#include <QString>

namespace kl {

/// The one style sheet, with the scheme's colors filled in.
QString styleSheet(Scheme scheme);

/// "text", "muted" …: the word that the style sheet and labels know a token by.
QString tokenName(Token token);

} // namespace kl
