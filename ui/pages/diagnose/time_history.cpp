// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose/time_history.h"

#include "core/base/format.h"
#include "core/base/try.h"
#include "sessions/learning/regressions.h"
#include "ui/charts/chart_card.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <QVBoxLayout>

#include <algorithm>

namespace kl::ui {
namespace {

constexpr int kMostTimes = 500;
constexpr double kMicrosecond = 1e-3;  ///< ns to µs
constexpr double kLeastBand = 0.01;    ///< a smaller effect gives no verdict
constexpr std::size_t kLevelRuns = 50; ///< newest runs that make the level
constexpr int kDigits = 7;             ///< of a source's hash

double computeMedian(std::vector<double> values)
{
    std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
    return values[values.size() / 2];
}

QString sourceName(const RunSummary& run)
{
    return q(run.sourceHash).left(kDigits);
}

/// A level line with its band, over some of the runs.
void addLevel(XYSpec& spec, double level, double band, std::size_t from, std::size_t to, bool named)
{
    const auto line = [&](const QString& name, double at, bool dashed) {
        XYSeries series{named ? name : QString(), dashed ? Token::neutral : Token::series2, true, dashed, Marker::none, {}, {}};
        for (const std::size_t x : {from, to})
            series.points.push_back({static_cast<double>(x), at * kMicrosecond, {}, {}, {}, {}, {}});
        spec.series.push_back(std::move(series));
    };
    line(QStringLiteral("level"), level, false);
    line(QStringLiteral("A/A noise band"), level * (1 + band), true);
    line({}, level * (1 - band), true);
}

} // namespace

TimeChart timeChart(const TimeSeries& series)
{
    TimeChart chart;
    XYSpec& spec = chart.spec;
    spec.y = {QStringLiteral("GPU time, µs"), false, false, {}, {}, {}};
    spec.x.title = QStringLiteral("runs, oldest first");
    spec.emptyReason = QStringLiteral("No timed run of this kernel, problem and device yet.");
    chart.title = QStringLiteral("Time over runs");
    if (series.runs.empty())
        return chart;
    std::vector<double> times;
    XYSeries runs{QStringLiteral("runs"), Token::series1, false, false, Marker::circle, {}, {}};
    std::string source = series.runs.front().sourceHash;
    XYSeries edits{QStringLiteral("first run of another source"), Token::series3, false, false, Marker::diamond, {}, {}};
    for (std::size_t i = 0; i < series.runs.size(); ++i) {
        const RunSummary& run = series.runs[i];
        times.push_back(*run.gpuNs);
        spec.x.categories << q(run.startedAt.substr(0, 10));
        const QString tip =
            QStringLiteral("%1\n%2, source %3").arg(q(formatTime(*run.gpuNs)), absoluteTime(run.startedAt), sourceName(run));
        const XYPoint point{static_cast<double>(i), *run.gpuNs * kMicrosecond, {}, {}, tip, q(run.id.text), {}};
        (run.sourceHash == source ? runs : edits).points.push_back(point);
        source = run.sourceHash;
    }
    const double band = std::max(kLeastBand, 2 * series.noise);
    const std::size_t last = times.size() - 1;
    const std::optional<Regression> slow = findRegression(times);
    if (slow) {
        addLevel(spec, slow->level, band, 0, slow->at, true);
        addLevel(spec, slow->after, band, slow->at, last, false);
        const RunSummary& first = series.runs[slow->at];
        chart.title = QStringLiteral("%1 slower since %2, source %3")
                          .arg(q(formatPercent(100 * slow->change)), q(first.startedAt.substr(0, 10)), sourceName(first));
        spec.series.push_back({QStringLiteral("slow-down"),
                               Token::worse,
                               false,
                               false,
                               Marker::triangle,
                               {{static_cast<double>(slow->at), *first.gpuNs * kMicrosecond, {}, {}, chart.title, q(first.id.text), {}}},
                               {}});
    } else {
        const std::size_t from = times.size() > kLevelRuns ? times.size() - kLevelRuns : 0;
        addLevel(spec, computeMedian({times.begin() + static_cast<std::ptrdiff_t>(from), times.end()}), band, from, last, true);
        chart.title = times.size() > kRegressionPoints
                          ? QStringLiteral("No slow-down in %1 runs").arg(times.size())
                          : (times.size() == 1 ? QStringLiteral("1 run") : QStringLiteral("%1 runs").arg(times.size())) +
                                QStringLiteral("; %1 are needed to see a slow-down").arg(kRegressionPoints + 1);
    }
    spec.series.push_back(std::move(runs));
    if (!edits.points.empty())
        spec.series.push_back(std::move(edits));
    return chart;
}

Result<TimeSeries> readTimeSeries(const Store& store, const RunRecord& run)
{
    RunQuery query;
    query.kernel = toText(run.kernel);
    query.limit = kMostTimes;
    TimeSeries series;
    KL_ASSIGN(series.runs, store.runs(query));
    std::erase_if(series.runs, [&](const RunSummary& other) {
        return other.kernel != query.kernel || other.problem != toText(run.problem) || other.device != run.device.name ||
               other.source != run.source || !isUsable(other) || !other.gpuNs;
    });
    std::ranges::reverse(series.runs);
    KL_ASSIGN(const std::vector<NoiseRecord> noise, store.noise());
    for (const NoiseRecord& record : noise)
        if (record.deviceName == run.device.name && record.source == run.source) {
            if (record.kernel == query.kernel) {
                series.noise = record.noise;
                break; // the newest of this kernel
            }
            series.noise = std::max(series.noise, record.noise);
        }
    return series;
}

TimeHistory::TimeHistory(AppContext& context, QWidget* parent) : QWidget(parent), context_(context), chart_(new XYChart)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kGapPage, kGapInside, kGapPage, kGapPage);
    chart_->setObjectName(QStringLiteral("timeHistory"));
    card_ = new ChartCard(tr("Time over runs"), chart_, this);
    column->addWidget(card_, 1);
    connect(chart_, &ChartBody::opened, this, &TimeHistory::opened);
}

void TimeHistory::setRun(const RunRecord& run)
{
    context_.read(
        reading_, [run](Engine& engine, const Job&) { return readTimeSeries(*engine.store, run); },
        [this](Result<TimeSeries> series) {
            if (!series)
                return context_.post(series.error(), tr("The runs of this kernel cannot be read"));
            TimeChart chart = timeChart(*series);
            card_->setFinding(chart.title);
            card_->setCaption(
                series->noise > 0
                    ? tr("A/A noise of this device: %1. Click a run for its diagnosis.").arg(q(formatPercent(100 * series->noise)))
                    : tr("This device's A/A noise is not calibrated: the band is 1 %. Click a run for its diagnosis."));
            chart_->setSpec(std::move(chart.spec));
        });
}

} // namespace kl::ui
