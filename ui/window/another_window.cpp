// SPDX-License-Identifier: MIT
#include "ui/window/another_window.h"

#include "core/base/try.h"
#include "ui/window/idle_pages.h"
#include "ui/window/mainwindow.h"

namespace kl::ui {

Result<MainWindow*> openAnotherWindow(const std::string& location, const DeviceSpec& device, const StepWriter& writer)
{
    KL_ASSIGN(std::unique_ptr<AppContext> opened, AppContext::open(location, device));
    opened->setStepWriter(writer);
    AppContext* context = opened.release();
    auto* window = new MainWindow(*context);
    window->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(window, &QObject::destroyed, context, &QObject::deleteLater); // its pages refer to it until they are gone
    window->show();
    new IdlePages(*window);
    return window;
}

} // namespace kl::ui
