// SPDX-License-Identifier: MIT
#include "ui/models/code_table_model.h"

#include "core/base/format.h"
#include "core/device/metric_catalog.h"
#include "core/model/source_lines.h"
#include "ui/widgets/decimal_mark.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace kl::ui {
namespace {

constexpr std::size_t kNamedStalls = 5; ///< one color each; with "other" and "not stalled" as many as there are series colors
constexpr int kOpcodesNamed = 3;
constexpr const char* kNotStalled = "selected";

QString countWords(const std::optional<std::int64_t>& value)
{
    return value ? q(formatNumber(static_cast<double>(*value))) : QString();
}

QString shareWords(double share)
{
    return q(formatPercent(share * 100));
}

/// "1.05M / 131k" of sectors and ideal sectors.
QString againstIdeal(const std::optional<std::int64_t>& value, const std::optional<std::int64_t>& ideal)
{
    return value && ideal ? countWords(value) + QStringLiteral(" / ") + countWords(ideal) : countWords(value);
}

/// Of 32, on average per executed warp instruction.
QString activeThreads(const CodeInstruction& row)
{
    if (!row.threads || row.executed.value_or(0) <= 0)
        return {};
    return figureWithMark(QString::number(static_cast<double>(*row.threads) / static_cast<double>(*row.executed), 'f', 1));
}

} // namespace

void CodeTableModel::setCode(const SharedCode& code)
{
    beginResetModel();
    code_ = code;
    file_ = -1;
    line_ = 0;
    summarize();
    nameParts();
    listColumns();
    endResetModel();
}

void CodeTableModel::setCollapsed(bool collapsed)
{
    beginResetModel();
    collapsed_ = collapsed;
    summarize();
    endResetModel();
}

void CodeTableModel::summarize()
{
    lines_ = code_ ? sumLines(*code_) : std::vector<LineSum>();
    const std::vector<std::int64_t> all = samples();
    hot_ = hotSpots(all);
    most_ = all.empty() ? 0 : *std::ranges::max_element(all);
    all_ = code_ ? code_->samples() : 0;
}

void CodeTableModel::nameParts()
{
    parts_.clear();
    partOfStall_.clear();
    if (!code_)
        return;
    std::vector<std::pair<std::int64_t, std::size_t>> sums;
    for (std::size_t i = 0; i < code_->stalls.size(); ++i)
        sums.emplace_back(0, i);
    for (const CodeInstruction& one : code_->instructions)
        for (std::size_t i = 0; i < one.stalls.size(); ++i)
            sums[i].first += one.stalls[i];
    std::ranges::stable_sort(sums, std::ranges::greater{}, &std::pair<std::int64_t, std::size_t>::first);
    partOfStall_.assign(code_->stalls.size(), -1);
    for (const auto& [samples, stall] : sums)
        if (samples > 0 && code_->stalls[stall] != kNotStalled && static_cast<std::size_t>(parts_.size()) < kNamedStalls) {
            partOfStall_[stall] = static_cast<int>(parts_.size());
            parts_ << q(stallTitle(code_->stalls[stall]));
        }
    const auto other = static_cast<int>(parts_.size());
    for (std::size_t stall = 0; stall < partOfStall_.size(); ++stall)
        if (partOfStall_[stall] < 0)
            partOfStall_[stall] = code_->stalls[stall] == kNotStalled ? other + 1 : other;
    if (all_ > 0)
        parts_ << tr("other") << tr("not stalled");
}

const CodeInstruction* CodeTableModel::at(int row) const
{
    if (row < 0 || row >= rowCount())
        return nullptr;
    const auto place = static_cast<std::size_t>(row);
    return collapsed_ ? &lines_[place].sum : &code_->instructions[place];
}

int CodeTableModel::lookUpRow(std::size_t instruction) const
{
    if (!code_ || instruction >= code_->instructions.size())
        return -1;
    if (!collapsed_)
        return static_cast<int>(instruction);
    const CodeInstruction& one = code_->instructions[instruction];
    const auto rows = rowsAt(one.file, one.line);
    return rows.empty() ? -1 : rows.front();
}

