// SPDX-License-Identifier: MIT
#include "ui/pages/session/review_card.h"
#include "ui/pages/session_page.h"
#include "ui/widgets/file_choice.h"
#include "ui/widgets/text.h"

#include <QFile>
#include <QSaveFile>

namespace kl::ui {
namespace {

Error fileError(const QFileDevice& file)
{
    return {.code = ErrorCode::badInput,
            .message = utf8(QStringLiteral("%1: %2").arg(file.fileName(), file.errorString())),
            .hint = utf8(QObject::tr("Choose another file or folder.")),
            .where = utf8(file.fileName())};
}

} // namespace

void SessionPage::connectReview()
{
    connect(review_, &ReviewCard::commented, this, [this](const QString& target, const QString& author, const QString& text) {
        if (!view_)
            return;
        const auto added = addReviewComment(*context().engine()->store, *view_, utf8(target), utf8(author), utf8(text));
        if (!added)
            context().post(added.error(), tr("Could not save the comment"));
        loadSession();
    });
    connect(review_, &ReviewCard::exportRequested, this, [this] {
        const QString name = view_ ? QStringLiteral("review-%1.html").arg(q(view_->header.name)) : QStringLiteral("review.html");
        QSaveFile file(chooseNewFile(this, tr("Export for Review"), name, tr("HTML (*.html)"), QStringLiteral("reviews")));
        if (file.fileName().isEmpty())
            return;
        const Result<std::string> page = reviewPage(context().store(), context().catalog(), SessionId{session_});
        if (!page)
            return context().post(page.error(), tr("Could not save the review"));
        if (!file.open(QIODevice::WriteOnly) || file.write(page->data(), static_cast<qint64>(page->size())) < 0 || !file.commit())
            return context().post(fileError(file), tr("Could not save the review"));
        context().post(Message{MessageLevel::success, tr("Saved as %1. Reviewers can open it in a browser.").arg(file.fileName()), {}, {}});
    });
    connect(review_, &ReviewCard::importRequested, this, [this] {
        QFile file(chooseFile(this, tr("Import Review"), tr("Reviews (*.html *.json)"), QStringLiteral("reviews")));
        if (file.fileName().isEmpty())
            return;
        if (!file.open(QIODevice::ReadOnly))
            return context().post(fileError(file), tr("Could not import the review"));
        const auto merge = importReview(*context().engine()->store, context().catalog(), file.readAll().toStdString(),
                                        utf8(file.fileName()), SessionId{session_});
        if (!merge)
            return context().post(merge.error(), tr("Could not import the review"));
        context().post(
            Message{MessageLevel::success, tr("Added %1 comments; %2 were already there").arg(merge->added).arg(merge->known), {}, {}});
        loadSession();
    });
}

} // namespace kl::ui
