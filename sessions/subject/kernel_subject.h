// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/measure/workbench.h"
#include "sessions/subject/subject.h"

namespace kl::inline subjects {

/// A kernel of the catalog or of the user, on the bench's device.
class KernelSubject final : public Subject {
public:
    KernelSubject(Workbench& bench, const KernelFamily& family) : bench_(bench), family_(family) {}

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
    Workbench& bench_;
    const KernelFamily& family_;
};

} // namespace kl::inline subjects
