// SPDX-License-Identifier: MIT
#include "core/base/try.h"
#include "sessions/session/session_document.h"
#include "ui/pages/session/new_session_card.h"
#include "ui/pages/session/session_preview_card.h"
#include "ui/pages/session_page.h"
#include "ui/style/tokens.h"
#include "ui/widgets/text.h"

#include <QVBoxLayout>

#include <mutex>
#include <utility>

namespace kl::ui {
namespace {

constexpr int kFormWidth = 400;

/// What the session in the form will do, and what it can choose from.
struct FormPreview {
    Result<SessionPreview> preview;
    Result<SessionChoices> choices;
};

} // namespace

QWidget* SessionPage::makeNew(QWidget* parent)
{
    auto* pane = new QWidget(parent);
    auto* columns = new QHBoxLayout(pane);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(kGapBetween);
    auto* left = new QVBoxLayout;
    form_ = new NewSessionCard(pane);
    fixColumn(form_, kFormWidth);
    left->addWidget(form_);
    left->addStretch(1);
    columns->addLayout(left);
    auto* right = new QVBoxLayout;
    preview_ = new SessionPreviewCard(pane);
    right->addWidget(preview_);
    right->addStretch(1);
    columns->addLayout(right, 1);
    connect(form_, &NewSessionCard::requested, this, &SessionPage::create);
    connect(form_, &NewSessionCard::changed, this, &SessionPage::previewNew);
    return pane;
}

void SessionPage::showForm()
{
    forming_ = true;
    session_.clear();
    loadForm();
    if (!view_ || !view_->finished)
        return;
    QString next;
    for (const DocumentAnswer& answer : composeDocument(*view_))
        if (answer.question->id == "next")
            next = exact(answer.text);
    form_->propose(q(view_->header.kernel), next);
    view_.reset();
}

void SessionPage::loadForm()
{
    setTitle(tr("New session"));
    showPane(Pane::form);
    form_->setKernels(context().engine()->catalog);
    form_->setKinds();
    form_->setLocked(context().explainUnmeasurable());
    context().read(
        reading_, [](Engine& engine, const Job&) { return engine.sessions.nextName(); },
        [this](Result<std::string> name) {
            form_->setName(name ? q(*name) : QString());
            if (!proposed_.isEmpty())
                form_->propose(std::exchange(proposed_, {}), {}, std::exchange(proposedKind_, {}), std::exchange(proposedProblem_, {}));
            if (std::exchange(focusForm_, false))
                form_->setFocus(Qt::OtherFocusReason);
            previewNew();
        });
}

void SessionPage::previewNew()
{
    const Result<NewSession> draft = form_->draft();
    if (!draft) {
        form_->setPreview(draft.error());
        preview_->setPreview(draft.error());
        return;
    }
    context().read(
        previewing_,
        [request = *draft](Engine& engine, const Job&) {
            const std::scoped_lock lock(*engine.mutex); // the device's answers are looked up
            return FormPreview{previewSession(request, engine.bench), sessionChoices(request, engine.bench)};
        },
        [this](FormPreview found) {
            if (found.choices)
                form_->setChoices(*found.choices);
            form_->setPreview(found.preview);
            preview_->setPreview(found.preview);
        });
}

} // namespace kl::ui
