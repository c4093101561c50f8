// SPDX-License-Identifier: MIT
#pragma once

#include "ui/context/app_context.h"

namespace kl::ui {

class MainWindow;

/// Opens and shows one more window, on a database and a device of its own; the database may be one that another window has open. The window
/// owns what it works with, and deletes both once closed. Errors: AppContext::open's.
Result<MainWindow*> openAnotherWindow(const std::string& location, const DeviceSpec& device, const StepWriter& writer);

} // namespace kl::ui
