// SPDX-License-Identifier: MIT
#include "ui/pages/session/fix_panel.h"

#include "core/base/format.h"
#include "core/diagnosis/estimate_text.h"
#include "core/diagnosis/fix_code.h"
#include "kernels/source_kernel.h"
#include "sessions/engine/own_edit.h"
#include "sessions/learning/fix_case.h"
#include "ui/pages/shared/code_link.h"
#include "ui/style/theme.h"
#include "ui/widgets/option_card.h"
#include "ui/widgets/text.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <set>

namespace kl::ui {
namespace {

void lockCard(OptionCard& card, const std::string& reason)
{
    card.setLocked(q(reason));
    card.button()->setEnabled(false); // without a reason, too
}

/// The kernel functions that a variant launches, as in its source; empty for compiled code.
std::string listKernelFunctions(const Catalog& catalog, const Address& address)
{
    const Result<const KernelFamily*> family = catalog.family(address.family);
    const Result<const Variant*> variant = catalog.variant(address);
    if (!family || !variant)
        return {};
    std::string text;
    std::set<std::string> seen;
    for (const LaunchFormula& launch : (*variant)->launches)
        if (seen.insert(launch.entry).second)
            if (const std::string kernel = kernelText((*variant)->source.empty() ? (*family)->source : (*variant)->source, launch.entry);
                !kernel.empty())
                text += (text.empty() ? "" : "\n\n") + kernel;
    return text;
}

} // namespace

FixPanel::FixPanel(QWidget* parent) : QWidget(parent), cards_(new QVBoxLayout(this))
{
    cards_->setContentsMargins(0, 0, 0, 0);
    cards_->setSpacing(kGapInside);
}

void FixPanel::setView(const SessionView& view, const Catalog* catalog)
{
    clearLayout(cards_);
    catalog_ = catalog;
    if (!view.profileRun || !view.profileRun->diagnosis) {
        bool any = false;
        for (const NextAction& next : view.next)
            if (next.action == SessionAction::chooseFix) {
                addOffer(view, next);
                any = true;
            }
        if (any || view.candidate)
            return;
        const ActionOffer offer = findOffer(view, SessionAction::chooseFix);
        QLabel* none = makeLabel(q(offer.reason + ' ' + offer.hint).trimmed(), TextRole::body, this);
        none->setObjectName(QStringLiteral("noFixes"));
        none->setWordWrap(true);
        cards_->addWidget(none);
        return;
    }
    bool best = true;
    for (const Fix& fix : view.profileRun->diagnosis->finding.fixes) {
        addFix(view, fix, best);
        best = false;
    }
    for (const NextAction& next : view.next)
        if (next.action == SessionAction::chooseFix && (next.argument == kOwnEdit || next.argument == kSearchFix))
            addOffer(view, next);
    cards_->addStretch(1);
}

void FixPanel::addOffer(const SessionView& view, const NextAction& next)
{
    auto* card = new OptionCard(q(next.title), this);
    card->setObjectName(QStringLiteral("card"));
    const bool own = next.argument == kOwnEdit;
    const bool search = next.argument == kSearchFix;
    if (search)
        card->setText(tr("The points that pass the gates are measured; the fastest that is correct on the whole suite is the change. What "
                         "it changes counts as one, since it was measured together."));
    else if (own)
        card->setText(tr("Edit the kernel's source in your own editor. The original is backed up, and what you save is shown here "
                         "and used as the change."));
    else
        card->setDiff(QStringLiteral("− %1\n+ %2").arg(q(toText(view.current)), q(next.argument)));
    if (!own && !search)
        addCode(card, {}, view.current, next.argument);
    card->button()->setProperty("fix", exact(next.argument));
    card->setButton(own ? tr("Edit source") : search ? tr("Search") : tr("Choose this change"), &next == &view.next.front());
    if (!next.enabled)
        lockCard(*card, next.reason);
    connect(card, &OptionCard::activated, this, [this, id = q(next.argument)] { emit fixChosen(id); });
    cards_->addWidget(card);
}

void FixPanel::addFix(const SessionView& view, const Fix& fix, bool best)
{
    auto* card = new OptionCard(q(fix.title), this);
    card->setObjectName(QStringLiteral("card"));
    card->setText(q(fix.why));
    if (best || fix.gain)
        card->addFact(tr("expected speedup"), q(shortEstimate(computeExpectedSpeedup(view.profileRun->diagnosis->finding, fix))));
    card->addFact(fix.kind.empty() ? tr("chance") : tr("chance of ≥%1").arg(q(formatRatio(kFixPays))),
                  QStringLiteral("%1 %").arg(fix.confidence * 100, 0, 'f', 0));
    if (!fix.variant.empty())
        card->setDiff(QStringLiteral("− %1\n+ %2").arg(q(toText(view.current)), q(fix.variant)));
    addCode(card, fix.kind.empty() ? fix.id : fix.kind, view.current, fix.variant);
    const std::string& current = view.editing ? view.editing->fix : view.fix;
    card->button()->setProperty("fix", exact(fix.id));
    const bool chosen = current == fix.id && !view.reverted;
    const ActionOffer offer = findOffer(view, SessionAction::chooseFix, fix.id);
    card->setChosen(chosen);
    const bool edit = fix.variant.empty() && offer.enabled;
    card->setButton(chosen ? tr("Chosen") : edit ? tr("Edit source") : tr("Choose this fix"), best && current.empty());
    if (chosen || !offer.enabled)
        lockCard(*card, offer.reason);
    connect(card, &OptionCard::activated, this, [this, id = q(fix.id)] { emit fixChosen(id); });
    cards_->addWidget(card);
}

void FixPanel::addCode(OptionCard* card, const std::string& kind, const Address& from, const std::string& to)
{
    if (const FixCode* code = fixCode(kind))
        addCodeLink(card->details(), *code, tr("Show code"), tr("Hide code"), "showFixCode", card);
    const Result<Address> target = parseAddress(to);
    if (!catalog_ || to.empty() || !target)
        return;
    FixCode sources{listKernelFunctions(*catalog_, from), listKernelFunctions(*catalog_, *target), {}};
    if (!sources.before.empty() && !sources.after.empty() && sources.before != sources.after)
        addCodeLink(card->details(), sources, tr("Show both sources"), tr("Hide both sources"), "showFixSources", card);
}

void FixPanel::setBusy(const QString& reason)
{
    for (OptionCard* card : findChildren<OptionCard*>())
        card->button()->setEnabled(reason.isEmpty() && card->button()->isEnabled());
}

} // namespace kl::ui
