// SPDX-License-Identifier: MIT
#include "ui/pages/compare/basket_card.h"

#include "core/stats/correctness_text.h"
#include "ui/import/opened_runs.h"
#include "ui/pages/compare/run_names.h"
#include "ui/pages/shared/run_picker.h"
#include "ui/style/theme.h"
#include "ui/widgets/breakable.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace kl::ui {
namespace {

constexpr int kBasketWidth = 300;

} // namespace

BasketCard::BasketCard(RunPicker* picker, QWidget* parent) : Card(tr("Runs to compare"), parent), rows_(new QVBoxLayout)
{
    setFixedWidth(kBasketWidth);
    rows_->setSpacing(kGapInside);
    body()->addLayout(rows_);
    whole_ = new QWidget(this);
    auto* links = new QHBoxLayout(whole_);
    links->setContentsMargins(0, 0, 0, 0);
    QPushButton* swap = makeLinkButton(tr("Swap A and B"), whole_);
    swap->setObjectName(QStringLiteral("swapRuns"));
    QPushButton* empty = makeLinkButton(tr("Remove all"), whole_);
    empty->setObjectName(QStringLiteral("emptyBasket"));
    links->addWidget(swap);
    links->addStretch(1);
    links->addWidget(empty);
    body()->addWidget(whole_);
    connect(swap, &QPushButton::clicked, this, &BasketCard::swapped);
    connect(empty, &QPushButton::clicked, this, &BasketCard::emptied);
    if (picker) {
        picker->setRun({}, tr("Add a run…"));
        body()->addWidget(picker);
        connect(picker, &RunPicker::picked, this, &BasketCard::added);
    }
    body()->addStretch(1);
}

void BasketCard::setRuns(const std::vector<RunRecord>& basket, const QString& why)
{
    const QString order = tr("The first two runs are A and B.");
    setCaption(why.isEmpty() ? order : why + u' ' + order);
    clearLayout(rows_);
    for (std::size_t i = 0; i < basket.size(); ++i)
        addRow(basketLetter(i), basket[i]);
    whole_->setVisible(basket.size() > 1);
}

void BasketCard::addRow(const QString& letter, const RunRecord& run)
{
    auto* row = new QHBoxLayout;
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(makeBreakableLabel(QStringLiteral("%1  %2").arg(letter, q(displayKernel(run))), TextRole::body, this));
    QLabel* facts =
        makeLabel(QStringLiteral("%1 · %2 · %3")
                      .arg(spaceProblem(toText(run.problem)), q(run.device.name), formatMeasuredTime(run.source, run.startedAt)),
                  TextRole::caption, this);
    facts->setWordWrap(true);
    facts->setToolTip(absoluteTime(run.startedAt));
    words->addWidget(facts);
    if (const std::string refuted = describeRefuted(run.correctness); !refuted.empty()) {
        QLabel* why = makeBreakableLabel(markSign(Mark::fail) + u' ' + q(refuted), TextRole::caption, this);
        why->setObjectName(QStringLiteral("refuted"));
        words->addWidget(why);
    }
    row->addLayout(words, 1);
    QPushButton* remove = makeLinkButton(tr("Remove"), this);
    remove->setAccessibleName(tr("Remove %1").arg(q(displayKernel(run))));
    connect(remove, &QPushButton::clicked, this, [this, id = q(run.id.text)] { emit removed(id); });
    row->addWidget(remove, 0, Qt::AlignTop);
    rows_->addLayout(row);
}

} // namespace kl::ui
