// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include <string>
#include <vector>

namespace kl {
struct RunRecord;
}

namespace kl::inline kernels {
class Catalog;
}

namespace kl::ui {

class Card;
class ChartCard;
class HotLineBars;
class SourceView;

/// The hottest lines of a profiled run with their stalls, and below them the source beside its machine code. A click on a line shows it
/// there.
class HotLinesPanel : public QWidget {
    Q_OBJECT
public:
    explicit HotLinesPanel(QWidget* parent = nullptr);

    /// `stallParts`: names and order of the stall bars above, so that a stall has the same color in both. Without samples the bars are
    /// hidden and missing() says why; without samples, source and machine code the whole panel is.
    void setRun(const RunRecord& run, const Catalog& catalog, const QStringList& stallParts);
    const QString& missing() const { return missing_; }
    /// The hottest line in words; empty without samples.
    QString title() const;

signals:
    void maximizeRequested(); ///< the source in a view of its own

private:
    QString missing_;
    HotLineBars* bars_ = nullptr;
    ChartCard* barsCard_ = nullptr;
    Card* codeCard_ = nullptr;
    SourceView* source_ = nullptr;
    struct Place {
        std::string file;
        int line = 0;
    };
    std::vector<Place> places_; ///< of each bar
};

} // namespace kl::ui
