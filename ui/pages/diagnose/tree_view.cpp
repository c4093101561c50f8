// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose/tree_view.h"

#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

namespace kl::ui {
namespace {

QFont questionFont(bool strong)
{
    QFont font = makeFont(TextRole::caption);
    font.setWeight(strong ? QFont::DemiBold : QFont::Normal);
    return font;
}

bool fitsLine(const std::string& title, double width)
{
    return QFontMetricsF(questionFont(false)).horizontalAdvance(q(title)) <= width;
}

QRectF makeRect(const TreeBox& box)
{
    return {box.x + 1, box.y + 1, box.width - 2, box.height - 2};
}

QColor chooseFrame(TreeState state)
{
    switch (state) {
    case TreeState::taken: return color(Token::accent);
    case TreeState::passed: return color(Token::muted);
    case TreeState::unknown: return color(Token::stale);
    case TreeState::notReached: break;
    }
    return color(Token::border);
}

void paintConnector(QPainter& painter, const TreeBox& from, const TreeBox& to)
{
    if (to.y != from.y || to.state == TreeState::notReached)
        return; // the next row starts on the left again
    painter.setPen(QPen(chooseFrame(to.state == TreeState::taken ? TreeState::taken : TreeState::passed), 1));
    const double y = from.y + from.height / 2;
    painter.drawLine(QPointF(from.x + from.width, y), QPointF(to.x, y));
    painter.drawLine(QPointF(to.x - 4, y - 3), QPointF(to.x, y));
    painter.drawLine(QPointF(to.x - 4, y + 3), QPointF(to.x, y));
}

/// A question that was not reached: the class that it leads to, small and muted.
void paintChip(QPainter& painter, const TreeBox& box)
{
    const QRectF rect = makeRect(box);
    painter.setPen(color(Token::border));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(rect, 4, 4);
    const QFont font = makeFont(TextRole::caption);
    painter.setFont(font);
    painter.setPen(color(Token::muted));
    const QString words =
        QFontMetricsF(font).elidedText(q(box.classId.empty() ? box.title : box.classId), Qt::ElideRight, rect.width() - 10);
    painter.drawText(rect, Qt::AlignCenter, words);
}

void paintBox(QPainter& painter, const TreeBox& box)
{
    if (box.state == TreeState::notReached) {
        paintChip(painter, box);
        return;
    }
    const QRectF rect = makeRect(box);
    const bool taken = box.state == TreeState::taken;
    painter.setPen(QPen(chooseFrame(box.state), taken ? 2 : 1, box.state == TreeState::unknown ? Qt::DashLine : Qt::SolidLine));
    painter.setBrush(taken ? color(Token::raised) : color(Token::surface));
    painter.drawRoundedRect(rect, 4, 4);
    const QRectF inner = rect.adjusted(6, 4, -6, -4);
    // Showing the whole question matters more than bold text.
    const bool strong = taken && QFontMetricsF(questionFont(true)).horizontalAdvance(q(box.title)) <= inner.width();
    painter.setFont(questionFont(strong));
    painter.setPen(color(taken ? Token::accent : Token::text));
    painter.drawText(inner, Qt::AlignLeft | Qt::TextWordWrap | (box.words.empty() ? Qt::AlignVCenter : Qt::AlignTop), q(box.title));
    painter.setFont(makeFont(TextRole::caption));
    painter.setPen(color(taken ? Token::text : Token::muted));
    const QFontMetricsF metrics(makeFont(TextRole::caption));
    const QString words = u' ' + q(box.words); // never elided; the name gets the remaining room
    painter.drawText(inner, Qt::AlignLeft | Qt::AlignBottom,
                     metrics.elidedText(q(box.quantity), Qt::ElideRight, inner.width() - metrics.horizontalAdvance(words)) + words);
}

/// Breaks a text into lines that a tooltip has room for.
QString foldLines(const QString& text)
{
    constexpr qsizetype kMostColumns = 80;
    QString folded;
    qsizetype column = 0;
    for (const QString& word : text.split(u' ')) {
        if (column > 0)
            folded += column + word.size() > kMostColumns ? u'\n' : u' ';
        column = folded.endsWith(u'\n') ? word.size() : column + word.size() + 1;
        folded += word;
    }
    return folded;
}

/// As markup, for the card below the tree.
QString explainQuestion(const TreeBox& box)
{
    QStringList lines;
    for (const std::string& one : box.comparisons)
        lines << q(one).toHtmlEscaped();
    return QStringLiteral("<b>%1</b><br>%2<br>%3")
        .arg(q(box.title).toHtmlEscaped(), q(box.help).toHtmlEscaped(), lines.join(QStringLiteral("<br>")));
}

/// The same for a tooltip, which shows plain text.
QString questionTip(const TreeBox& box)
{
    QStringList lines{foldLines(q(box.title)), foldLines(q(box.help))};
    for (const std::string& one : box.comparisons)
        lines << foldLines(q(one));
    return lines.join(u'\n');
}

} // namespace

TreeView::TreeView(QWidget* parent) : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setFocusPolicy(Qt::StrongFocus);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void TreeView::setTree(const std::vector<DiagnosisTree::Node>& nodes, const Finding& finding)
{
    nodes_ = nodes;
    path_ = finding.path;
    classId_ = finding.classId;
    chosen_ = 0;
    QStringList sentence;
    for (const TreeBox& box : layoutTree(nodes_, path_, 600, {}, classId_).boxes)
        if (box.state == TreeState::taken)
            sentence << (box.words.empty() ? tr("%1: yes").arg(q(box.title)) : tr("%1: yes, %2").arg(q(box.title), q(box.words)));
    setAccessibleName(sentence.isEmpty() ? tr("Decision tree, no branch taken")
                                         : tr("Decision tree. %1").arg(sentence.join(QStringLiteral(". "))));
    updateGeometry();
    update();
}

int TreeView::heightForWidth(int width) const
{
    return static_cast<int>(layoutTree(nodes_, path_, width, fitsLine, classId_).height) + 2;
}

QSize TreeView::sizeHint() const
{
    return {560, heightForWidth(560)};
}

void TreeView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const TreeLayout layout = layOut();
    const TreeBox* before = nullptr;
    for (const TreeBox& box : layout.boxes) {
        if (before != nullptr && box.state != TreeState::notReached)
            paintConnector(painter, *before, box);
        if (box.state != TreeState::notReached)
            before = &box;
    }
    for (const TreeBox& box : layout.boxes)
        paintBox(painter, box);
    if (const auto at = static_cast<std::size_t>(chosen_); hasFocus() && at < layout.boxes.size()) {
        painter.setPen(QPen(color(Token::accent), 1, Qt::DotLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(makeRect(layout.boxes[at]).adjusted(2, 2, -2, -2), 3, 3);
    }
}

TreeLayout TreeView::layOut() const
{
    return layoutTree(nodes_, path_, width(), fitsLine, classId_);
}

void TreeView::choose(const TreeLayout& layout, int index)
{
    if (index < 0 || static_cast<std::size_t>(index) >= layout.boxes.size())
        return;
    chosen_ = index;
    update();
    emit explained(explainQuestion(layout.boxes[static_cast<std::size_t>(index)]));
}

void TreeView::mouseReleaseEvent(QMouseEvent* event)
{
    const TreeLayout layout = layOut();
    for (std::size_t i = 0; i < layout.boxes.size(); ++i)
        if (makeRect(layout.boxes[i]).contains(event->position()))
            choose(layout, static_cast<int>(i));
}

void TreeView::keyPressEvent(QKeyEvent* event)
{
    const int key = event->key();
    if (key == Qt::Key_Right || key == Qt::Key_Down)
        choose(layOut(), chosen_ + 1);
    else if (key == Qt::Key_Left || key == Qt::Key_Up)
        choose(layOut(), chosen_ - 1);
    else if (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space)
        choose(layOut(), chosen_);
    else
        QWidget::keyPressEvent(event);
}

bool TreeView::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        for (const TreeBox& box : layOut().boxes)
            if (makeRect(box).contains(help->pos())) {
                QToolTip::showText(help->globalPos(), questionTip(box), this);
                return true;
            }
        QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

} // namespace kl::ui
