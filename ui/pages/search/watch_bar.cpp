// SPDX-License-Identifier: MIT
#include "ui/pages/search/watch_bar.h"

#include "core/base/format.h"
#include "core/base/try.h"
#include "core/search/strategy.h"
#include "sessions/search/recorded_file.h"
#include "sessions/search/recorded_search.h"
#include "sessions/search/search_insight.h"
#include "sessions/store/search_records.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QTimer>

#include <algorithm>

namespace kl::ui {
namespace {

constexpr int kTickMs = 50;
constexpr int kTicks = 160; ///< of a whole replay
constexpr std::size_t kReplayedPoints = 300;

QString nameSearch(const SearchRecord& record)
{
    return QObject::tr("%1 · %2 · %3 · %4")
        .arg(q(record.kernel), q(record.device), q(record.problem), q(record.startedAt.substr(0, 16)).replace(u'T', u' '));
}

} // namespace

WatchBar::WatchBar(AppContext& context, QWidget* parent)
    : QWidget(parent), context_(context), searches_(new QComboBox(this)), open_(new QPushButton(tr("Open recorded space…"), this)),
      again_(new QPushButton(tr("Search again"), this)), play_(new QPushButton(tr("Replay"), this)),
      slider_(new QSlider(Qt::Horizontal, this)), words_(makeLabel({}, TextRole::caption, this)), timer_(new QTimer(this))
{
    searches_->setObjectName(QStringLiteral("watched"));
    searches_->setAccessibleName(tr("Search that is shown"));
    searches_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    searches_->setMinimumContentsLength(24);
    open_->setObjectName(QStringLiteral("openSpace"));
    again_->setObjectName(QStringLiteral("searchAgain"));
    again_->setToolTip(tr("Searches these recorded times with the portfolio, up to %1 points. No GPU is needed.").arg(kReplayedPoints));
    again_->setAccessibleDescription(again_->toolTip());
    play_->setObjectName(QStringLiteral("replay"));
    slider_->setObjectName(QStringLiteral("watchPosition"));
    slider_->setAccessibleName(tr("Number of points that are shown"));
    words_->setObjectName(QStringLiteral("watchWords"));
    words_->setWordWrap(true);
    auto* row = new QHBoxLayout;
    row->setSpacing(kGapInside);
    row->addWidget(open_);
    row->addWidget(again_);
    row->addWidget(play_);
    row->addWidget(slider_, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, kGapInside, 0, 0);
    column->setSpacing(kGapInside);
    column->addWidget(searches_); // a line of its own: its names are long
    column->addLayout(row);
    column->addWidget(words_);
    timer_->setInterval(kTickMs);
    connect(searches_, &QComboBox::activated, this, &WatchBar::choose);
    connect(open_, &QPushButton::clicked, this, [this] {
        const QString file =
            QFileDialog::getOpenFileName(this, tr("Open a recorded space"), {}, tr("Recorded spaces (*.json *.json.gz *.csv *.csv.gz)"));
        if (!file.isEmpty())
            openFile(file);
    });
    connect(again_, &QPushButton::clicked, this, &WatchBar::searchAgain);
    connect(play_, &QPushButton::clicked, this, &WatchBar::play);
    connect(timer_, &QTimer::timeout, this, &WatchBar::tick);
    connect(slider_, &QSlider::valueChanged, this, [this] {
        describe();
        emit changed();
    });
    show({}, false);
}

std::size_t WatchBar::shown() const
{
    return static_cast<std::size_t>(slider_->value());
}

void WatchBar::refresh()
{
    context_.read(
        listing_, [](Engine& engine, const Job&) -> Result<std::vector<SearchRecord>> { return searchRecords(engine.bench.store(), {}); },
        [this](Result<std::vector<SearchRecord>> records) {
            if (!records)
                return context_.post(records.error(), tr("Could not read the searches"));
            const QString chosen = searches_->currentText();
            std::erase_if(entries_, [](const Entry& entry) { return !entry.id.empty(); });
            for (SearchRecord& record : *records) {
                Entry entry{nameSearch(record), record.id, {}};
                entry.record = std::move(record);
                entries_.push_back(std::move(entry));
            }
            fill(chosen);
            const bool gone = searches_->findText(chosen) < 0; // also where none was chosen yet
            if (entries_.empty())
                show({}, false);
            else if (gone || record_.trials.empty())
                choose(searches_->currentIndex());
        });
}

void WatchBar::fill(const QString& chosen)
{
    const QSignalBlocker quiet(searches_);
    searches_->clear();
    for (const Entry& entry : entries_)
        searches_->addItem(entry.name);
    searches_->setEnabled(!entries_.empty());
    searches_->setCurrentIndex(std::max(0, searches_->findText(chosen)));
    if (entries_.empty())
        searches_->setPlaceholderText(tr("No search in this database yet"));
}

void WatchBar::choose(int row)
{
    if (row < 0 || row >= static_cast<int>(entries_.size()))
        return;
    const QSignalBlocker quiet(searches_);
    searches_->setCurrentIndex(row);
    const Entry& entry = entries_[static_cast<std::size_t>(row)];
    show(*entry.record, entry.record->state == SearchStage::measuring && entry.id.empty());
}

void WatchBar::follow(SearchRecord running)
{
    const QString name = tr("This search");
    const bool first = entries_.empty() || entries_.front().name != name;
    if (first)
        entries_.insert(entries_.begin(), Entry{name, {}, {}});
    entries_.front().record = std::move(running);
    if (first)
        fill(name);
    if (first || searches_->currentText() == name)
        show(*entries_.front().record, true);
}

void WatchBar::openFile(const QString& file)
{
    context_.read(
        reading_,
        [path = utf8(file)](Engine&, const Job&) -> Result<SearchRecord> {
            KL_ASSIGN(const RecordedSpace space, readRecordedSpace(path));
            return replayRecord(space, kDefaultStrategy, 1, kReplayedPoints);
        },
        [this, file](Result<SearchRecord> record) {
            if (!record)
                return context_.post(record.error(), tr("Could not open %1").arg(file));
            playRecorded(tr("%1, replayed").arg(QFileInfo(file).fileName()), std::move(*record));
        });
}

void WatchBar::searchAgain()
{
    context_.read(
        reading_,
        [record = record_](Engine& engine, const Job&) -> Result<SearchRecord> {
            KL_ASSIGN(const RecordedSpace space, makeRecordedSpace(record, *engine.catalog));
            return replayRecord(space, kDefaultStrategy, 1, kReplayedPoints);
        },
        [this, name = tr("%1, searched again").arg(searches_->currentText())](Result<SearchRecord> record) {
            if (!record)
                return context_.post(record.error(), tr("Could not search again"));
            playRecorded(name, std::move(*record));
        });
}

void WatchBar::playRecorded(const QString& name, SearchRecord replayed)
{
    std::erase_if(entries_, [&](const Entry& entry) { return entry.name == name; });
    entries_.insert(entries_.begin(), Entry{name, {}, std::move(replayed)});
    fill(name);
    choose(0);
    play();
}

void WatchBar::show(SearchRecord record, bool live)
{
    timer_->stop();
    record_ = std::move(record);
    live_ = live;
    const bool any = !record_.trials.empty();
    {
        const QSignalBlocker quiet(slider_);
        slider_->setRange(0, static_cast<int>(record_.trials.size()));
        slider_->setValue(slider_->maximum());
    }
    slider_->setEnabled(any && !live);
    again_->setEnabled(any && !live);
    play_->setEnabled(any && !live);
    play_->setText(tr("Replay"));
    describe();
    emit changed();
}

void WatchBar::play()
{
    if (timer_->isActive()) {
        timer_->stop();
        return play_->setText(tr("Replay"));
    }
    if (slider_->value() == slider_->maximum())
        slider_->setValue(0);
    play_->setText(tr("Pause"));
    timer_->start();
}

void WatchBar::tick()
{
    slider_->setValue(slider_->value() + std::max(1, slider_->maximum() / kTicks));
    if (slider_->value() < slider_->maximum())
        return;
    timer_->stop();
    play_->setText(tr("Replay"));
}

void WatchBar::describe()
{
    if (record_.trials.empty())
        return words_->setText(
            tr("A search that runs here is shown while it measures; those of history and recorded spaces can be replayed."));
    const std::size_t count = std::min(shown(), record_.trials.size());
    const std::vector<std::optional<double>> best = bestSoFar(record_);
    QString text =
        tr("%1 of %2 points").arg(q(formatCount(static_cast<double>(count))), q(formatCount(static_cast<double>(record_.trials.size()))));
    if (count > 0 && best[count - 1])
        text += tr(", best %1 after %2").arg(q(formatTime(*best[count - 1])), q(formatElapsed(record_.trials[count - 1].at)));
    if (!record_.strategy.empty())
        text += tr(" · %1").arg(q(record_.strategy));
    if (record_.best && record_.best->confirmed && record_.best->confirmed->verdict != TargetVerdict::noRival)
        text += tr(" · confirmed: %1 of %2").arg(q(formatRatio(record_.best->confirmed->student.value)), q(record_.best->confirmed->rival));
    if (record_.left > 0)
        text += tr(" · %1 not measured").arg(record_.left);
    words_->setText(text);
}

} // namespace kl::ui
