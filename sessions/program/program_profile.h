// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/host_name.h"
#include "core/codec/json.h"
#include "core/diagnosis/tree.h"
#include "core/model/run.h"
#include "kernels/catalog.h"
#include "profiler/collector.h"
#include "profiler/protocol/kernel_pattern.h"
#include "sessions/program/program_totals.h"
#include "sessions/program/range_counters.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace kl::inline learning {
class FixModel;
}

namespace kl::inline store {
class Store;
}

namespace kl::inline program {

/// A program that was run, and its exit.
struct ProgramRun {
    std::vector<std::string> command;
    int exitCode = 0;          ///< its own; 128 + signal if it was killed, as in a shell
    std::optional<int> signal; ///< that killed it
    double wallSeconds = 0;
    std::string startedAt;         ///< UTC, ISO 8601
    std::string host = hostName(); ///< that it ran on
};

/// How the counters of a program's kernels were to be read.
struct Counting {
    bool off = false;                    ///< not at all: times only
    std::optional<ProgramRun> run;       ///< the second run of the program, after a look at the times of the first; unset: in the first one
    std::vector<ProcessTrace> processes; ///< of the second run
    std::vector<WantedLaunch> wanted;    ///< the launches that were to be counted there
    RangeChoice ranges;                  ///< in which launches were to be counted, and told apart
};

/// The result of `kloop profile -- CMD`.
struct ProgramProfile {
    ProgramRun program;
    std::optional<ProgramRun> counted; ///< a second run, in which counters were read
    ProgramTotals totals;
    std::optional<RangeCounters> range;  ///< counters inside the NVTX range that was chosen
    std::optional<Finding> finding;      ///< of the program as a whole: host-bound; unset if it is not
    std::vector<ProcessTrace> processes; ///< of the first run, without their launches, which the totals hold
    std::vector<RunRecord> runs;         ///< one per kernel and launch shape, most time first
    std::vector<Warning> notes;          ///< what was lost, unavailable, or caused by the program
};

/// Turns the traces of a program's processes into runs that can be stored and are diagnosed: of every profiled or sampled kernel, and of
/// every other that matches and takes at least a hundredth of the GPU time, one per shape of its launches that was profiled or takes as
/// much. A run's address is program/SLUG, its problem the shape, its timing that of the launches of this shape that were made alone on an
/// idle GPU, where there are three, else of all launches of this shape that were not profiled; launches, time and share of its ProgramFacts
/// are the shape's.
ProgramProfile makeProgramProfile(const ProgramRun& program, std::vector<ProcessTrace> processes, const KernelPattern& pattern,
                                  const DiagnosisTree& tree, const Counting& counting = {});

/// Stores the runs, all or none, as keep() does; if the database cannot store them, a note says where they are.
void storeRuns(Store& store, ProgramProfile& profile, const Job& job);

/// Adds the learned chances to the fixes of every run; if they cannot be read, one note says so.
void weighFixes(ProgramProfile& profile, const Result<std::shared_ptr<const FixModel>>& model, const DiagnosisTree& tree);

/// {schema, results: [each as a profile, with its hot lines], program: {command, exit_code, signal, wall_s, gpu, kernels, ranges, range,
/// graphs, ranks, processes, notes}}.
Json profileToJson(const ProgramProfile& profile, const Catalog& catalog);

/// Median time, ns, of the kernel's launches as the program makes them, among others, with the shape of its run. Unset if too few were made
/// alone for the run's timing to be theirs, or too few were not.
std::optional<double> togetherNs(const KernelTotals& kernel, const RunRecord& run);

/// What is known of the launches with the shape of a run; null where none was recorded.
const ShapeTotals* shapeTotals(const ProgramTotals& totals, const RunRecord& run);

/// Time of the profiled launch by the profiler, ns: by itself on an idle GPU, as Nsight Compute times it. Unset without counters.
std::optional<double> aloneNs(const RunRecord& run);

/// A variant's name for a kernel: its bare name in lower case without types and arguments, and six digits that distinguish it from kernels
/// of the same name.
std::string kernelSlug(const std::string& mangled);

/// "scale<float>" of "void lib::scale<float>(float*, int)": the name for tables, without result, namespaces and arguments.
std::string shortKernelName(const std::string& demangledName);

/// For a sentence, "copy, gemm<float> and 3 more": short names in alphabetical order, each once and cut off where it is long, of many the
/// first. Empty for none.
std::string listKernelNames(const std::set<std::string>& demangledNames);

} // namespace kl::inline program
