// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/measured.h"
#include "app/kloop/common/program.h"
#include "app/kloop/common/stored_run.h"
#include "app/kloop/render/render.h"
#include "app/kloop/render/render_timeline.h"
#include "app/kloop/terminal/streams.h"
#include "core/base/try.h"
#include "core/base/write_file.h"
#include "core/codec/run_codec.h"
#include "core/timeline/report_codec.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

struct TimelineOptions {
    std::string kernel; ///< or run:ID
    std::vector<std::string> problems;
    TimelineScope scope;
    bool automatic = false;
    bool noOverhead = false;
    std::string out;
};

Result<RunRecord> pickRun(Program& program, const TimelineOptions& options)
{
    KL_ASSIGN(const Params problem, oneProblem(options.problems));
    if (options.kernel.starts_with("run:")) {
        KL_ASSIGN(const RunId id, resolveRun(program, options.kernel, problem));
        KL_ASSIGN(auto* store, program.store());
        return store->run(id);
    }
    TimelineScope scope = options.scope;
    if (options.automatic)
        scope.automatic = true;
    if (options.noOverhead)
        scope.overhead = false;
    KL_ASSIGN(const Address kernel, program.kernel(options.kernel, problem));
    KL_ASSIGN(auto* bench, program.bench());
    return bench->recordTimeline(kernel, problem, scope, program.job());
}

Json composeAnswer(const RunRecord& run, const std::optional<TimelineReport>& report)
{
    Json json{{"schema", "kernelloop.timeline/1"},
              {"id", run.id.text},
              {"kernel", run.kernel.family},
              {"variant", run.kernel.variant},
              {"tunables", toText(run.kernel.tunables)},
              {"problem", toText(run.problem)},
              {"device", run.device.name},
              {"status", toWord(run.status)},
              {"reason", run.reason}};
    if (report) {
        json["entry"] = run.timeline->entry;
        json["automatic"] = run.timeline->automatic;
        json["blocks"] = run.timeline->recordedBlocks;
        json.update(reportToJson(*report));
    }
    return json;
}

Result<int> showTimeline(Program& program, const TimelineOptions& options)
{
    if (!options.out.empty())
        KL_TRY(checkWritable(options.out));
    KL_ASSIGN(const RunRecord run, pickRun(program, options));
    if (run.status == ResultStatus::ok && !run.timeline)
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("Run {} has no timeline.", run.id.text),
                     .hint = "Record one.",
                     .where = options.kernel}
            .leadTo({StepId::recordTimeline, {{StepArgument::kernel, toText(run.kernel)}, {StepArgument::problem, toText(run.problem)}}});
    const std::optional<TimelineReport> report = run.timeline ? std::optional(analyzeTimeline(*run.timeline)) : std::nullopt;
    const std::string heading = formatHeading(run, toText(run.kernel));
    if (report && !options.out.empty())
        KL_TRY(writeFile(options.out, encode(chromeTrace(*run.timeline, heading)) + '\n'));
    if (!program.printAsJson(composeAnswer(run, report))) {
        printText("{}\n", heading);
        if (report)
            printText("{}", renderTimeline(*run.timeline, *report));
        else
            printText("{}\n", run.reason);
    }
    return run.status == ResultStatus::ok ? 0 : exitCode(ErrorCode::kernelFailed);
}

} // namespace

Runner addTimeline(CLI::App& app)
{
    const auto o = std::make_shared<TimelineOptions>();
    app.add_option("KERNEL", o->kernel, "family/variant, or the path of your own kernel; run:ID shows a stored timeline")->required();
    addProblems(app, o->problems);
    app.add_flag("--auto", o->automatic, "Mark barriers and asynchronous waits, too (default: only if the source has no KL_MARK)");
    app.add_option("--blocks", o->scope.blocks, "Number of blocks to record, from the start of the grid")->check(CLI::Range(1, 1024));
    app.add_option("--marks", o->scope.marks, "Marks to keep per warp (the most recent)")->check(CLI::Range(64, 65536));
    app.add_flag("--no-overhead", o->noOverhead, "Do not time the marked kernel against the plain one");
    app.add_option("--out", o->out, "Also write a trace for ui.perfetto.dev or chrome://tracing to this file")->check(notBlank);
    app.footer("Marks of your own: #include <kernelloop/mark.h>, then KL_MARK(id) and KL_MARK_NAME(id, \"role: segment\").\n"
               "They compile to nothing in timed builds.");
    return [o](Program& program) { return showTimeline(program, *o); };
}

} // namespace kl::cli
