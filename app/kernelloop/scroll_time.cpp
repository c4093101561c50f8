// SPDX-License-Identifier: MIT
#include "app/kernelloop/scroll_time.h"

#include "app/kernelloop/start_time.h"
#include "core/model/kernel_code.h"
#include "core/model/run.h"
#include "sessions/store/store.h"
#include "ui/context/app_context.h"
#include "ui/pages/shared/code_table.h"
#include "ui/pages/shared/source_view.h"

#include <QCoreApplication>
#include <QScrollBar>
#include <QTextStream>

#include <algorithm>
#include <array>
#include <optional>

namespace kl::ui {
namespace {

constexpr std::size_t kInstructions = 100'000;
constexpr int kFrames = 200; ///< of each kind
constexpr int kLooked = 50;  ///< newest profiles that are looked through for machine code

std::optional<RunRecord> runWithCode(const Store& store)
{
    RunQuery query;
    query.profilesOnly = true;
    query.limit = kLooked;
    if (const auto runs = store.runs(query))
        for (const RunSummary& summary : *runs)
            if (Result<RunRecord> run = store.run(summary.id); run && run->sourceProfile && run->sourceProfile->code)
                return std::move(*run);
    return {};
}

/// The run's instructions over and over, each time further on.
SharedCode repeatCode(const KernelCode& code)
{
    KernelCode much = code;
    const std::int64_t length = code.instructions.back().offset + 16;
    while (much.instructions.size() < kInstructions) {
        CodeInstruction next = much.instructions[much.instructions.size() - code.instructions.size()];
        next.offset += length;
        much.instructions.push_back(std::move(next));
    }
    return SharedCode(std::move(much));
}

} // namespace

void printScrollTimes(AppContext& context)
{
    QTextStream out(stdout);
    std::optional<RunRecord> run = runWithCode(*context.engine()->store);
    if (!run || run->sourceProfile->code->instructions.empty()) {
        out << QStringLiteral("no run with machine code, so no scrolling\n");
        return;
    }
    run->sourceProfile->code = repeatCode(*run->sourceProfile->code);
    SourceView view;
    view.setRun(*run, *context.engine()->catalog);
    view.resize(1280, 800);
    view.show();
    QCoreApplication::processEvents();
    QScrollBar* bar = view.table()->verticalScrollBar();
    for (const auto& [name, step] :
         {std::pair("three rows", 3), std::pair("a page", bar->pageStep()), std::pair("the bar", bar->maximum() / kFrames)}) {
        std::array<double, kFrames> frames = {};
        bar->setValue(0);
        QCoreApplication::processEvents();
        for (double& frame : frames) {
            const double began = busyMilliseconds();
            bar->setValue(bar->value() + step);
            QCoreApplication::processEvents(); // paints
            frame = busyMilliseconds() - began;
        }
        std::ranges::sort(frames);
        out << QStringLiteral("%1 instructions scrolled by %2: a frame takes %3 ms, %4 ms at most\n")
                   .arg(view.model().rowCount())
                   .arg(QLatin1String(name))
                   .arg(frames[kFrames / 2], 0, 'f', 1)
                   .arg(frames.back(), 0, 'f', 1);
    }
}

} // namespace kl::ui
