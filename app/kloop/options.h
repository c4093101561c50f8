// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/bisect_options.h"
#include "app/kloop/calc_options.h"
#include "app/kloop/import_options.h"
#include "app/kloop/kernel_options.h"
#include "app/kloop/learning_options.h"
#include "app/kloop/profile_options.h"
#include "app/kloop/program_options.h"
#include "app/kloop/report_options.h"
#include "app/kloop/search_options.h"
#include "app/kloop/show_options.h"
#include "app/kloop/space_options.h"
#include "core/base/result.h"

#include <optional>
#include <string>
#include <vector>

namespace kl {

class Program;

/// Everything that a command line can say, for all commands; each reads the part that is its own.
struct Options {
    bool json = false;
    bool timings = false;
    std::string db;     ///< empty: KERNELLOOP_DB or the default place
    bool trust = false; ///< commands that files name may run, and are remembered
    std::string on;     ///< as parseDeviceSpec() takes it; empty: not said
    std::vector<std::string> problems;
    int tier = 2;
    bool suite = false;
    std::string seed;                   ///< of run's inputs: a number or "fresh"; empty: not said
    std::vector<std::string> baselines; ///< of run and baselines, by name; empty: not said
    std::string python;                 ///< interpreter of PyTorch's baselines; empty: KLOOP_PYTHON or python3
    std::optional<bool> source;         ///< hot lines; nothing: as the tier has it
    bool explain = false;               ///< profile and analyze: every question of the tree with its figures

    std::string first;  ///< kernel, side A, file, session name …
    std::string second; ///< side B, objective, target of a backup …
    double speedup = 0;
    double kernelMs = 0;
    double keepAt = 1;                ///< kloop ab: 1 asks for no keep decision
    std::string only;                 ///< one family
    std::vector<std::string> parts;   ///< of a recording; empty: all
    std::vector<int> tiers;           ///< of a recording's profiles; empty: all
    bool everywhere = false;          ///< a recording covers every problem in full
    std::vector<std::string> kernels; ///< calibrate: variants or families, empty: every family; profile: variants
    int repeats = 0;                  ///< calibrate: A/A comparisons of each kernel

    std::string session; ///< name, id or a prefix of one; empty: the latest open one
    std::string kind = "optimize";
    std::string kernel;
    std::vector<std::string> answers;    ///< "target-gpu=H200"
    std::vector<std::string> claims;     ///< "source=…,figure=…"
    std::vector<std::string> sanitizers; ///< sanitize: tools; empty: all
    bool cumulative = false;             ///< option of a new session
    std::optional<bool> git;             ///< option of a new session
    std::string gate;
    std::string reason;
    std::string action;
    std::string argument;
    ReportOptions report;      ///< of report, prompt, quickref and review
    BisectOptions bisect;      ///< of bisect
    KernelOptions userKernels; ///< of kernels, new-kernel and watch
    ProfileOptions profile;    ///< of profile, metrics and launch
    CalcOptions calc;          ///< of smem, occupancy, advise and env
    ShowOptions show;          ///< of show
    ProgramOptions program;    ///< of profile -- CMD
    ImportOptions import;      ///< of analyze, import and export
    SpaceOptions space;        ///< of space, compile and search
    SearchOptions search;      ///< of search
    LearningOptions learning;  ///< of patterns, learn, cost and roadmap
};

/// A command: prints its answer on stdout and says how the program exits.
using Command = Result<int> (*)(Program& program, const Options& options);

} // namespace kl
