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
    connect(editCard_, &EditCard::measureRequested, this, &SessionPage::measureEdit);
    connect(editCard_, &EditCard::returnRequested, this, [this](int seq) {
        workOnEdit({}, [seq, id = SessionId{session_}](Engine& engine, const Job&) { return returnToAttempt(engine.bench, id, seq); });
    });
    connect(&context(), &AppContext::kernelsChanged, this, [this] { // the user saved in the editor
        if (!view_ || work_.running())
            return;
        if (view_->editing && canMeasureEdit() && editCard_->measuresSaves())
            measureEdit();
        else if (inEdit(*view_) || view_->sourceChange || !view_->parked.empty())
            loadSession();
    });
}

bool SessionPage::canMeasureEdit() const
{
    return context().explainUnmeasurable().isEmpty() && context().engine()->collector->source() == Source::live; // a recording has no edits
}

void SessionPage::measureEdit()
{
    workOnEdit(tr("Measuring the edit"),
               [id = SessionId{session_}](Engine& engine, const Job& job) { return measureAttempt(engine.bench, id, job); });
}

void SessionPage::workOnEdit(const QString& title, std::function<Status(Engine&, const Job&)> work)
{
    if (session_.empty() || work_.running())
        return;
    context().run(work_, title, std::move(work), [this](const Status& done) {
        setBusy(false);
        if (!done && done.error().code != ErrorCode::refused) // the card says what a rule refuses
            context().post(done.error());
        loadSession();
    });
    setBusy(true);
}

} // namespace kl::ui