std::vector<int> CodeTableModel::rowsAt(int file, int line) const
{
    std::vector<int> rows;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        if (lines_[i].sum.file != file || lines_[i].sum.line != line)
            continue;
        if (collapsed_)
            rows.push_back(static_cast<int>(i));
        else
            for (const std::size_t instruction : lines_[i].instructions)
                rows.push_back(static_cast<int>(instruction));
    }
    return rows;
}

int CodeTableModel::hottestAt(int file, int line) const
{
    const std::vector<int> rows = rowsAt(file, line);
    const auto hottest = std::ranges::max_element(rows, {}, [this](int row) { return at(row)->samples; });
    return hottest == rows.end() ? -1 : *hottest;
}

std::vector<std::int64_t> CodeTableModel::samples() const
{
    std::vector<std::int64_t> all;
    for (int row = 0; row < rowCount(); ++row)
        all.push_back(at(row)->samples);
    return all;
}

void CodeTableModel::setMarked(int file, int line)
{
    file_ = file;
    line_ = line;
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1), {Qt::BackgroundRole});
}

std::vector<std::int64_t> CodeTableModel::sumParts(const CodeInstruction& row) const
{
    std::vector<std::int64_t> sums(static_cast<std::size_t>(parts_.size()), 0);
    for (std::size_t stall = 0; stall < row.stalls.size(); ++stall)
        sums[static_cast<std::size_t>(partOfStall_[stall])] += row.stalls[stall];
    return sums;
}

void CodeTableModel::listColumns()
{
    const auto any = [this](auto has) { return code_ && std::ranges::any_of(code_->instructions, has); };
    has_.fill(true);
    has_[Text] = any([](const CodeInstruction& one) { return !one.text.empty(); });
    has_[Samples] = all_ > 0;
    has_[Executed] = any([](const CodeInstruction& one) { return one.executed.has_value(); });
    has_[Threads] = any([](const CodeInstruction& one) { return one.threads.has_value(); });
    has_[Sectors] = any([](const CodeInstruction& one) { return one.sectors.has_value(); });
    has_[Conflicts] = any([](const CodeInstruction& one) { return one.wavefronts.has_value(); });
    has_[Live] = any([](const CodeInstruction& one) { return one.liveRegisters.has_value(); });
    hasIdeal_ = any([](const CodeInstruction& one) { return one.idealWavefronts.has_value(); });
}

int CodeTableModel::rowCount(const QModelIndex& parent) const
{
    if (parent.isValid() || !code_)
        return 0;
    return static_cast<int>(collapsed_ ? lines_.size() : code_->instructions.size());
}

QString CodeTableModel::formatInstructionPlace(const CodeInstruction& row) const
{
    if (!collapsed_)
        return q(fmt::format("{:04x}", row.offset));
    return row.line > 0 ? q(placeText(code_->files[static_cast<std::size_t>(row.file)], row.line)) : tr("no line");
}

QString CodeTableModel::text(int row, int column) const
{
    const CodeInstruction& one = *at(row);
    switch (column) {
    case Place: return formatInstructionPlace(one);
    case Text: {
        if (!collapsed_)
            return q(one.text);
        const LineSum& line = lines_[static_cast<std::size_t>(row)];
        std::map<std::string_view, int> opcodes;
        for (const std::size_t i : line.instructions)
            if (const std::string_view opcode = extractOpcode(code_->instructions[i].text); !opcode.empty())
                ++opcodes[opcode];
        std::vector<std::pair<int, std::string_view>> order;
        for (const auto& [opcode, count] : opcodes)
            order.emplace_back(count, opcode);
        std::ranges::stable_sort(order, std::ranges::greater{}, &std::pair<int, std::string_view>::first);
        QStringList words;
        for (const auto& [count, opcode] : order)
            if (words.size() < kOpcodesNamed)
                words << QStringLiteral("%1 ×%2").arg(q(opcode)).arg(count);
        return tr("%n instruction(s)", nullptr, static_cast<int>(line.instructions.size())) +
               (words.isEmpty() ? QString() : QStringLiteral(": ") + words.join(QStringLiteral(", ")));
    }
    case Samples: return one.samples > 0 ? shareWords(static_cast<double>(one.samples) / static_cast<double>(all_)) : QString();
    case Executed: return countWords(one.executed);
    case Threads: return activeThreads(one);
    case Sectors: return againstIdeal(one.sectors, one.idealSectors);
    case Conflicts: return one.bankConflicts() ? countWords(one.bankConflicts()) : countWords(one.wavefronts);
    case Live: return one.liveRegisters ? QString::number(*one.liveRegisters) : QString();
    default: return {};
    }
}

