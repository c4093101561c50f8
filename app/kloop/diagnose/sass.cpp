// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/opened_files.h"
#include "app/kloop/common/program.h"
#include "app/kloop/common/stored_run.h"
#include "app/kloop/render/render_sass.h"
#include "app/kloop/terminal/streams.h"
#include "core/base/try.h"
#include "core/sass/disassemble.h"
#include "profiler/protocol/kernel_pattern.h"
#include "sessions/measure/code_listing.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

struct SassOptions {
    std::string subject; ///< run:ID, a file, or an address for its newest profile
    std::string other;   ///< the build to compare with; empty: none
    std::string kernel;  ///< expression searched in kernel names
    std::vector<std::string> problems;
};

bool isFileToRead(const std::string& target)
{
    std::error_code failure;
    return !target.starts_with("run:") && std::filesystem::is_regular_file(target, failure);
}

/// --kernel chooses in the files; where there is none, it must match what is named.
bool isChosen(const SassOptions& options, const KernelPattern& pattern, const RunRecord& run)
{
    return isFileToRead(options.subject) || isFileToRead(options.other) || pattern.matches(nameFor(run));
}

/// Of a file with several kernels, the one that takes longest.
Result<RunRecord> runInFile(Program& program, const std::string& file, const SassOptions& options)
{
    KL_ASSIGN(OpenedFiles opened, openFiles(program, {{file}, options.kernel}));
    const auto longest =
        std::ranges::max_element(opened.runs, {}, [](const RunRecord& run) { return run.timing ? run.timing->gpu.median : 0; });
    if (opened.runs.size() > 1)
        say("kloop: {} has {} kernels; this is the one that takes longest. Choose another with --kernel.\n", file, opened.runs.size());
    return std::move(*longest);
}

/// The run, with its code disassembled as far as that is possible here.
Result<RunRecord> pickRun(Program& program, const std::string& target, const SassOptions& options)
{
    KL_ASSIGN(const KernelPattern pattern, KernelPattern::parse(options.kernel));
    Result<RunRecord> run = Error{.code = ErrorCode::notFound};
    if (isFileToRead(target)) {
        run = runInFile(program, target, options);
    } else {
        KL_ASSIGN(const Params problem, oneProblem(options.problems));
        KL_ASSIGN(const RunId id, resolveRun(program, target, problem, WhichRuns::profiles, kRunOrFile));
        KL_ASSIGN(const Store* store, program.store());
        run = store->run(id);
        if (run && !isChosen(options, pattern, *run))
            return makeNoKernelError(options.kernel, {nameFor(*run)});
    }
    if (!run)
        return run;
    if (!findCode(*run))
        return Error{.code = ErrorCode::notFound,
                     .message = fmt::format("Nothing is known of the instructions of {}.", nameFor(*run)),
                     .hint = run->imported ? "Record the report with ncu --set full, or with --section SourceCounters."
                                           : "Profile it again on a GPU: machine code and samples are part of a live profile.",
                     .where = "run:" + run->id.text};
    if (canDisassemble(*findCode(*run))) {
        disassemble(*run->sourceProfile);
        KL_ASSIGN(auto* store, program.store());
        if (findCode(*run)->language == CodeLanguage::sass && !store->unchecked() && store->summary(run->id))
            (void)store->saveCode(run->id, findCode(*run)); // else it is disassembled again the next time
    }
    return run;
}

Json answerFor(const RunRecord& run)
{
    Json json = codeListingToJson(*findCode(run), run);
    json["run"] = run.id.text;
    json["kernel"] = nameFor(run);
    json["gpu_ns"] = run.timing ? Json(run.timing->gpu.median) : Json(nullptr);
    return json;
}

Result<int> showCode(Program& program, const SassOptions& options)
{
    KL_ASSIGN(const RunRecord run, pickRun(program, options.subject, options));
    Json answer = answerFor(run);
    answer["schema"] = "kernelloop.sass/1";
    if (!program.printAsJson(answer))
        printText("{}", renderCode(run, nameFor(run)));
    return 0;
}

Result<int> compareCode(Program& program, const SassOptions& options)
{
    KL_ASSIGN(const RunRecord a, pickRun(program, options.subject, options));
    KL_ASSIGN(const RunRecord b, pickRun(program, options.other, options));
    const SharedCode codeA = findCode(a);
    const SharedCode codeB = findCode(b);
    if (codeA->language != codeB->language || codeA->language == CodeLanguage::none)
        return Error{.code = ErrorCode::notComparable,
                     .message = "The instructions of the two builds are not both known.",
                     .hint = codeA->notDisassembled.empty() ? codeB->notDisassembled : codeA->notDisassembled,
                     .where = "run:" + (codeA->language == CodeLanguage::sass ? b : a).id.text};
    const CodeDiff diff = diffCode(makeCodeSide(a, codeA), makeCodeSide(b, codeB));
    const Json answer{{"schema", "kernelloop.sass-diff/1"}, {"a", answerFor(a)}, {"b", answerFor(b)}, {"diff", diffToJson(diff)}};
    if (!program.printAsJson(answer))
        printText("{}", renderCodeDiff(a, b, diff, nameFor(a), nameFor(b)));
    return 0;
}

} // namespace

Runner addSass(CLI::App& app)
{
    const auto o = std::make_shared<SassOptions>();
    app.add_option("KERNEL", o->subject, std::string("run:ID, family/variant for its newest profile, or a file: ") + kMeasurementFiles)
        ->required();
    app.add_option("--diff", o->other, "Compare with another build, named in the same way");
    addKernelFilter(app, o->kernel);
    addProblems(app, o->problems);
    app.footer("  ncu --set full --import-source yes -o report ./program          kloop sass report.ncu-rep --kernel gemm\n"
               "SASS needs nvdisasm of a CUDA toolkit, once: it is stored with the run. Without it, the PTX of each instruction is shown.");
    return [o](Program& program) { return o->other.empty() ? showCode(program, *o) : compareCode(program, *o); };
}

} // namespace kl::cli
