// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/terminal/step_commands.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/base/try.h"
#include "core/codec/model_fields.h"
#include "core/codec/run_codec.h"
#include "core/stats/correctness_text.h"
#include "kernels/file_stamps.h"

#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <thread>

namespace kl::cli {
namespace {

struct WatchOptions {
    std::string kernel;
    std::vector<std::string> problems;
    int saves = 0; ///< end after so many; 0: only Ctrl-C ends it
};

constexpr std::chrono::milliseconds kPoll{100};
constexpr std::chrono::milliseconds kSettle{150};

/// One line, or one line of JSON, for each save: what became of the kernel.
class WatchReport {
public:
    explicit WatchReport(bool json) : json_(json) {}

    void run(const RunRecord& run)
    {
        const bool right = isUsable(run);
        code_ = right ? 0 : 1;
        if (json_)
            return line({{"schema", "kernelloop.watch/1"}, {"at", run.startedAt}, {"run", runToJson(run)}, {"error", nullptr}});
        std::string text = fmt::format("{} {}  {}", toText(run.kernel), toText(run.problem),
                                       applyTone(toWord(run.status), right ? Tone::good : Tone::bad));
        if (const std::string refuted = describeRefuted(run.correctness); !refuted.empty())
            text += "  " + refuted;
        else if (!right)
            text += "  " + run.reason;
        if (right && run.timing) {
            text += fmt::format("  {}", formatTime(run.timing->gpu.median));
            if (last_ > 0)
                text += fmt::format("  {} vs. the previous save", formatRatio(last_ / run.timing->gpu.median));
            last_ = run.timing->gpu.median;
        }
        print(text);
    }

    void error(const Error& error)
    {
        code_ = exitCode(error.code);
        if (json_)
            return line({{"schema", "kernelloop.watch/1"}, {"at", isoNow()}, {"run", nullptr}, {"error", errorToJson(error)["error"]}});
        const std::string hint = withCommands(error.hint, error.next);
        print(applyTone("not built", Tone::bad) + "  " + error.message + (hint.empty() ? "" : "\n  " + hint) +
              (error.detail.empty() ? "" : '\n' + error.detail));
    }

    int code() const { return code_; }

private:
    static void line(Json json)
    {
        addStepCommands(json);
        printJson(encode(json));
        std::fflush(stdout);
    }
    static void print(const std::string& text)
    {
        printText("{}\n", text);
        std::fflush(stdout);
    }

    bool json_;
    int code_ = 0;
    double last_ = 0;
};

/// Trouble with the machine ends the watch; trouble with the kernel is what it is for.
bool endsTheWatch(const Error& error)
{
    return error.code != ErrorCode::badInput && error.code != ErrorCode::kernelFailed && error.code != ErrorCode::notFound;
}

/// What is watched: `text` is read again after each save.
struct Watched {
    std::string text; ///< "/home/me/scale/kernel.json:plain@BLOCK=128"
    KernelOrigin origin;
};

Result<Watched> resolveWatchedKernel(Program& program, const std::string& requested)
{
    KL_ASSIGN(const Address address, program.kernel(requested));
    KL_ASSIGN(const KernelFamily* family, (*program.catalog())->family(address.family));
    if (family->origin.empty())
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} is built into KernelLoop: its files do not change.", toText(address)),
                     .hint = "Watch a kernel of your own, or start one.",
                     .where = requested}
            .leadTo({StepId::newKernel, {}, {{StepArgument::name, "What is it called?"}}});
    return Watched{family->origin.descriptor + ':' + toText(address).substr(address.family.size() + 1), family->origin};
}

/// Reads the files again and measures: every size of the suite, then the time. Files that the descriptor names since are stamped before
/// the measurement, since a save during it is another one.
Result<RunRecord> measure(Program& program, Workbench& bench, Watched& watched, FileStamps& stamps, const Params& problem)
{
    KL_ASSIGN(const Address address, program.kernel(watched.text));
    if (const Result<const KernelFamily*> family = bench.catalog().family(address.family))
        watched.origin = (*family)->origin;
    stamps.add(watched.origin);
    return bench.run(address, problem, true, program.job());
}

/// Waits for a save and for the editor to be done with it; false when the user wants to stop.
bool waitForSave(const FileStamps& stamps, const std::stop_token& stop)
{
    while (!stop.stop_requested()) {
        std::this_thread::sleep_for(kPoll);
        if (stamps.changed()) {
            std::this_thread::sleep_for(kSettle);
            return !stop.stop_requested();
        }
    }
    return false;
}

Result<int> watchKernel(Program& program, const WatchOptions& options)
{
    KL_ASSIGN(const Params problem, oneProblem(options.problems));
    KL_ASSIGN(Watched watched, resolveWatchedKernel(program, options.kernel));
    KL_ASSIGN(auto* bench, program.bench());
    const std::stop_token stop = program.job().stop;
    WatchReport report(program.options().json);
    for (int saves = 0;; ++saves) {
        FileStamps stamps;
        stamps.add(watched.origin); // before reading: a save during the measurement is another one
        const Result<RunRecord> run = measure(program, *bench, watched, stamps, problem);
        program.clearProgress();
        if (stop.stop_requested())
            return exitCode(ErrorCode::interrupted);
        if (run)
            report.run(*run);
        else if (endsTheWatch(run.error()))
            return run.error();
        else
            report.error(run.error());
        if (options.saves > 0 && saves == options.saves)
            return report.code();
        if (!waitForSave(stamps, stop))
            return exitCode(ErrorCode::interrupted);
    }
}

} // namespace

Runner addWatch(CLI::App& app)
{
    const auto o = std::make_shared<WatchOptions>();
    app.add_option("KERNEL", o->kernel, "Path of your kernel.json, or the name of a registered kernel")->required();
    addProblems(app, o->problems, "Sizes, e.g. N=4096");
    app.add_option("--saves", o->saves, "Stop after this many saves (default: when you press Ctrl-C)")->check(CLI::Range(0, 1000000));
    return [o](Program& program) { return watchKernel(program, *o); };
}

} // namespace kl::cli
