// SPDX-License-Identifier: MIT
#include "ui/pages/shared/source_view.h"

#include "core/diagnosis/run_facts.h"
#include "sessions/measure/code_listing.h"
#include "ui/pages/shared/code_table.h"
#include "ui/pages/shared/hot_line_rows.h"
#include "ui/style/theme.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/heat_map.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"
#include "ui/widgets/wheel_guard.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace kl::ui {
namespace {

constexpr int kBeside = 900; ///< pixels; in a narrower view the instructions are below the source
constexpr int kFindWidth = 220;
constexpr int kLongestSource = 200'000; ///< lines; what is listed without its text ends there, whatever a file claims

} // namespace

SourceView::SourceView(QWidget* parent) : QWidget(parent)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGapInside);
    column->addWidget(makeTools());
    splitter_ = new QSplitter(Qt::Horizontal, this);
    splitter_->setChildrenCollapsible(false);
    splitter_->setHandleWidth(kGapInside);
    source_ = new CodeView(splitter_);
    source_->setMinimumSize(200, 120);
    splitter_->addWidget(source_);
    splitter_->addWidget(makeInstructions());
    splitter_->setStretchFactor(0, 2);
    splitter_->setStretchFactor(1, 3); // an instruction has more columns than a line
    splitter_->setSizes({400, 600});
    column->addWidget(splitter_, 1);
    legend_ = makeLabel({}, TextRole::caption, this);
    legend_->setObjectName(QStringLiteral("stallLegend"));
    legend_->setWordWrap(true);
    legend_->setTextFormat(Qt::RichText);
    column->addWidget(legend_);
    note_ = makeLabel({}, TextRole::caption, this);
    note_->setObjectName(QStringLiteral("sourceNote"));
    note_->setWordWrap(true);
    column->addWidget(note_);
    connect(source_, &CodeView::lineChosen, this, &SourceView::chooseLine);
    connect(&Theme::instance(), &Theme::changed, this, &SourceView::showLegend);
}

QWidget* SourceView::makeTools()
{
    auto* tools = new QWidget(this);
    auto* row = new QHBoxLayout(tools);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGapTight); // the narrowest window has just the room
    files_ = new QComboBox(tools);
    files_->setObjectName(QStringLiteral("sourceFiles"));
    files_->setAccessibleName(tr("Source file"));
    connect(files_, &QComboBox::currentTextChanged, this, &SourceView::showFile);
    find_ = new QLineEdit(tools);
    find_->setObjectName(QStringLiteral("codeFind"));
    find_->setPlaceholderText(tr("Find an instruction"));
    find_->setAccessibleName(tr("Find an instruction"));
    find_->setToolTip(find_->placeholderText());
    find_->setClearButtonEnabled(true);
    find_->setMaximumWidth(kFindWidth);
    connect(find_, &QLineEdit::returnPressed, this, &SourceView::findNext);
    found_ = makeLabel({}, TextRole::caption, tools);
    previous_ = makeButton(tr("Previous hot spot"), false, tools);
    previous_->setToolTip(tr("P in the list of instructions"));
    connect(previous_, &QPushButton::clicked, this, [this] { table_->showHotSpot(false); });
    next_ = makeButton(tr("Next hot spot"), false, tools);
    next_->setObjectName(QStringLiteral("nextHotSpot"));
    next_->setToolTip(tr("N in the list of instructions"));
    connect(next_, &QPushButton::clicked, this, [this] { table_->showHotSpot(true); });
    collapse_ = new QCheckBox(tr("By source line"), tools);
    collapse_->setObjectName(QStringLiteral("collapseLines"));
    connect(collapse_, &QCheckBox::toggled, this, [this](bool on) {
        model_.setCollapsed(on);
        updateMap();
    });
    maximize_ = makeLinkButton(tr("Open full size"), tools);
    maximize_->setObjectName(QStringLiteral("maximizeSource"));
    maximize_->hide();
    connect(maximize_, &QPushButton::clicked, this, &SourceView::maximizeRequested);
    for (QWidget* part : std::initializer_list<QWidget*>{files_, find_, previous_, next_, collapse_, found_})
        row->addWidget(part);
    row->addStretch(1);
    row->addWidget(maximize_);
    return tools;
}

