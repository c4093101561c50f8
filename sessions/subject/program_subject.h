// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/gpu_lock.h"
#include "sessions/measure/workbench.h"
#include "sessions/subject/program_runner.h"
#include "sessions/subject/subject.h"
#include "sessions/target/target_spec.h"

#include <optional>

namespace kl::inline subjects {

/// A program that builds and launches its kernel itself, as its kernelloop.json describes it (sessions/target). Builds run in its folder,
/// before every measurement; an edit is measured in copies of the folder, from before and after it. The commands run with the user's
/// consent only, which the bench's device asks for: error needsConsent.
class ProgramSubject final : public Subject {
public:
    ProgramSubject(Workbench& bench, const KernelFamily& family) : bench_(bench), family_(family) {}

    Result<EnvReport> environment(const Job& job) override;
    Result<SubjectBuild> build(const Address& variant, const Params& problem, const Job& job) override;
    Result<RunRecord> run(const Address& variant, const Params& problem, bool suite, const Job& job) override;
    Result<RunRecord> profile(const Address& variant, const Params& problem, const std::string& report, const Job& job) override;
    Result<FailingCase> findFailing(const Address& variant, const Job& job) override;
    Result<FoundPoint> search(const Address& variant, const Params& problem, double budgetSeconds, const Job& job) override;
    Result<Comparison> compare(const Address& a, const Address& b, const Params& problem, double keepAt, const Job& job) override;
    Result<Comparison> compareEdit(const KernelFiles& before, const Address& variant, const Params& problem, double keepAt,
                                   const Job& job) override;
    Result<std::vector<SanitizerCheck>> sanitize(const Address& variant, const Params& problem, const std::vector<std::string>& tools,
                                                 const Job& job) override;
    std::string historyFile() const override;
    JudgeRevision judge(const RevisionQuestion& question, const std::string& root, const Job& job) override;

private:
    /// The target as its file says now, once the user allows its commands. Errors: loadTarget's, needsConsent, interrupted.
    Result<TargetSpec> loadAllowedTarget(const Job& job) const;
    /// The GPU of the session, where the program could find several; empty: the only one.
    std::string gpu() const;
    /// Keeps other measurements off that GPU until it is destroyed; waits for one that has it. Holds nothing where the GPU is not known.
    Result<std::optional<GpuLock>> lockGpu(const Job& job) const;
    /// A record of this subject, with its device and the hash of its files as they are now.
    Result<RunRecord> newRecord(const TargetSpec& spec, const Address& variant, const Params& problem) const;
    /// Times of the program and of its rival, into the record. What goes wrong with the program is the record's status.
    Status measure(const TargetSpec& spec, const ProgramRunner& runner, RunRecord& record) const;
    Result<RunRecord> profileByInjection(const TargetSpec& spec, const ProgramRunner& runner, RunRecord record) const;

    Workbench& bench_;
    const KernelFamily& family_;
};

} // namespace kl::inline subjects
