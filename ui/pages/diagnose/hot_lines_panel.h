// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QLabel;

namespace kl {

class Card;
class Catalog;
class ChartCard;
class CodeView;
class HotLineBars;
struct RunRecord;

/// The hottest lines of a profiled run with their stalls, and beside them the source with its heat. A click on a line brings it into
/// view.
class HotLinesPanel : public QWidget {
    Q_OBJECT
public:
    explicit HotLinesPanel(QWidget* parent = nullptr);

    /// `stallParts`: names and order of the stall bars shown with it, so that a stall has one color.
    void setRun(const RunRecord& run, const Catalog& catalog, const QStringList& stallParts);

private:
    HotLineBars* bars_;
    ChartCard* barsCard_;
    Card* codeCard_;
    CodeView* code_;
    std::vector<int> lines_; ///< source line of each bar; 0: not of this source
};

} // namespace kl
