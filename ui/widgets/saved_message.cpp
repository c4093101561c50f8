// SPDX-License-Identifier: MIT
#include "ui/widgets/saved_message.h"

#include <QCoreApplication>
#include <QDesktopServices>
#include <QFileInfo>
#include <QUrl>

namespace kl::ui {

Message makeSavedMessage(const QString& what, const QString& file)
{
    const auto show = [](const QString& path) { QDesktopServices::openUrl(QUrl::fromLocalFile(path)); };
    Message message{MessageLevel::success, what, {}, {}};
    message.buttons = {
        {QCoreApplication::translate("SavedMessage", "Open"), [show, file] { show(file); }},
        {QCoreApplication::translate("SavedMessage", "Show in folder"), [show, file] { show(QFileInfo(file).absolutePath()); }}};
    return message;
}

} // namespace kl::ui
