// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/terminal/explain.h"
#include "app/kloop/terminal/interrupts.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/terminal_consent.h"
#include "core/base/format.h"
#include "core/base/scratch_folder.h"
#include "core/base/try.h"
#include "kernels/model/work_fields.h"
#include "profiler/program/injected_run.h"
#include "profiler/protocol/kernel_pattern.h"
#include "sessions/program/lifted_folder.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace kl::cli {
namespace {

namespace fs = std::filesystem;

struct LiftOptions {
    std::string kernel;
    int skip = 0;
    std::string range;
    std::string out;
    std::string name; ///< of the kernel; empty: made from its own
    bool yes = false;
    std::uint64_t maxBytes = 4ULL << 30;
    bool allMemory = false;
    std::string type = "u8";
    double tolerance = 0;
    bool nondeterministic = false;
};

/// How a run of the program ended: the launch, or why there is none.
struct LiftRun {
    InjectedEnd end;
    std::optional<LiftedLaunch> lift;
};

Result<LiftRun> runOnce(Program& program, const LiftOptions& options, const fs::path& raw, std::uint64_t maxBytes, bool again)
{
    InjectedRun run;
    run.command = *program.options().program;
    run.outputToErrors = program.options().json;
    run.again = again;
    run.config.kernel = options.kernel;
    run.config.skip = options.skip;
    run.config.ranges.within = options.range;
    run.config.counters = false;
    run.config.lift = LiftRequest{raw.string(), static_cast<std::int64_t>(maxBytes), options.allMemory};
    LiftRun made;
    KL_ASSIGN(made.end, runInjected(run, {&Interrupts::passOnTo, {}}));
    KL_ASSIGN(made.lift, readLift(raw));
    return made;
}

/// Why no launch was lifted: what the processes of the program noted.
Error noLaunch(const LiftOptions& options, const InjectedEnd& end)
{
    std::string notes;
    for (const ProcessTrace& process : end.processes)
        for (const Warning& note : process.notes)
            notes += ' ' + note.text;
    if (end.processes.empty())
        notes = " No process of it used CUDA.";
    return Error{.code = ErrorCode::notFound,
                 .message = fmt::format("The program launched no kernel that matches \"{}\".{}", options.kernel, notes),
                 .hint = "With CUDA graphs, turn them off. See the names of the program's kernels in a profile; --no-counters is enough.",
                 .where = "--kernel"}
        .leadTo(programStep());
}

Error tooLarge(const LiftedLaunch& lift, std::uint64_t allowed, bool requested)
{
    const std::string size = formatBytes(static_cast<double>(lift.bytes));
    return {.code = ErrorCode::refused,
            .message = requested ? fmt::format("The launch reaches {} of memory, more than --max-bytes allows ({}).", size,
                                               formatBytes(static_cast<double>(allowed)))
                                 : fmt::format("The launch reaches {} of memory, which would be copied.", size),
            .hint = requested ? "Raise --max-bytes, or lift a launch on smaller data." : "Repeat it with --yes to copy it.",
            .where = lift.kernel};
}

/// Whether to copy, once the size is known.
Result<bool> askWhetherToCopy(Program& program, const LiftedLaunch& lift)
{
    if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDERR_FILENO) == 0)
        return false;
    program.clearProgress();
    return askYesNo(fmt::format("\n{} reaches {} of memory in {} allocations. Run the program again and copy it? [y/N] ",
                                demangle(lift.kernel), formatBytes(static_cast<double>(lift.bytes)), lift.memory.size()),
                    program.job());
}

/// The lifted launch, after the question if there has to be one.
Result<LiftRun> runProgram(Program& program, const LiftOptions& options, const fs::path& folder)
{
    KL_ASSIGN(LiftRun first, runOnce(program, options, folder / "first", options.yes ? options.maxBytes : 0, false));
    if (!first.lift)
        return noLaunch(options, first.end);
    if (!first.lift->refusal.empty() || !first.lift->tooLarge)
        return first;
    if (options.yes || first.lift->bytes > options.maxBytes)
        return tooLarge(*first.lift, options.maxBytes, true);
    KL_ASSIGN(const bool yes, askWhetherToCopy(program, *first.lift));
    if (!yes)
        return tooLarge(*first.lift, 0, false);
    KL_ASSIGN(LiftRun second, runOnce(program, options, folder / "second", options.maxBytes, true));
    if (!second.lift)
        return noLaunch(options, second.end);
    if (second.lift->tooLarge)
        return tooLarge(*second.lift, options.maxBytes, true);
    return second;
}

DType parseType(const std::string& word)
{
    for (const auto& [type, text] : enumWords(DType{}))
        if (word == text)
            return type;
    return DType::u8; // the option allows no other words
}

