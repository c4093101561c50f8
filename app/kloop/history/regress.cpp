// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/base/try.h"
#include "sessions/learning/regressions.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

struct RegressionMarkOptions {
    std::string which;
    std::string note;
};

int printRegressions(Program& program, const std::vector<KernelRegression>& rows)
{
    const auto open = std::ranges::count(rows, RegressionState::open, &KernelRegression::state);
    Json answer{{"schema", "kernelloop.regressions/1"}, {"open", open}, {"regressions", Json::array()}};
    Table table({"Kernel", "Problem", "Device", "Before>", "Since>", "Change>", "From", "State", "First slow run"});
    for (const KernelRegression& row : rows) {
        answer["regressions"].push_back(regressionToJson(row));
        const bool slower = row.levelNs > 0;
        table.add({row.kernel, row.problem, row.device, slower ? formatTime(row.levelNs) : "", slower ? formatTime(row.afterNs) : "",
                   slower ? formatChange(row.change) : "", row.since.substr(0, std::min<std::size_t>(row.since.size(), 16)),
                   applyTone(toString(row.state), row.state == RegressionState::open ? Tone::bad : Tone::faint) +
                       (row.note.empty() ? "" : ": " + row.note),
                   row.firstRun.empty() ? "" : "run:" + row.firstRun});
    }
    if (!program.printAsJson(answer))
        printText("{}", table.empty() ? "No kernel became slower.\n" : table.text());
    return open > 0 ? 1 : 0;
}

Result<int> showRegressions(Program& program)
{
    KL_ASSIGN(auto* store, program.store());
    KL_ASSIGN(const std::vector<KernelRegression> rows, regressions(*store));
    return printRegressions(program, rows);
}

Result<int> mark(Program& program, const RegressionMarkOptions& options, RegressionState state)
{
    KL_ASSIGN(auto* store, program.store());
    KL_ASSIGN(const KernelRegression row, markRegression(*store, options.which, state, options.note));
    printRegressions(program, {row});
    return 0;
}

Result<int> undoMark(Program& program, const std::string& which)
{
    KL_ASSIGN(auto* store, program.store());
    KL_ASSIGN(const KernelRegression row, undoRegressionMark(*store, which));
    printRegressions(program, {row});
    return 0;
}

Runner addMark(CLI::App& app, RegressionState state)
{
    const auto o = std::make_shared<RegressionMarkOptions>();
    app.add_option("WHICH", o->which, "run:ID of a run of the series, or the kernel if only one of its series is slower")->required();
    app.add_option("--note", o->note, "Why");
    return [o, state](Program& program) { return mark(program, *o, state); };
}

Runner addAcknowledge(CLI::App& app)
{
    return addMark(app, RegressionState::acknowledged);
}

Runner addFixed(CLI::App& app)
{
    return addMark(app, RegressionState::fixed);
}

Runner addNewNormal(CLI::App& app)
{
    return addMark(app, RegressionState::newNormal);
}

Runner addUndoMark(CLI::App& app)
{
    const auto which = std::make_shared<std::string>();
    app.add_option("WHICH", *which, "run:ID of a run of the series, or the kernel")->required();
    return [which](Program& program) { return undoMark(program, *which); };
}

} // namespace

Runner addRegress(CLI::App& app)
{
    app.footer(
        "Exit status 1 while one is open, so that a CI job fails. At least 10 runs on a GPU set the reference time. Two consecutive\n"
        "runs that differ by more than 1 % and by more than the noise count as a change. Runs on recorded data, incorrect runs and\n"
        "imports do not count.");
    return addCommands(app,
                       {{"acknowledge", "Mark as known; the exit status is 0 again", addAcknowledge},
                        {"fixed", "Mark as fixed; compare later runs with the time before the regression", addFixed},
                        {"new-normal", "Accept the slower time; compare later runs with it", addNewNormal},
                        {"undo", "Undo the most recent mark", addUndoMark}},
                       showRegressions);
}

} // namespace kl::cli
