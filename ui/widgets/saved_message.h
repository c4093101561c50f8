// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/message_bar.h"

namespace kl::ui {

/// A success with the buttons Open and Show in Folder.
Message makeSavedMessage(const QString& what, const QString& file);

} // namespace kl::ui