QWidget* SourceView::makeInstructions()
{
    instructions_ = new QWidget(splitter_);
    auto* row = new QHBoxLayout(instructions_);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGapTight);
    table_ = new CodeTable(&model_, instructions_);
    map_ = new HeatMap(instructions_);
    row->addWidget(table_, 1);
    row->addWidget(map_);
    connect(table_, &CodeTable::chosen, this, &SourceView::chooseRow);
    connect(table_->verticalScrollBar(), &QScrollBar::valueChanged, this, &SourceView::updateShown);
    connect(table_->verticalScrollBar(), &QScrollBar::rangeChanged, this, &SourceView::updateShown);
    connect(map_, &HeatMap::picked, table_, &CodeTable::showRow);
    return instructions_;
}

void SourceView::setMaximizable()
{
    maximize_->show();
    WheelGuard::letPageScroll(source_);
    WheelGuard::letPageScroll(table_);
}

void SourceView::resizeEvent(QResizeEvent* event)
{
    splitter_->setOrientation(width() >= kBeside ? Qt::Horizontal : Qt::Vertical);
    QWidget::resizeEvent(event);
}

void SourceView::setRun(const RunRecord& run, const Catalog& catalog)
{
    model_.setCode(findCode(run));
    if (const bool listed = model_.hasColumn(CodeTableModel::Text); std::exchange(listed_, listed) != listed) // less room without its text
        splitter_->setSizes(listed ? QList<int>{400, 600} : QList<int>{600, 400});
    texts_ = sourceTexts(run, catalog);
    sampled_ = {};
    if (run.sourceProfile)
        sampled_.lines = run.sourceProfile->lines;
    hasContent_ = model_.rowCount() > 0 || !texts_.empty();
    instructions_->setVisible(model_.rowCount() > 0);
    for (QWidget* tool : std::initializer_list<QWidget*>{find_, previous_, next_, collapse_})
        tool->setVisible(model_.rowCount() > 0);
    const bool hot = !model_.hotRows().empty();
    previous_->setEnabled(hot);
    next_->setEnabled(hot);
    listFiles();
    updateMap();
    showLegend();
    showNote(run, !texts_.empty());
    const HotLines lines = hotLines(run, catalog, 1);
    int line = lineToShow(lines, file_);
    if (const auto text = texts_.find(file_); line == 0 && text != texts_.end())
        if (const LaunchFacts* launch = RunFacts(run).launch())
            line = findEntryLine(text->second, launch->entry);
    source_->showLine(std::max(1, line));
    if (line > 0)
        chooseLine(line);
}

void SourceView::listFiles()
{
    std::map<QString, std::int64_t> samples;
    for (const LineSum& line : model_.lines())
        if (line.sum.line > 0)
            samples[q(model_.code()->files[static_cast<std::size_t>(line.sum.file)])] += line.sum.samples;
    for (const auto& [file, text] : texts_)
        samples.try_emplace(q(file), 0);
    const QSignalBlocker quiet(files_);
    files_->clear();
    for (const auto& [file, sum] : samples)
        files_->addItem(file);
    const auto hottest = std::ranges::max_element(samples, {}, &std::pair<const QString, std::int64_t>::second);
    files_->setCurrentIndex(hottest == samples.end() ? -1 : files_->findText(hottest->first));
    files_->setVisible(files_->count() > 1);
    source_->setVisible(files_->count() > 0);
    showFile(files_->currentText());
}

int SourceView::fileIndex(const std::string& file) const
{
    if (!model_.code())
        return -1;
    const auto& files = model_.code()->files;
    const auto found = std::ranges::find(files, file);
    return found == files.end() ? -1 : static_cast<int>(found - files.begin());
}

