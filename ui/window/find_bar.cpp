// SPDX-License-Identifier: MIT
#include "ui/window/find_bar.h"

#include "ui/style/theme.h"

#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QTextDocumentFragment>
#include <QToolButton>

#include <algorithm>

namespace kl::ui {
namespace {

constexpr int kFieldWidth = 260;
constexpr int kMostCells = 20000; ///< of one table

QString plainText(const QLabel& label)
{
    const bool rich = label.textFormat() == Qt::RichText || (label.textFormat() == Qt::AutoText && Qt::mightBeRichText(label.text()));
    QString text = rich ? QTextDocumentFragment::fromHtml(label.text()).toPlainText() : label.text();
    return text.remove(QChar(0x200b)); // of breakable names
}

QToolButton* makeArrow(Qt::ArrowType arrow, const QString& name, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setArrowType(arrow);
    button->setToolTip(name);
    button->setAccessibleName(name);
    return button;
}

} // namespace

FindBar::FindBar(QWidget* parent) : QFrame(parent), text_(new QLineEdit(this)), count_(makeLabel({}, TextRole::caption, this))
{
    setObjectName(QStringLiteral("finder"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(kGapInside, kGapInside, kGapInside, kGapInside);
    text_->setObjectName(QStringLiteral("findInPage"));
    text_->setPlaceholderText(tr("Find in page"));
    text_->setAccessibleName(text_->placeholderText());
    text_->setFixedWidth(kFieldWidth);
    text_->installEventFilter(this);
    parent->installEventFilter(this);
    connect(text_, &QLineEdit::textChanged, this, &FindBar::search);
    QToolButton* before = makeArrow(Qt::UpArrow, tr("Previous match"), this);
    QToolButton* after = makeArrow(Qt::DownArrow, tr("Next match"), this);
    connect(before, &QToolButton::clicked, this, [this] { step(-1); });
    connect(after, &QToolButton::clicked, this, [this] { step(1); });
    auto* done = new QToolButton(this);
    done->setIcon(icon(QStringLiteral("close")));
    done->setAccessibleName(tr("Close"));
    connect(done, &QToolButton::clicked, this, &FindBar::close);
    row->addWidget(text_);
    row->addWidget(count_, 1);
    for (QToolButton* button : {before, after, done})
        row->addWidget(button);
    count_->setMinimumWidth(count_->fontMetrics().horizontalAdvance(tr("%1 of %2").arg(999).arg(999)));
    hide();
}

void FindBar::open(QWidget* page)
{
    if (!isVisible())
        before_ = QApplication::focusWidget();
    page_ = page;
    setVisible(true);
    raise();
    place();
    text_->setFocus(Qt::ShortcutFocusReason);
    text_->selectAll();
    search();
}

void FindBar::close()
{
    if (!isVisible())
        return;
    hide();
    delete mark_;
    hits_.clear();
    at_ = -1;
    if (before_)
        before_->setFocus(Qt::OtherFocusReason);
}

void FindBar::search()
{
    hits_.clear();
    at_ = -1;
    delete mark_;
    if (page_ && !text_->text().isEmpty())
        collect(*page_);
    if (hits_.empty())
        return count_->setText(text_->text().isEmpty() ? QString() : tr("No matches."));
    step(1);
}

void FindBar::collect(QWidget& widget)
{
    const QString text = text_->text();
    if (const auto* label = qobject_cast<const QLabel*>(&widget); label && plainText(*label).contains(text, Qt::CaseInsensitive))
        hits_.push_back({&widget, {}, -1});
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget); button && button->text().contains(text, Qt::CaseInsensitive))
        hits_.push_back({&widget, {}, -1});
    if (const auto* view = qobject_cast<const QAbstractItemView*>(&widget); view && view->model() && view->model()->rowCount() > 0) {
        const QModelIndex first = view->model()->index(0, 0);
        const int columns = view->model()->columnCount();
        for (int column = 0; column < columns; ++column)
            for (const QModelIndex& cell : view->model()->match(first.siblingAtColumn(column), Qt::DisplayRole, text, kMostCells,
                                                                Qt::MatchContains | Qt::MatchWrap | Qt::MatchRecursive))
                hits_.push_back({&widget, cell, -1});
        return;
    }
    if (const auto* edit = qobject_cast<const QPlainTextEdit*>(&widget)) {
        const QString all = edit->toPlainText();
        for (qsizetype at = all.indexOf(text, 0, Qt::CaseInsensitive); at >= 0; at = all.indexOf(text, at + 1, Qt::CaseInsensitive))
            hits_.push_back({&widget, {}, static_cast<int>(at)});
        return;
    }
    std::vector<QWidget*> children;
    for (QObject* child : widget.children())
        if (auto* part = qobject_cast<QWidget*>(child); part && part->isVisible() && !part->isWindow())
            children.push_back(part);
    std::ranges::stable_sort(children, {}, [](const QWidget* part) { return std::pair(part->y(), part->x()); });
    for (QWidget* part : children)
        collect(*part);
}

void FindBar::step(int by)
{
    std::erase_if(hits_, [](const Hit& hit) { return !hit.widget; });
    if (hits_.empty())
        return;
    const int count = hits();
    at_ = at_ < 0 ? 0 : (at_ + by + count) % count;
    count_->setText(tr("%1 of %2").arg(at_ + 1).arg(count));
    show(hits_[static_cast<std::size_t>(at_)]);
}

void FindBar::show(const Hit& hit)
{
    for (QWidget* above = hit.widget->parentWidget(); above; above = above->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(above))
            area->ensureWidgetVisible(hit.widget, kGapPage, kGapPage * 2);
    if (auto* view = qobject_cast<QAbstractItemView*>(hit.widget.data())) {
        view->scrollTo(hit.cell);
        mark(view->viewport(), view->visualRect(hit.cell));
    } else if (auto* edit = qobject_cast<QPlainTextEdit*>(hit.widget.data())) {
        QTextCursor cursor = edit->textCursor();
        cursor.setPosition(hit.position);
        cursor.setPosition(hit.position + static_cast<int>(text_->text().size()), QTextCursor::KeepAnchor);
        edit->setTextCursor(cursor);
        edit->centerCursor();
        mark(edit->viewport(), edit->cursorRect(cursor).adjusted(-kGapPage, 0, kGapPage, 0));
    } else {
        mark(hit.widget, hit.widget->rect());
    }
}

void FindBar::mark(QWidget* widget, const QRect& area)
{
    delete mark_;
    mark_ = new QFrame(widget); // a child moves with what it marks
    mark_->setObjectName(QStringLiteral("foundMark"));
    mark_->setAttribute(Qt::WA_TransparentForMouseEvents);
    mark_->setGeometry(area);
    mark_->show();
}

void FindBar::place()
{
    adjustSize();
    move(parentWidget()->width() - width() - kGapPage, kGapInside);
}

bool FindBar::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parentWidget()) {
        if (event->type() == QEvent::Resize && isVisible())
            place();
        return false;
    }
    const bool key = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (!key)
        return false;
    const auto* pressed = static_cast<QKeyEvent*>(event);
    const bool enter = pressed->key() == Qt::Key_Return || pressed->key() == Qt::Key_Enter;
    if (pressed->key() != Qt::Key_Escape && !enter)
        return false;
    if (event->type() == QEvent::ShortcutOverride) {
        event->accept(); // Escape must not dismiss a message of the window
        return true;
    }
    if (enter)
        step(pressed->modifiers() & Qt::ShiftModifier ? -1 : 1);
    else
        close();
    return true;
}

} // namespace kl::ui