Result<int> liftLaunch(Program& program, const LiftOptions& options)
{
    if (!program.options().program)
        return Error{.code = ErrorCode::usage,
                     .message = "No program was given.",
                     .hint = "For example: kloop lift --kernel softmax -- python3 model.py",
                     .where = "--"};
    KL_ASSIGN([[maybe_unused]] const KernelPattern pattern, KernelPattern::parse(options.kernel));
    KL_ASSIGN(const ScratchFolder scratch, ScratchFolder::make());
    KL_ASSIGN(const LiftRun made, runProgram(program, options, scratch.path()));
    const LiftedLaunch& lift = *made.lift;
    const fs::path raw = scratch.path() / (fs::exists(scratch.path() / "second") ? "second" : "first");
    if (!lift.refusal.empty())
        return Error{.code = ErrorCode::refused,
                     .message = fmt::format("{} cannot be lifted. {}", demangle(lift.kernel), lift.refusal),
                     .hint = "Choose another launch with --kernel, --skip or --range.",
                     .where = lift.kernel};
    const LiftedAs as{options.name, parseType(options.type), options.tolerance, !options.nondeterministic};
    KL_ASSIGN(const LiftedFolder folder, writeLifted(lift, raw, options.out, as));
    const std::string kernel = folder.descriptor.parent_path().string();
    if (made.end.exitCode != 0)
        say("kloop: the program ended with exit status {}\n", made.end.exitCode);
    std::vector<std::string> notes = lift.notes;
    if (folder.changedBytes == 0)
        notes.emplace_back("The launch left all memory as it was, for example because an earlier one had computed the same: a rewrite that "
                           "does nothing would count as correct. Lift the first launch, or one that computes something new.");
    const std::string next = "kloop run " + kernel;
    if (program.printAsJson({{"schema", "kernelloop.lift-answer/1"},
                             {"kernel", kernel},
                             {"id", folder.id},
                             {"entry", lift.kernel},
                             {"name", demangle(lift.kernel)},
                             {"launch", lift.launch},
                             {"bytes", folder.bytes},
                             {"stored_bytes", folder.storedBytes},
                             {"changed_bytes", folder.changedBytes},
                             {"allocations", lift.memory.size()},
                             {"buffers", folder.buffers},
                             {"notes", notes},
                             {"program_exit", made.end.exitCode},
                             {"next", next}}))
        return 0;
    printText("Lifted launch {} of {}\n  {} of memory in {} allocations, {} in {}; the launch changed {} of it\n", lift.launch,
              demangle(lift.kernel), formatBytes(static_cast<double>(folder.bytes)), lift.memory.size(),
              formatBytes(static_cast<double>(folder.storedBytes)), kernel, formatBytes(static_cast<double>(folder.changedBytes)));
    for (const std::string& note : notes)
        printText("  {}\n", note);
    printText("Next:\n  {}\n  kloop profile {}\n  kloop ab {}:lifted {}:rewrite   once rewrite.cu is written\n", next, kernel, kernel,
              kernel);
    return 0;
}

} // namespace

Runner addLift(CLI::App& app)
{
    const auto o = std::make_shared<LiftOptions>();
    addKernelFilter(app, o->kernel, "The first launch of a kernel")->required();
    app.add_option("--skip", o->skip, "Matching launches to skip before it")->check(CLI::NonNegativeNumber);
    app.add_option("--range", o->range, "Only launches inside an NVTX range of this name");
    app.add_option("--out", o->out, "Folder to write; must be empty or not exist")->required()->check(notBlank);
    app.add_option("--name", o->name, "Name of the lifted kernel (default: lifted-NAME)")->check(notBlank);
    app.add_flag("--yes", o->yes, "Copy the memory without asking");
    app.add_option("--max-bytes", o->maxBytes, "Maximum memory to copy, e.g. 500MB (default: 4GB)")->transform(CLI::AsSizeValue(false));
    app.add_flag("--all-memory", o->allMemory, "Copy every allocation of the program, not only those that the arguments lead to");
    std::vector<std::string> types;
    for (const auto& [type, word] : enumWords(DType{}))
        types.emplace_back(word);
    app.add_option("--type", o->type, "Type of the elements that the kernel writes, for --tolerance (default: u8, compared bit by bit)")
        ->check(CLI::IsMember(types));
    app.add_option("--tolerance", o->tolerance, "Largest difference from the program's own results that counts as correct (default: 0)")
        ->check(CLI::NonNegativeNumber);
    app.add_flag("--nondeterministic", o->nondeterministic, "Its results may differ from launch to launch, within the tolerance");
    app.footer("For example:\n  kloop lift --kernel softmax --out softmax --yes -- python3 model.py\n"
               "The folder is a kernel: kloop run, profile, ab and sanitize take it. See docs/lift.md.");
    return [o](Program& program) { return liftLaunch(program, *o); };
}

} // namespace kl::cli
