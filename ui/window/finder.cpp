// SPDX-License-Identifier: MIT
#include "ui/window/finder.h"

#include "ui/style/theme.h"
#include "ui/widgets/text.h"
#include "ui/window/window_actions.h"

#include <QAction>
#include <QApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace kl::ui {
namespace {

constexpr int kFinderWidth = 620;
constexpr int kFinderHeight = 420;
constexpr int kFinderTop = 48;
constexpr int kKindWidth = 100;

} // namespace

Finder::Finder(AppContext& context, std::vector<FinderEntry> fixed, QWidget* window)
    : QFrame(window), context_(context), fixed_(std::move(fixed)), text_(new QLineEdit(this)), list_(new QTreeWidget(this)),
      nothing_(makeLabel(tr("No matches."), TextRole::caption, this))
{
    setObjectName(QStringLiteral("finder"));
    setFocusProxy(text_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kGapInside, kGapInside, kGapInside, kGapInside);
    text_->setObjectName(QStringLiteral("finderText"));
    text_->setPlaceholderText(tr("Find a page, action, setting, kernel, session, metric, or run"));
    text_->setAccessibleName(text_->placeholderText());
    list_->setObjectName(QStringLiteral("finderList"));
    list_->setAccessibleName(tr("Results"));
    list_->setColumnCount(2);
    list_->setHeaderHidden(true);
    list_->setRootIsDecorated(false);
    list_->setUniformRowHeights(true);
    list_->setFrameShape(QFrame::NoFrame);
    list_->setFocusPolicy(Qt::NoFocus); // it gets the arrow keys from the text field
    list_->setTextElideMode(Qt::ElideMiddle);
    list_->header()->setStretchLastSection(false);
    list_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    list_->header()->resizeSection(1, kKindWidth);
    column->addWidget(text_);
    column->addWidget(nothing_);
    column->addWidget(list_, 1);
    text_->installEventFilter(this);
    window->installEventFilter(this);
    connect(text_, &QLineEdit::textChanged, this, &Finder::show);
    connect(text_, &QLineEdit::returnPressed, this, &Finder::take);
    connect(list_, &QTreeWidget::itemClicked, this, &Finder::take);
    hide();
}

void Finder::open()
{
    if (isVisible())
        return;
    before_ = QApplication::focusWidget();
    for (FinderEntry& entry : fixed_)
        if (entry.action)
            entry.words = withoutMnemonic(entry.action->text()); // that of the tour changes
    entries_ = fixed_;
    text_->clear();
    show({});
    place();
    raise();
    setVisible(true);
    text_->setFocus(Qt::ShortcutFocusReason);
    context_.read(
        reading_, [](Engine& engine, const Job&) { return finderEntries(engine); },
        [this](Result<std::vector<FinderEntry>> found) { fill(std::move(found)); });
}

void Finder::close()
{
    if (!isVisible())
        return;
    hide();
    if (before_)
        before_->setFocus(Qt::OtherFocusReason);
}

void Finder::fill(Result<std::vector<FinderEntry>> found)
{
    if (!found)
        return context_.post(found.error(), tr("Search is incomplete"));
    entries_ = fixed_;
    entries_.insert(entries_.end(), found->begin(), found->end());
    show(text_->text());
}

void Finder::show(const QString& text)
{
    list_->clear();
    for (const std::size_t i : findEntries(entries_, text)) {
        auto* item = new QTreeWidgetItem(list_, {entries_[i].words, entries_[i].kind});
        item->setData(0, Qt::UserRole, static_cast<qulonglong>(i));
        item->setForeground(1, color(Token::muted));
        item->setToolTip(0, entries_[i].words);
        const QAction* action = entries_[i].action;
        if (!action)
            continue;
        item->setText(1, action->shortcut().isEmpty() ? entries_[i].kind : action->shortcut().toString(QKeySequence::NativeText));
        if (!action->isEnabled()) {
            item->setForeground(0, color(Token::muted));
            item->setText(0, entries_[i].words + QStringLiteral(" – ") + action->toolTip());
        }
    }
    nothing_->setVisible(list_->topLevelItemCount() == 0);
    list_->setCurrentItem(list_->topLevelItem(0));
}

void Finder::take()
{
    const QTreeWidgetItem* item = list_->currentItem();
    if (!item)
        return;
    const FinderEntry entry = entries_[item->data(0, Qt::UserRole).toULongLong()];
    close();
    if (entry.action)
        return entry.action->trigger();
    context_.navigate(entry.page, entry.argument);
}

void Finder::place()
{
    const int width = std::min(kFinderWidth, parentWidget()->width() - 2 * kGapPage);
    const int height = std::min(kFinderHeight, parentWidget()->height() - kFinderTop - kGapPage);
    setGeometry((parentWidget()->width() - width) / 2, kFinderTop, width, height);
}

bool Finder::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parentWidget()) {
        if (event->type() == QEvent::Resize && isVisible())
            place();
        return false;
    }
    if (event->type() == QEvent::FocusOut && static_cast<QFocusEvent*>(event)->reason() == Qt::MouseFocusReason)
        close();
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept(); // Escape must not dismiss a message of the window
        return true;
    }
    if (event->type() != QEvent::KeyPress)
        return false;
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Escape: close(); return true;
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown: QApplication::sendEvent(list_, event); return true;
    case Qt::Key_Tab:
    case Qt::Key_Backtab: return true; // there is no other field
    default: return false;
    }
}

} // namespace kl::ui