QString SourceView::textFor(const std::string& file) const
{
    if (const auto text = texts_.find(file); text != texts_.end())
        return exact(text->second);
    const int index = fileIndex(file);
    QStringList lines;
    for (const LineSum& line : model_.lines()) {
        if (line.sum.file != index || line.sum.line <= 0 || line.sum.line > kLongestSource)
            continue;
        while (lines.size() < line.sum.line)
            lines << QString();
        lines[line.sum.line - 1] = QStringLiteral("// ") + tr("%n instruction(s)", nullptr, static_cast<int>(line.instructions.size()));
    }
    return lines.join(u'\n');
}

void SourceView::showFile(const QString& file)
{
    file_ = utf8(file);
    if (file.isEmpty())
        return;
    const QSignalBlocker quiet(files_);
    files_->setCurrentText(file);
    source_->setCode(textFor(file_));
    source_->setHeat(mapHeat(sampled_, file_));
}

void SourceView::showPlace(const std::string& file, int line)
{
    if (line <= 0 || files_->findText(q(file)) < 0)
        return;
    if (file != file_)
        showFile(q(file));
    source_->showLine(line);
    chooseLine(line);
}

void SourceView::chooseLine(int line)
{
    source_->setMarked(line);
    const int file = fileIndex(file_);
    model_.setMarked(file, line);
    if (const int row = model_.hottestAt(file, line); row >= 0)
        table_->scrollTo(model_.index(row, 0), QAbstractItemView::PositionAtCenter);
}

void SourceView::chooseRow(int row)
{
    const CodeInstruction* one = model_.at(row);
    if (!one)
        return;
    model_.setMarked(one->file, one->line);
    if (one->line <= 0)
        return source_->setMarked(0);
    if (const std::string& file = model_.code()->files[static_cast<std::size_t>(one->file)]; file != file_)
        showFile(q(file));
    source_->showLine(one->line);
    source_->setMarked(one->line);
}

void SourceView::findNext()
{
    found_->setText(table_->showNext(find_->text()) ? QString() : tr("Not found"));
}

void SourceView::updateMap()
{
    map_->setHeat(model_.samples());
    updateShown();
}

void SourceView::updateShown()
{
    const int first = std::max(0, table_->rowAt(0));
    const int last = table_->rowAt(table_->viewport()->height() - 1);
    map_->setShown(first, (last < 0 ? model_.rowCount() : last + 1) - first);
}

void SourceView::showLegend()
{
    QStringList items;
    for (qsizetype i = 0; i < model_.parts().size(); ++i)
        items << QStringLiteral("<span style=\"color:%1\">\u25a0</span>\u00a0%2")
                     .arg(color(seriesToken(static_cast<int>(i))).name(), QString(model_.parts()[i]).replace(u' ', QChar(0xa0)));
    legend_->setText(items.join(QStringLiteral("&nbsp; ")));
    legend_->setVisible(!items.isEmpty());
}

void SourceView::showNote(const RunRecord& run, bool haveText)
{
    QStringList lines;
    if (!haveText && files_->count() > 0)
        lines << (run.imported ? tr("The report does not contain the source: ncu records it with --import-source yes.")
                               : tr("The source has changed since this was measured, or is not on this machine."));
    if (model_.code()) {
        const KernelCode& code = *model_.code();
        if (code.files.empty() && !code.instructions.empty())
            lines << tr("The code has no line table: build it with -lineinfo.");
        if (!code.notDisassembled.empty())
            lines << (code.language == CodeLanguage::ptx
                          ? tr("Each instruction has the PTX that it was compiled from: machine code needs nvdisasm. %1")
                                .arg(q(code.notDisassembled))
                          : tr("No SASS: %1").arg(q(code.notDisassembled)));
    }
    if (run.sourceProfile && !run.sourceProfile->unavailable.empty())
        lines << q(run.sourceProfile->unavailable);
    if (run.sourceProfile && !run.sourceProfile->countsUnavailable.empty() && run.sourceProfile->samples > 0)
        lines << tr("Executions were not counted: %1").arg(q(run.sourceProfile->countsUnavailable));
    note_->setText(lines.join(u'\n'));
    note_->setVisible(!lines.isEmpty());
}

} // namespace kl::ui