QString CodeTableModel::tip(int row) const
{
    const CodeInstruction& one = *at(row);
    QStringList lines;
    if (one.line > 0)
        lines << q(placeText(code_->files[static_cast<std::size_t>(one.file)], one.line));
    if (one.function > 0 && !collapsed_)
        lines << tr("in %1").arg(q(code_->functions[static_cast<std::size_t>(one.function)]));
    if (one.samples > 0)
        lines << tr("%1 samples").arg(q(formatCount(static_cast<double>(one.samples))));
    std::vector<std::pair<std::int64_t, std::size_t>> stalls;
    for (std::size_t i = 0; i < one.stalls.size(); ++i)
        if (one.stalls[i] > 0)
            stalls.emplace_back(one.stalls[i], i);
    std::ranges::stable_sort(stalls, std::ranges::greater{}, &std::pair<std::int64_t, std::size_t>::first);
    for (const auto& [samples, stall] : stalls)
        lines << QStringLiteral("  %1 %2").arg(code_->stalls[stall] == kNotStalled ? tr("not stalled")
                                                                                   : q(stallTitle(code_->stalls[stall])),
                                               shareWords(static_cast<double>(samples) / static_cast<double>(one.samples)));
    if (one.executed)
        lines << tr("%1 warp instructions executed").arg(countWords(one.executed));
    if (one.sectors && one.idealSectors)
        lines << tr("%1 sectors requested; %2 if the threads' addresses were consecutive")
                     .arg(countWords(one.sectors), countWords(one.idealSectors));
    if (one.wavefronts)
        lines << (one.idealWavefronts ? tr("%1 wavefronts in shared memory; %2 without bank conflicts")
                                            .arg(countWords(one.wavefronts), countWords(one.idealWavefronts))
                                      : tr("%1 wavefronts in shared memory").arg(countWords(one.wavefronts)));
    return lines.join(u'\n');
}

QVariant CodeTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    switch (role) {
    case Qt::DisplayRole: return text(index.row(), index.column());
    case Qt::ToolTipRole: return tip(index.row());
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (index.column() <= Text ? Qt::AlignLeft : Qt::AlignRight)));
    default: return {};
    }
}

QVariant CodeTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (section <= Samples ? Qt::AlignLeft : Qt::AlignRight)));
    if (role == Qt::ToolTipRole)
        switch (section) {
        case Text:
            return code_ && code_->language == CodeLanguage::ptx
                       ? tr("The line of PTX that the machine instruction was compiled from, by the compiler's line table")
                       : QVariant();
        case Samples: return tr("Samples of warps whose program counter was here, by the reason why they could not issue");
        case Executed: return tr("Warp instructions executed");
        case Threads: return tr("Active threads per executed warp instruction, of 32");
        case Sectors: return tr("L2 sectors that global accesses request, and how many they would with consecutive addresses");
        case Conflicts: return hasIdeal_ ? tr("Wavefronts in shared memory that bank conflicts add") : tr("Wavefronts in shared memory");
        case Live: return tr("General-purpose registers that hold a value");
        default: return {};
        }
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Place: return collapsed_ ? tr("Line") : tr("Offset");
    case Text:
        return !code_ || code_->language == CodeLanguage::none ? tr("Instruction")
               : code_->language == CodeLanguage::ptx          ? tr("From PTX")
                                                               : tr("SASS");
    case Samples: return tr("Samples");
    case Executed: return tr("Executed");
    case Threads: return tr("Threads");
    case Sectors: return tr("Sectors / ideal");
    case Conflicts: return hasIdeal_ ? tr("Bank conflicts") : tr("Wavefronts");
    default: return tr("Live registers");
    }
}

} // namespace kl::ui
