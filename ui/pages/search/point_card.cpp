// SPDX-License-Identifier: MIT
#include "ui/pages/search/point_card.h"

#include "core/base/format.h"
#include "ui/style/theme.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

namespace kl::ui {
namespace {

enum PointColumn { kGateName, kHere, kThere, kGateWhy };

Mark chooseGateMark(const GateVerdict& verdict)
{
    return !verdict.judged ? Mark::none : verdict.pass ? Mark::pass : Mark::fail;
}

/// "12,288 B of 232,448 B"; only the value if there is no limit.
QString formatFigures(const GateVerdict& verdict)
{
    QString found = gateFigure(verdict.gate, verdict.value);
    if (!verdict.value || verdict.gate == SpaceGate::bankConflicts)
        return found;
    const bool least = verdict.gate == SpaceGate::occupancy || verdict.gate == SpaceGate::coalescing;
    return (least ? QObject::tr("%1 (minimum %2)") : QObject::tr("%1 of %2")).arg(found, gateFigure(verdict.gate, verdict.limit));
}

QString compilerWords(const CompiledPoint& point)
{
    if (!point.built.ok)
        return QObject::tr("Compiled: %1").arg(q(point.verdict.reason));
    QStringList launches;
    for (const CompiledLaunch& launch : point.built.launches)
        launches << QObject::tr("%1: %2 registers, %3 in local memory")
                        .arg(q(launch.entry))
                        .arg(launch.registers)
                        .arg(q(formatWithUnit(static_cast<double>(launch.stackBytes), "B")));
    return QObject::tr("Compiled: %1. %2").arg(launches.join(QStringLiteral("; ")), q(point.verdict.reason));
}

} // namespace

PointCard::PointCard(QWidget* parent) : Card({}, parent), gates_(new QGridLayout)
{
    auto* back = makeLinkButton(tr("All combinations"), this);
    back->setObjectName(QStringLiteral("allCombinations"));
    connect(back, &QPushButton::clicked, this, &PointCard::left);
    tools()->addWidget(back);
    gates_->setHorizontalSpacing(kGapBetween);
    gates_->setVerticalSpacing(kGapTight);
    gates_->setColumnStretch(kGateWhy, 1);
    compiled_ = makeLabel({}, TextRole::caption, this);
    compiled_->setObjectName(QStringLiteral("pointCompiled"));
    elsewhere_ = makeLabel({}, TextRole::caption, this);
    elsewhere_->setObjectName(QStringLiteral("pointElsewhere"));
    for (QLabel* label : {compiled_, elsewhere_})
        label->setWordWrap(true);
    body()->addLayout(gates_);
    body()->addWidget(compiled_);
    body()->addWidget(elsewhere_);
    body()->addStretch(1);
}

void PointCard::addHeader(const QString& gpu, const QString& otherName)
{
    const std::pair<PointColumn, QString> names[] = {{kGateName, tr("Gate")},
                                                     {kHere, tr("On %1").arg(gpu)},
                                                     {kThere, otherName.isEmpty() ? QString() : tr("On %1").arg(otherName)},
                                                     {kGateWhy, tr("Why")}};
    for (const auto& [column, name] : names)
        gates_->addWidget(makeLabel(name, TextRole::caption, this), 0, column);
}

void PointCard::addGate(int line, const GateVerdict& here, const GateVerdict* there)
{
    const auto addFigures = [&](PointColumn column, const GateVerdict& verdict) {
        auto* mark = new MarkLabel(chooseGateMark(verdict), formatFigures(verdict), this);
        mark->setToolTip(q(verdict.reason));
        gates_->addWidget(mark, line, column, Qt::AlignTop);
    };
    gates_->addWidget(makeLabel(q(titleFor(here.gate)), TextRole::body, this), line, kGateName, Qt::AlignTop);
    addFigures(kHere, here);
    if (there)
        addFigures(kThere, *there);
    // With a second GPU there is only room for the reasons of failed gates; the others are in the tooltips.
    const QString reason = !there || !here.pass ? q(here.reason) : !there->pass ? q(there->reason) : QString();
    auto* why = makeLabel(reason, TextRole::caption, this);
    why->setWordWrap(true);
    gates_->addWidget(why, line, kGateWhy);
}

void PointCard::show(const SpaceRow& row, const QString& gpu, const SpacePoint* other, const QString& otherName)
{
    setTitle(row.changed.empty() ? tr("All tunables at their defaults") : spaceProblem(toText(row.changed)));
    const std::optional<std::size_t> by = row.point.rejectedBy;
    setCaption(by ? tr("Rejected on %1 by %2").arg(gpu, q(titleFor(kSpaceGates[*by])).toLower()) : tr("Survives the gates on %1").arg(gpu));
    setToolTip(spaceProblem(toText(row.point.tunables)));
    clearLayout(gates_);
    addHeader(gpu, other ? otherName : QString());
    for (std::size_t i = 0; i < row.point.verdicts.size(); ++i)
        addGate(static_cast<int>(i) + 1, row.point.verdicts[i], other ? &other->verdicts[i] : nullptr);
    compiled_->setText(row.compiled ? compilerWords(*row.compiled) : QString());
    compiled_->setVisible(row.compiled.has_value());
    elsewhere_->clear();
}

void PointCard::showElsewhere(const QString& text)
{
    elsewhere_->setText(text);
}

} // namespace kl::ui
