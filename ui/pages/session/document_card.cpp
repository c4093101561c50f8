// SPDX-License-Identifier: MIT
#include "ui/pages/session/document_card.h"

#include "core/base/format.h"
#include "ui/style/theme.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace kl::ui {

namespace {

/// The outcome of a session in one sentence.
QString describeOutcome(const SessionView& view)
{
    QString speed = view.speedup ? DocumentCard::tr("Speedup over the baseline: %1.").arg(q(formatRatio(*view.speedup))) : QString();
    if (const std::optional<double> gain = computeGain(view))
        speed = DocumentCard::tr("%1 as fast as before. %2").arg(q(formatRatio(*gain)), speed);
    const QString candidate = view.candidate ? q(toText(*view.candidate)) : QString();
    if (view.outcome == "kept")
        return DocumentCard::tr("Kept %1. %2").arg(candidate, speed);
    if (view.outcome == "reverted")
        return DocumentCard::tr("Reverted %1; %2 stays. %3").arg(candidate, q(toText(view.start)), speed);
    if (!view.outcome.empty())
        return DocumentCard::tr("Ended: %1. %2").arg(q(view.outcome), speed);
    return DocumentCard::tr("Still open. You can save a report at any time.");
}

} // namespace

DocumentCard::DocumentCard(QWidget* parent)
    : Card(tr("Report"), parent), outcome_(makeLabel({}, TextRole::body, this)), next_(makeButton({}, true, this))
{
    outcome_->setWordWrap(true);
    body()->addWidget(outcome_);
    next_->setObjectName(QStringLiteral("nextSession"));
    body()->addWidget(next_, 0, Qt::AlignLeft);
    connect(next_, &QPushButton::clicked, this, [this] {
        if (step_)
            emit stepRequested(*step_);
    });
    auto* row = new FlowLayout(nullptr, kGapInside, kGapInside); // six buttons do not fit in one line of a narrow window
    for (const auto& [format, text] : {std::pair{"html", tr("Save HTML…")}, std::pair{"pdf", tr("Save PDF…")},
                                       std::pair{"md", tr("Save Markdown…")}, std::pair{"json", tr("Save JSON…")},
                                       std::pair{"csv", tr("Save CSV…")}, std::pair{"prompt", tr("Save prompt for next session…")}}) {
        QPushButton* button = makeButton(text, false, this);
        button->setObjectName(QStringLiteral("export-%1").arg(QLatin1String(format)));
        row->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, name = QString::fromLatin1(format)] { emit exportRequested(name); });
    }
    body()->addLayout(row);
}

void DocumentCard::setView(const SessionView& view)
{
    outcome_->setText(describeOutcome(view));
    step_ = view.afterwards.empty() ? std::nullopt : std::optional(view.afterwards.front());
    next_->setVisible(step_.has_value());
    if (step_)
        next_->setText(tr("Open the next session on %1").arg(escapeMnemonics(q(view.header.kernel))));
}

} // namespace kl::ui
