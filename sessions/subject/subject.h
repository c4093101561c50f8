// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/comparison.h"
#include "core/model/environment.h"
#include "core/model/run.h"
#include "kernels/model/descriptor.h"
#include "profiler/collector.h"
#include "sessions/bisect/git_bisect.h"
#include "sessions/edit/kernel_files.h"
#include "sessions/measure/find_failing.h"
#include "sessions/sanitize/sanitize.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline measure {
class Workbench;
}

namespace kl::inline subjects {

/// A build of the subject by itself.
struct SubjectBuild {
    ResultStatus status = ResultStatus::ok;
    std::string reason; ///< why it failed
    std::string log;    ///< everything that the compiler wrote
    std::string arch;   ///< what it was built for, for people
    double seconds = 0;
};

/// The fastest point of a variant's tunables.
struct FoundPoint {
    Address variant;    ///< correct on the whole suite
    std::string record; ///< id of the search's record
    int measured = 0;   ///< points
    double seconds = 0; ///< of measuring
};

/// What a history search asks of each revision.
struct RevisionQuestion {
    bool builds = false; ///< whether it builds; no: whether its results are correct
    Address variant;
    Params problem;
};

/// What a session measures and edits: a kernel that a worker builds and runs, or a program that does so by itself. Everything that the
/// session engine does with its subject goes through here; the files of both are those of the family's origin. A result that is not
/// correct, or a build that fails, is a record with its status; only problems around it are Errors. Runs and comparisons are stored.
/// Blocking.
class Subject {
public:
    virtual ~Subject() = default;

    /// The machine, with what the subject needs of it.
    virtual Result<EnvReport> environment(const Job& job) = 0;
    /// Error notRecorded where a recording has no build.
    virtual Result<SubjectBuild> build(const Address& variant, const Params& problem, const Job& job) = 0;
    /// Correctness, with `suite` on every size; then time, and the rival in the same run.
    virtual Result<RunRecord> run(const Address& variant, const Params& problem, bool suite, const Job& job) = 0;
    /// Counters and a finding. `report`: a report of another profiler that the user brings; empty: measured now.
    virtual Result<RunRecord> profile(const Address& variant, const Params& problem, const std::string& report, const Job& job) = 0;
    /// The smallest size that fails.
    virtual Result<FailingCase> findFailing(const Address& variant, const Job& job) = 0;
    /// Searches the tunables of a variant; `budgetSeconds` of measuring, 0: all points. Errors: findBest's; refused for a program;
    /// kernelFailed when no point is correct.
    virtual Result<FoundPoint> search(const Address& variant, const Params& problem, double budgetSeconds, const Job& job) = 0;
    /// Old against new in turns: of two variants.
    virtual Result<Comparison> compare(const Address& a, const Address& b, const Params& problem, double keepAt, const Job& job) = 0;
    /// The same of one variant before and after an edit of its files.
    virtual Result<Comparison> compareEdit(const KernelFiles& before, const Address& variant, const Params& problem, double keepAt,
                                           const Job& job) = 0;
    /// What compute-sanitizer's tools, by name, find in a launch: now, or when it was recorded. Errors: sanitizerProgram's, environment,
    /// notRecorded, interrupted.
    virtual Result<std::vector<SanitizerCheck>> sanitize(const Address& variant, const Params& problem,
                                                         const std::vector<std::string>& tools, const Job& job) = 0;
    /// The file, absolute, whose oldest commit is where a history search begins.
    virtual std::string historyFile() const = 0;
    /// Tests revisions of the repository at `root`. Borrows the subject.
    virtual JudgeRevision judge(const RevisionQuestion& question, const std::string& root, const Job& job) = 0;
};

/// The subject of a family, which outlives it: a program's, or a kernel's on the bench's device. Borrows both.
std::unique_ptr<Subject> makeSubject(Workbench& bench, const KernelFamily& family);

} // namespace kl::inline subjects
