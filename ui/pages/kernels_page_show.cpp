// SPDX-License-Identifier: MIT
#include "ui/pages/kernels_page.h"

#include "core/base/format.h"
#include "core/base/try.h"
#include "core/stats/correctness_text.h"
#include "kernels/code_builder.h"
#include "sessions/measure/hot_lines.h"
#include "ui/pages/kernels/baseline_box.h"
#include "ui/pages/kernels/kernel_list.h"
#include "ui/pages/kernels/own_kernels_bar.h"
#include "ui/pages/kernels/static_view.h"
#include "ui/pages/kernels/sweep_view.h"
#include "ui/pages/kernels/variant_facts.h"
#include "ui/pages/shared/hot_line_rows.h"
#include "ui/style/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/layout_pause.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/state_panel.h"
#include "ui/widgets/text.h"

#include <algorithm>

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTimer>
#include <QTreeWidget>

namespace kl::ui {
namespace {

/// 1-based line of the source where the entry is defined, or 1.
int findLine(const std::string& source, const std::string& entry)
{
    const auto at = source.find(entry + "(");
    return at == std::string::npos
               ? 1
               : 1 + static_cast<int>(std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

QString valueText(const ParamValue& value)
{
    return std::holds_alternative<std::int64_t>(value) ? QString::number(std::get<std::int64_t>(value)) : q(std::get<std::string>(value));
}

QString tunablesText(const KernelFamily& family, const Variant& variant)
{
    QStringList parts;
    for (const Tunable& tunable : family.tunables) {
        if (std::find(variant.tunables.begin(), variant.tunables.end(), tunable.name) == variant.tunables.end())
            continue;
        QStringList values;
        for (const ParamValue& value : tunable.values)
            values << valueText(value);
        parts << q(tunable.name) + QStringLiteral(" {") + values.join(QStringLiteral(", ")) + u'}';
    }
    return parts.join(QStringLiteral("   "));
}

/// The newest of a kernel's profiles with samples of the current source; preferably of `problem`.
std::optional<RunRecord> findSampledRun(const Store& store, const Catalog& catalog, const std::string& kernel, const std::string& problem)
{
    RunQuery profiles;
    profiles.kernel = kernel;
    profiles.profilesOnly = true;
    profiles.limit = 20;
    Result<std::vector<RunSummary>> list = store.runs(profiles);
    if (!list)
        return {};
    std::stable_partition(list->begin(), list->end(), [&](const RunSummary& summary) { return summary.problem == problem; });
    for (const RunSummary& summary : *list)
        if (Result<RunRecord> run = store.runWithoutCode(summary.id);
            run && run->sourceProfile && !run->sourceProfile->lines.empty() && findMeasuredSource(catalog, run->kernel, run->sourceHash))
            return std::move(*run);
    return {};
}

} // namespace

void KernelsPage::showHeat(const std::optional<RunRecord>& profile)
{
    if (!profile) {
        code_->setHeat({});
        hotLinks_->setText(tr("Profile at tier 2 to see hot lines here."));
        return;
    }
    code_->setHeat(mapHeat(*profile->sourceProfile));
    QStringList links;
    for (const HotLine& hot : hotLines(*profile, context().catalog(), 4).lines)
        if (hot.line.file == kSourceFile && hot.line.line > 0)
            links << QStringLiteral("<a href=\"%1\">%2</a> (%3)")
                         .arg(hot.line.line)
                         .arg(tr("line %1").arg(hot.line.line))
                         .arg(q(formatPercent(hot.line.share * 100))
                                  .replace(QChar(0x202F), QChar(QChar::Nbsp))); // rich text breaks at U+202F
    hotLinks_->setText(tr("Hot lines at %1: %2").arg(spaceProblem(toText(profile->problem)), links.join(QStringLiteral(", "))));
}

void KernelsPage::fillList()
{
    const QSignalBlocker quiet(list_); // selected below
    fillKernels(*list_, context().catalog(), context().brokenKernels());
    filterKernels(*list_, filter_->text().trimmed());
}

void KernelsPage::choose(const QString& address)
{
    QTreeWidgetItem* chosen = nullptr;
    for (QTreeWidgetItemIterator it(list_); *it && !chosen; ++it)
        if (const QString here = (*it)->data(0, Qt::UserRole).toString(); !here.isEmpty() && (address.isEmpty() || here == address))
            chosen = *it;
    if (!chosen && !address.isEmpty())
        return choose({});
    if (!chosen)
        return;
    list_->setCurrentItem(chosen);
    QTimer::singleShot(0, list_, [list = list_] { list->scrollTo(list->currentIndex()); }); // once a page that was just made has its size
}

void KernelsPage::takeKernels(const QStringList& saved)
{
    Address shown = std::exchange(address_, {}); // its sizes may have changed
    const QString descriptor = own_->descriptor();
    fillList();
    for (int i = 0; i < list_->topLevelItemCount(); ++i)
        if (QTreeWidgetItem* top = list_->topLevelItem(i); !descriptor.isEmpty() && top->data(0, kBrokenRole).toString() == descriptor)
            return list_->setCurrentItem(top);
    for (const KernelFamily& family : context().catalog().families())
        if (shown.family.empty() && !descriptor.isEmpty() && q(family.origin.descriptor) == descriptor) // it is readable again
            shown = {family.id, family.variants.front().id, {}};
    choose(q(toText(shown)));
    const bool changed = saved.contains(q(shown.family)) || saved.contains(descriptor);
    if (changed && own_->checksAtSave() && context().explainUnmeasurable().isEmpty())
        measure(false);
}

void KernelsPage::showBroken(const QString& path)
{
    for (const BrokenKernel& kernel : context().brokenKernels()) {
        if (q(kernel.path) != path)
            continue;
        address_ = {};
        detail_->setTitle(path);
        summary_->setText(q(kernel.error.message));
        summary_->show();
        facts_->setText(q(kernel.error.hint));
        statics_->setText(q(kernel.error.detail));
        problem_->clear();
        QFile file(path);
        code_->setCode(file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString());
        if (const QStringList place = q(kernel.error.where).split(u':'); place.size() >= 3)
            code_->showLine(place.at(place.size() - 2).toInt());
        own_->show(path, path);
    }
    refresh();
}

void KernelsPage::open(const QString& argument)
{
    choose(argument);
}

void KernelsPage::showVariant(const Address& address)
{
    const auto family = context().catalog().family(address.family);
    const auto variant = context().catalog().variant(address);
    if (!family || !variant)
        return;
    const bool otherFamily = address.family != address_.family;
    address_ = address;
    detail_->setTitle(q(toText(address)) + QStringLiteral(" · ") + q((*variant)->title));
    summary_->setText(q((*variant)->expectedWhy.empty() ? (*variant)->summary : (*variant)->summary + '\n' + (*variant)->expectedWhy));
    summary_->setHidden((*variant)->summary.empty());
    QStringList facts;
    if ((*family)->origin.empty())
        facts << ((*variant)->expected ? tr("expected bottleneck: %1").arg(q(*(*variant)->expected)) : tr("no expected bottleneck"));
    if (!(*family)->baseline.name.empty())
        facts << tr("baseline: %1").arg(q((*family)->baseline.name));
    facts << tr("smallest problem: %1").arg(spaceProblem(toText((*family)->smallest)));
    QStringList targets;
    for (const std::string& target : (*variant)->targets)
        targets << q(target);
    if (!targets.isEmpty())
        facts << tr("requires: %1").arg(targets.join(QStringLiteral(", ")));
    if (const QString tunables = tunablesText(**family, **variant); !tunables.isEmpty())
        facts << tr("tunables: %1").arg(tunables);
    facts_->setText(facts.join(QStringLiteral("  ·  ")));
    if (otherFamily) {
        problem_->clear();
        for (const Params& problem : (*family)->problems)
            problem_->addItem(q(toText(problem)));
        fillBaselines(*against_, **family);
    }
    const CodeText code = chooseCodeText(**family, **variant);
    code_->setCode(code.image ? tr("// %1 is precompiled; its source is not available.").arg(q(code.image->name)) : exact(code.source));
    if (!(*variant)->launches.empty())
        code_->showLine(findLine(code.source, (*variant)->launches.front().entry));
    own_->show(q((*family)->origin.descriptor), q(address.family));
    showSubject();
    refresh();
}

void KernelsPage::showSubject()
{
    const Result<Params> problem = parseParams(utf8(problem_->currentText()));
    if (!problem || problem->empty())
        return;
    compiled_->setSubject(address_, *problem);
    sweep_->setSubject(address_, *problem);
}

void KernelsPage::refreshButtons()
{
    const QString reason = measuring_.running()      ? tr("Measuring %1").arg(q(toText(address_)))
                           : address_.family.empty() ? tr("Fix the file first.")
                                                     : context().explainUnmeasurable();
    run_->setReason(reason);
    profile_->setEnabled(reason.isEmpty());
    timeline_->setEnabled(reason.isEmpty());
}

void KernelsPage::refreshList()
{
    context().read(
        listing_,
        [](Engine& engine, const Job&) {
            RunQuery all;
            all.limit = 1000;
            return engine.store->runs(all);
        },
        [this](Result<std::vector<RunSummary>> runs) {
            if (runs)
                fillVerdicts(*list_, context().catalog(), *runs);
        });
}

void KernelsPage::showStatics(const std::optional<RunRecord>& newest)
{
    QStringList lines;
    if (newest)
        for (const LaunchFacts& launch : newest->launches)
            lines << launchWords(launch);
    statics_->setText(lines.isEmpty() ? tr("Run the kernel with this problem size to see registers, shared memory and occupancy.")
                                      : lines.join(u'\n'));
    setTextToken(statics_, lines.isEmpty() ? Token::muted : Token::text);
}

void KernelsPage::offerDiagnosis(const std::vector<RunSummary>& runs)
{
    const std::string size = utf8(problem_->currentText());
    const RunSummary* newest = nullptr;
    for (const RunSummary& run : runs) // the newest comes first
        if (!address_.family.empty() && !run.classId.empty() && (!newest || (newest->problem != size && run.problem == size)))
            newest = &run;
    newestProfile_ = newest ? q(newest->id.text) : QString();
    diagnosis_->setToolTip(newest ? tr("%1, %2").arg(spaceProblem(newest->problem), formatMeasuredTime(newest->source, newest->startedAt))
                                  : QString());
    diagnosis_->setVisible(newest);
}

void KernelsPage::refresh()
{
    refreshButtons();
    refreshList();
    runsState_->showLoading();
    RunQuery query;
    query.kernel = toText(address_);
    struct Loaded {
        std::vector<RunSummary> runs;
        std::optional<RunRecord> newest;
        std::optional<RunRecord> sampled;
    };
    const auto load = [query, problem = utf8(problem_->currentText())](Engine& engine, const Job&) -> Result<Loaded> {
        KL_ASSIGN(std::vector<RunSummary> runs, engine.store->runs(query));
        Loaded loaded{std::move(runs), {}, findSampledRun(*engine.store, *engine.catalog, query.kernel, problem)};
        if (const auto ofSize = std::ranges::find(loaded.runs, problem, &RunSummary::problem); ofSize != loaded.runs.end())
            if (Result<RunRecord> newest = engine.store->runWithoutCode(ofSize->id))
                loaded.newest = std::move(*newest);
        return loaded;
    };
    context().read(loader_, load, [this](Result<Loaded> loaded) {
        if (!loaded) {
            runsState_->showError(loaded.error(), [this] { refresh(); });
            return;
        }
        const LayoutPause pause(*this);
        showStatics(loaded->newest);
        showHeat(loaded->sampled);
        offerDiagnosis(loaded->runs);
        const bool none = loaded->runs.empty();
        runsModel_.setRows(std::move(loaded->runs));
        if (none)
            runsState_->showEmpty({QStringLiteral("kernels"),
                                   tr("No runs of %1 yet").arg(q(toText(address_))),
                                   tr("Run it to measure its time, or profile it to find its bottleneck."),
                                   {},
                                   {}});
        else
            runsState_->showContent();
    });
}

void KernelsPage::showEarly(const RunRecord& run)
{
    if (!measuring_.running() || !run.diagnosis || !run.timing)
        return;
    Message message;
    message.what = tr("%1 takes %2. First finding: %3")
                       .arg(q(toText(run.kernel)), q(formatTime(run.timing->gpu.median)), q(run.diagnosis->finding.title));
    message.why = tr("Inferred from its time and its code. Hardware counters are being read and may change it.");
    context().post(message);
}

void KernelsPage::measure(bool profiling)
{
    const auto problem = parseParams(utf8(problem_->currentText()));
    if (!problem) {
        context().post(problem.error());
        return;
    }
    const QString name = q(toText(address_));
    context().run(
        measuring_, profiling ? tr("Profiling %1").arg(name) : tr("Running %1").arg(name),
        [this, address = address_, size = *problem, profiling, against = readBaselines(*against_)](Engine& engine, const Job& job) {
            const auto early = [this](const RunRecord& run) {
                QMetaObject::invokeMethod(
                    this, [this, run] { showEarly(run); }, Qt::QueuedConnection);
            };
            ProfileScope scope;
            scope.pmSampling = true;
            return profiling ? engine.bench.profile(address, size, scope, job, early)
                             : engine.bench.run(address, size, true, job, {}, against);
        },
        [this, name](Result<RunRecord> run) {
            refresh();
            if (!run) {
                context().post(run.error(), tr("Could not measure %1").arg(name));
                return;
            }
            const bool ok = run->status == ResultStatus::ok;
            Message message;
            message.level = ok ? MessageLevel::success : MessageLevel::error;
            message.what = ok && run->timing ? tr("%1 takes %2").arg(name, q(formatTime(run->timing->gpu.median)))
                           : ok              ? name
                                             : tr("%1 failed").arg(name);
            const std::string refuted = describeRefuted(run->correctness);
            message.why = !refuted.empty() ? q(refuted) : run->diagnosis ? q(run->diagnosis->finding.title) : q(run->reason);
            if (run->diagnosis) {
                message.buttons = {{tr("Diagnose"), [this, id = q(run->id.text)] { context().navigate(QStringLiteral("diagnose"), id); }}};
            }
            context().post(message);
        });
    refreshButtons();
}

void KernelsPage::recordTimeline()
{
    const auto problem = parseParams(utf8(problem_->currentText()));
    if (!problem)
        return context().post(problem.error());
    const QString name = q(toText(address_));
    context().run(
        measuring_, tr("Recording a timeline of %1").arg(name),
        [address = address_, size = *problem](Engine& engine, const Job& job) {
            return engine.bench.recordTimeline(address, size, {}, job);
        },
        [this, name](Result<RunRecord> run) {
            refresh();
            if (!run)
                return context().post(run.error(), tr("Could not record a timeline of %1").arg(name));
            if (run->timeline)
                return context().navigate(QStringLiteral("diagnose"), q(run->id.text));
            Message message;
            message.level = MessageLevel::error;
            message.what = tr("%1 failed").arg(name);
            message.why = q(run->reason);
            context().post(message);
        });
    refreshButtons();
}

} // namespace kl::ui
