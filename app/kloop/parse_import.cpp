// SPDX-License-Identifier: MIT
#include "app/kloop/parse_import.h"

#include "app/kloop/commands.h"
#include "app/kloop/parse_verb.h"

#include <CLI/CLI.hpp>
#include <string>

namespace kl {
namespace {

constexpr const char* kFiles = "Nsight Compute reports (.ncu-rep) or CSV pages (raw, details), bundles, or JSON of run, profile or analyze";

void addKernelFilter(CLI::App* sub, ImportOptions& import)
{
    sub->add_option("--kernel", import.kernel, "Only kernels in whose name this expression is found");
}

void addShow(CLI::App& app, Parsed& parsed)
{
    ShowOptions& o = parsed.options.show;
    CLI::App* show = addVerb(app, parsed, "show", "Roofline, memory chart, stalls and occupancy of profiles", commandShow);
    show->add_option("PROFILE", o.targets, "run:ID, family/variant for its newest profile, or a file as kloop analyze takes")->required();
    show->add_flag("--roofline", o.roofline, "The kernel under the roofs of its GPU, nominal and measured; traffic and FLOP amplification");
    show->add_flag("--memory", o.memory, "Requests, bytes, hit rates and shares of peak between SM, L1, shared memory, L2 and DRAM");
    show->add_flag("--stalls", o.stalls, "What warps wait for, and what each wait means");
    show->add_flag("--occupancy", o.occupancy, "What limits the warps an SM can hold, and what would raise it");
    show->add_option("--svg", o.svg, "Draw the roofline of all of them into this file");
    addKernelFilter(show, parsed.options.import);
    show->add_option("--problem", parsed.options.problems, "Of the newest profile of an address, as M=4096,N=4096")
        ->allow_extra_args(false);
    show->footer("Without --roofline, --memory, --stalls or --occupancy all four.\n"
                 "  kloop profile transpose/naive --on sample          kloop show transpose/naive --memory");
}

} // namespace

void addImportCommands(CLI::App& app, Parsed& parsed)
{
    ImportOptions& import = parsed.options.import;
    CLI::App* analyze =
        addVerb(app, parsed, "analyze", "Say what limits kernels that were measured, by KernelLoop or Nsight Compute", commandAnalyze);
    analyze->add_option("FILE", import.files, std::string(kFiles) + "; or run:ID, a stored run")->required();
    addKernelFilter(analyze, import);
    analyze->add_flag_callback(
        "--no-store", [&import] { import.keep = false; }, "Leave the database alone; else another tool's runs are kept, each once");
    analyze->add_flag_callback(
        "--no-counters",
        [&import] {
            import.noCounters = true;
            import.keep = false;
        },
        "Infer what limits them from times and code, as where counters are not permitted; nothing is stored");
    analyze->add_flag("--explain", parsed.options.explain,
                      "Print every question of the diagnosis tree with its figures and what they are made of");
    analyze->footer("  ncu --set full -o report ./program          kloop analyze report.ncu-rep          kloop analyze run:ID --explain\n"
                    "The runs can then be compared: kloop compare run:A run:B.");
    addShow(app, parsed);
    CLI::App* in = addVerb(app, parsed, "import", "Store the runs of files: reports of Nsight Compute, bundles", commandImport);
    in->add_option("FILE", import.files, kFiles)->required();
    addKernelFilter(in, import);
    CLI::App* out = addVerb(app, parsed, "export", "Write runs into one file, for another machine's database", commandExport);
    out->add_option("RUN", import.runs, "run:ID or the start of one, or family or family/variant for all of its runs")->required();
    out->add_option("-o,--output", import.output, "File to write; plain JSON where it ends in .json, else a compressed bundle")->required();
}

} // namespace kl
