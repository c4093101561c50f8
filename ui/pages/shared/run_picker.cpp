// SPDX-License-Identifier: MIT
#include "ui/pages/shared/run_picker.h"

#include "ui/pages/shared/kernel_rows.h"
#include "ui/pages/shared/kernel_table.h"
#include "ui/pages/shared/run_actions.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <QFrame>
#include <QLineEdit>
#include <QScreen>
#include <QStyleOptionButton>
#include <QStylePainter>
#include <QVBoxLayout>

#include <algorithm>

namespace kl::ui {
namespace {

constexpr int kPopupWidth = 980;
constexpr int kPopupHeight = 460;
constexpr int kMostRuns = 1000;   ///< shown at once; the filter searches all
constexpr int kTypingPause = 120; ///< ms
constexpr int kHintLetters = 48;  ///< leaves the page its title beside five buttons at 1280
constexpr int kWideWindow = 1500; ///< pixels; there the whole text has room
constexpr int kWideLetters = 80;
constexpr int kLeastLetters = 18;
constexpr int kArrowRoom = 48; ///< margins, frame and arrow
constexpr int kRounding = 2;   ///< an advance in whole pixels may be less than what eliding measures

} // namespace

RunPicker::RunPicker(AppContext& context, bool profilesOnly, QWidget* parent)
    : QPushButton(parent), context_(context), profilesOnly_(profilesOnly), popup_(new QFrame(this, Qt::Popup)),
      table_(new KernelTable(QStringLiteral("run-picker"), popup_))
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    popup_->setObjectName(QStringLiteral("finder"));
    auto* column = new QVBoxLayout(popup_);
    column->setContentsMargins(kGapInside, kGapInside, kGapInside, kGapInside);
    column->addWidget(table_);
    table_->setPicking();
    typing_.setSingleShot(true);
    typing_.setInterval(kTypingPause);
    connect(&typing_, &QTimer::timeout, this, &RunPicker::read);
    connect(table_, &KernelTable::filterEdited, this, [this] {
        if (more_)
            typing_.start();
    });
    table_->setMenuFiller(
        [this](QMenu& menu, const std::vector<RunId>& runs) { addRunActions(menu, context_, runs, popup_, [this] { read(); }); });
    popup_->setFocusProxy(table_->filterField());
    connect(this, &QPushButton::clicked, this, &RunPicker::open);
    connect(table_, &KernelTable::opened, this, &RunPicker::take);
}

void RunPicker::setRun(const RunId& id, const QString& text)
{
    current_ = id;
    setText(text);
    setToolTip(text);
    table_->setCurrent(id);
}

void RunPicker::open()
{
    place();
    more_ = false;
    table_->filterField()->clear();
    popup_->show();
    table_->filterField()->setFocus(Qt::PopupFocusReason);
    read();
}

void RunPicker::read()
{
    typing_.stop();
    RunQuery query;
    if (more_) // the table has only the newest: the database looks through all
        for (const QString& word : table_->filterField()->text().simplified().split(u' ', Qt::SkipEmptyParts))
            query.words.push_back(utf8(word.startsWith(u'#') ? word.mid(1) : word));
    query.profilesOnly = profilesOnly_;
    query.limit = kMostRuns;
    const auto show = [this](Result<std::vector<KernelRow>> rows) {
        if (!rows)
            return context_.post(rows.error(), tr("The runs cannot be listed"));
        more_ = more_ || static_cast<int>(rows->size()) >= kMostRuns;
        table_->setRows(std::move(*rows));
        if (!current_.empty())
            table_->setCurrent(current_);
    };
    const auto opened = context_.openedRuns();
    context_.read(
        glancing_, [query, opened](Engine& engine, const Job&) { return KernelRows::instance().glance(*engine.store, *opened, query); },
        show);
    context_.read(
        reading_, [query, opened](Engine& engine, const Job&) { return KernelRows::instance().read(*engine.store, *opened, query); }, show);
}

void RunPicker::place()
{
    const QRect screen = this->screen()->availableGeometry();
    const QSize size(std::min(kPopupWidth, screen.width() - 2 * kGapPage), std::min(kPopupHeight, screen.height() - 2 * kGapPage));
    const QPoint below = mapToGlobal(QPoint(0, height() + kGapTight));
    popup_->setGeometry(
        std::clamp(below.x(), screen.left() + kGapInside, std::max(screen.left() + kGapInside, screen.right() - size.width())),
        std::clamp(below.y(), screen.top(), std::max(screen.top(), screen.bottom() - size.height())), size.width(), size.height());
}

void RunPicker::take(const QString& id)
{
    popup_->hide();
    emit picked(id);
}

QSize RunPicker::sizeHint() const
{
    const int needed = std::min(fontMetrics().horizontalAdvance(text()),
                                fontMetrics().averageCharWidth() * (window()->width() < kWideWindow ? kHintLetters : kWideLetters));
    return {std::max(needed + kRounding, fontMetrics().averageCharWidth() * kLeastLetters) + kArrowRoom, QPushButton::sizeHint().height()};
}

QSize RunPicker::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * kLeastLetters + kArrowRoom, QPushButton::minimumSizeHint().height()};
}

void RunPicker::paintEvent(QPaintEvent*)
{
    QStylePainter painter(this);
    QStyleOptionButton option;
    initStyleOption(&option);
    option.text = fontMetrics().elidedText(text(), Qt::ElideMiddle, width() - kArrowRoom) + QStringLiteral("  ▾");
    painter.drawControl(QStyle::CE_PushButton, option);
}

} // namespace kl::ui
