// SPDX-License-Identifier: MIT
#include "ui/pages/patterns/flow_view.h"

#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

namespace kl::ui {
namespace {

constexpr double kMargin = 6;
constexpr int kLeastWidth = 640;

Token chooseFrameToken(FlowState state)
{
    switch (state) {
    case FlowState::now: return Token::accent;
    case FlowState::done: return Token::better;
    case FlowState::ahead: return Token::muted;
    case FlowState::skipped: break;
    }
    return Token::border;
}

QString chooseWord(FlowState state)
{
    switch (state) {
    case FlowState::now: return FlowView::tr("next");
    case FlowState::done: return FlowView::tr("done");
    case FlowState::ahead: return FlowView::tr("later");
    case FlowState::skipped: break;
    }
    return FlowView::tr("not on this way");
}

/// Title, and below it what is known there, or that it is next: color is never the only cue.
void paintFlowBox(QPainter& painter, const FlowBox& box, bool focused)
{
    const FlowState state = box.node.state;
    const QRectF rect = box.place.adjusted(1, 1, -1, -1);
    painter.setPen(QPen(color(chooseFrameToken(state)), state == FlowState::now || focused ? 2 : 1));
    painter.setBrush(state == FlowState::now ? color(Token::raised) : QColor(Qt::transparent));
    painter.drawRoundedRect(rect, 4, 4);
    QFont font = makeFont(TextRole::caption);
    font.setWeight(state == FlowState::now ? QFont::DemiBold : QFont::Normal);
    painter.setFont(font);
    painter.setPen(color(state == FlowState::skipped ? Token::muted : Token::text));
    const QString fact = !box.node.fact.empty()     ? q(box.node.fact)
                         : state == FlowState::now  ? FlowView::tr("next")
                         : state == FlowState::done ? QStringLiteral("✓")
                                                    : QString();
    const QRectF inner = rect.adjusted(kMargin, 2, -kMargin, -2);
    if (fact.isEmpty())
        return painter.drawText(inner, Qt::AlignCenter | Qt::TextWordWrap, q(box.node.title));
    const double lower = QFontMetricsF(font).height();
    painter.drawText(inner.adjusted(0, 0, 0, -lower), Qt::AlignCenter | Qt::TextWordWrap, q(box.node.title));
    painter.setPen(color(chooseFrameToken(state)));
    painter.drawText(QRectF(inner.left(), inner.bottom() - lower - 2, inner.width(), lower), Qt::AlignCenter,
                     painter.fontMetrics().elidedText(fact, Qt::ElideRight, static_cast<int>(inner.width())));
}

void paintFlowLine(QPainter& painter, const FlowLine& line)
{
    painter.setPen(QPen(color(line.taken ? Token::better : Token::border), line.taken ? 2 : 1));
    const double middle = (line.from.x() + line.to.x()) / 2;
    const QPointF bends[] = {line.from, {middle, line.from.y()}, {middle, line.to.y()}, line.to};
    painter.drawPolyline(bends, 4);
    painter.drawLine(line.to, line.to + QPointF(-4, -3));
    painter.drawLine(line.to, line.to + QPointF(-4, 3));
}

} // namespace

FlowView::FlowView(QWidget* parent) : QWidget(parent), flow_(patternFlow({}))
{
    setObjectName(QStringLiteral("patternFlow"));
    setFocusPolicy(Qt::StrongFocus);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
    setFlow(patternFlow({}));
}

void FlowView::setFlow(PatternFlow flow)
{
    flow_ = std::move(flow);
    const FlowNode* next = flow_.next();
    focus_ = next ? static_cast<std::size_t>(next - flow_.nodes.data()) : 0;
    setAccessibleName(next ? tr("When to apply which pattern. Next: %1").arg(q(next->title)) : tr("When to apply which pattern"));
    updateGeometry();
    update();
}

FlowPlan FlowView::layOut() const
{
    return layoutFlow(flow_, std::max(width(), kLeastWidth));
}

int FlowView::heightForWidth(int width) const
{
    return static_cast<int>(layoutFlow(flow_, std::max(width, kLeastWidth)).height);
}

QSize FlowView::sizeHint() const
{
    return {kLeastWidth, heightForWidth(kLeastWidth)};
}

QSize FlowView::minimumSizeHint() const
{
    return sizeHint();
}

void FlowView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const FlowPlan plan = layOut();
    for (const FlowLine& line : plan.lines)
        paintFlowLine(painter, line);
    for (std::size_t i = 0; i < plan.boxes.size(); ++i)
        paintFlowBox(painter, plan.boxes[i], hasFocus() && i == focus_);
}

bool FlowView::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        for (const FlowBox& box : layOut().boxes)
            if (box.place.contains(help->pos())) {
                QString words = q(box.node.title) + QStringLiteral(": ") + chooseWord(box.node.state);
                if (!box.node.fact.empty())
                    words += QStringLiteral(", ") + q(box.node.fact);
                for (const FlowEdge& edge : flow_.edges)
                    if (edge.to == box.node.id && !edge.label.empty())
                        words += u'\n' + tr("When: %1").arg(q(edge.label));
                QToolTip::showText(help->globalPos(), words, this);
                return true;
            }
        QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

void FlowView::choose(const FlowNode& node)
{
    if (!node.pattern.empty())
        emit patternChosen(q(node.pattern));
}

void FlowView::mouseReleaseEvent(QMouseEvent* event)
{
    const FlowPlan plan = layOut();
    for (std::size_t i = 0; i < plan.boxes.size(); ++i)
        if (plan.boxes[i].place.contains(event->position())) {
            focus_ = i;
            update();
            choose(plan.boxes[i].node);
        }
}

void FlowView::step(int boxes)
{
    const auto count = static_cast<int>(flow_.nodes.size());
    focus_ = static_cast<std::size_t>((static_cast<int>(focus_) + boxes + count) % count);
    update();
}

void FlowView::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Down: return step(1);
    case Qt::Key_Left:
    case Qt::Key_Up: return step(-1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space: return choose(flow_.nodes[focus_]);
    default: QWidget::keyPressEvent(event);
    }
}

} // namespace kl::ui
