// SPDX-License-Identifier: MIT
#pragma once

#include "app/kernelloop/start_options.h"
#include "ui/context/app_context.h"

#include <memory>

namespace kl::ui {

/// Opens the database and device that the options name, else those of the last time, else the sample. If the database cannot be opened, a
/// window says why and offers another one or the sample; a start that only draws into files returns the error at once. Errors: why it
/// could not be opened, when the user gave up.
Result<std::unique_ptr<AppContext>> openPlace(const StartOptions& options);

} // namespace kl::ui
