// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QBoxLayout;

namespace kl {
struct RunRecord;
}

namespace kl::inline kernels {
class Catalog;
}

namespace kl::ui {

class Card;
class ChartCard;
class CodeView;
class HotLineBars;

/// The hottest lines of a profiled run with their stalls, and next to them the source with its heat. A click on a line scrolls it into
/// view.
class HotLinesPanel : public QWidget {
    Q_OBJECT
public:
    explicit HotLinesPanel(QWidget* parent = nullptr);

    /// `stallParts`: names and order of the stall bars above, so that a stall has the same color in both. Without samples the bars are
    /// hidden and missing() says why; without samples and source the whole panel is.
    void setRun(const RunRecord& run, const Catalog& catalog, const QStringList& stallParts);
    const QString& missing() const { return missing_; }

protected:
    /// In a narrow panel the source goes below the bars: code needs the width.
    void resizeEvent(QResizeEvent* event) override;

private:
    QBoxLayout* parts_;
    QString missing_;
    HotLineBars* bars_ = nullptr;
    ChartCard* barsCard_ = nullptr;
    Card* codeCard_ = nullptr;
    CodeView* code_ = nullptr;
    std::vector<int> lines_; ///< source line of each bar; 0: not of this source
};

} // namespace kl::ui
