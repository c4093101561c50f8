// SPDX-License-Identifier: MIT
#include "ui/pages/session/edit_card.h"
#include "ui/pages/session_page.h"
#include "ui/widgets/text.h"

#include <QDesktopServices>
#include <QUrl>

namespace kl::ui {

void SessionPage::connectEdit()
{
    connect(editCard_, &EditCard::openRequested, this, [this](const QString& file) {
        if (!QDesktopServices::openUrl(QUrl::fromLocalFile(file)))
            context().post(
                Message{MessageLevel::info, tr("No application is associated with this file type. Open %1 yourself.").arg(file), {}, {}});
    });
    connect(editCard_, &EditCard::actionRequested, this, [this](SessionAction action) { act(action); });
    connect(&context(), &AppContext::kernelsChanged, this, [this] { // the user saved in the editor
        if (view_ && !work_.running() && (inEdit(*view_) || view_->sourceChange || !view_->parked.empty()))
            loadSession();
    });
}

} // namespace kl::ui
