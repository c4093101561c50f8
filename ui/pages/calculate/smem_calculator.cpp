// SPDX-License-Identifier: MIT
#include "ui/pages/calculate/smem_calculator.h"

#include "core/base/format.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/limit_bars.h"
#include "ui/style/theme.h"
#include "ui/widgets/input_card.h"
#include "ui/widgets/key_figure.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/text.h"

#include <QComboBox>
#include <QLabel>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace kl::ui {

namespace {

constexpr int kElementBytes[] = {2, 4, 1, 8};

QString formatGroupedBytes(std::int64_t bytes)
{
    return q(formatCount(static_cast<double>(bytes)));
}

QString kib(std::int64_t bytes)
{
    return q(formatWithUnit(static_cast<double>(bytes) / 1024, "KiB"));
}

} // namespace

SmemCalculator::SmemCalculator(QWidget* parent) : QWidget(parent)
{
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(0, kGapInside, 0, 0);
    columns->setSpacing(kGapBetween);
    columns->addWidget(makeInputs());
    bars_ = new LimitBars;
    card_ = new ChartCard({}, bars_, this);
    columns->addWidget(card_, 1);
    calculate();
}

QWidget* SmemCalculator::makeInputs()
{
    auto* card = new InputCard(tr("Tiles per block"), this);
    tiles_ = card->addWhole(QStringLiteral("tiles"), tr("Tiles"), 1, 64, 3);
    m_ = card->addWhole(QStringLiteral("rows"), tr("Rows M"), 1, 65536, 64);
    k_ = card->addWhole(QStringLiteral("columns"), tr("Columns K"), 1, 65536, 64);
    n_ = card->addWhole(QStringLiteral("scores"), tr("Score columns N"), 0, 65536, 64);
    element_ = card->addChoice(QStringLiteral("element"), tr("Element"), {tr("FP16, BF16"), tr("FP32"), tr("FP8, INT8"), tr("FP64")}, 0);
    pad_ = card->addWhole(QStringLiteral("pad"), tr("Padding per tile row"), 0, 1024, 0, tr(" B"));
    scorePad_ = card->addWhole(QStringLiteral("scorePad"), tr("Padding per score row"), 0, 1024, 0, tr(" B"));
    card->setCaption(tr("tiles × M × (K × bytes + padding)\n+ M × (N × 4 + padding)"));
    total_ = new KeyFigure(tr("Shared memory per block"), card);
    notes_ = makeLabel({}, TextRole::caption, card);
    notes_->setObjectName(QStringLiteral("smemNotes"));
    notes_->setWordWrap(true);
    card->body()->addSpacing(kGapInside);
    card->body()->addWidget(total_);
    card->body()->addWidget(notes_);
    card->body()->addStretch(1);
    fixColumn(card, 320);
    connect(card, &InputCard::changed, this, &SmemCalculator::calculate);
    return card;
}

TilePlan SmemCalculator::plan() const
{
    return {tiles_->value(), m_->value(),       k_->value(), n_->value(), kElementBytes[element_->currentIndex()],
            pad_->value(),   scorePad_->value()};
}

void SmemCalculator::calculate()
{
    const auto need = smemNeed(plan());
    const auto rows = smemOnEveryGpu(plan());
    if (need && rows) {
        showRows(*need, *rows);
        return;
    }
    total_->set(q(kNoValue), q(need.error().message), Token::worse);
    notes_->clear();
    bars_->setBars({}, {}, {});
}

void SmemCalculator::showRows(const SmemNeed& need, const std::vector<GpuSmemRow>& rows)
{
    total_->set(kib(need.total), tr("%1 bytes: tiles %2, scores %3")
                                     .arg(formatGroupedBytes(need.total), formatGroupedBytes(need.tiles), formatGroupedBytes(need.scores)));
    std::vector<LimitBar> bars;
    QStringList refused;
    for (const GpuSmemRow& row : rows) {
        LimitBar bar;
        bar.name = q(row.gpu).remove(QStringLiteral("NVIDIA "));
        bar.value = static_cast<double>(need.total);
        bar.limit = static_cast<double>(row.fit.limit);
        bar.good = row.fit.fits;
        bar.words = row.fit.fits
                        ? tr("%1 %2 of %3, %4 per SM")
                              .arg(markSign(Mark::pass), q(formatPercent(row.fit.percent)), kib(row.fit.limit), blocksText(row.blocksPerSm))
                        : tr("%1 %2 over %3").arg(markSign(Mark::fail), kib(-row.fit.spare), kib(row.fit.limit));
        bar.help = row.rows ? tr("M can be at most %1").arg(*row.rows) : tr("Fewer than 16 rows fit");
        if (!row.correction.empty())
            bar.help += u'\n' + q(row.correction);
        if (!row.fit.fits)
            refused << bar.name;
        bars.push_back(std::move(bar));
    }
    const auto total = static_cast<qsizetype>(rows.size());
    card_->setFinding(refused.isEmpty()         ? tr("%1 per block fits on every GPU").arg(kib(need.total))
                      : refused.size() == total ? tr("%1 per block does not fit on any GPU").arg(kib(need.total))
                                                : tr("%1 per block is too much for %2").arg(kib(need.total), refused.join(tr(", "))));
    bars_->setBars(std::move(bars), tr("Bytes per block"), tr("limit per block (opt-in)"));
    notes_->setText(describeNotes(need, rows));
}

QString SmemCalculator::describeNotes(const SmemNeed& need, const std::vector<GpuSmemRow>& rows) const
{
    QStringList notes;
    if (need.total > kStaticSmemLimit)
        notes << tr("Above 48 KiB, the limit for static shared memory: declare it extern __shared__ and raise the kernel's limit with "
                    "cudaFuncSetAttribute.");
    else
        notes << tr("At most 48 KiB: static shared memory is enough.");
    if (!need.ldmatrixWays)
        notes << tr("Rows are not a multiple of 16 bytes, so 16-byte reads and ldmatrix are not possible.");
    else if (*need.ldmatrixWays > 1)
        notes << tr("Reading 16 bytes from each of eight rows: %1-way bank conflicts. Pad each row by 16 bytes or use a swizzle.")
                     .arg(*need.ldmatrixWays);
    else
        notes << tr("Reading 16 bytes from each of eight rows: no bank conflicts.");
    for (const GpuSmemRow& row : rows)
        if (!row.correction.empty())
            notes << q(row.gpu).remove(QStringLiteral("NVIDIA ")) + QStringLiteral(": ") + q(row.correction);
    return notes.join(QStringLiteral("\n\n"));
}

} // namespace kl::ui
