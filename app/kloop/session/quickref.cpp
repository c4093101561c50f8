// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/session/report_files.h"
#include "core/base/try.h"

namespace kl::cli {
namespace {

Result<int> writeQuickReference(Program& program, const ReportOutput& output)
{
    KL_ASSIGN(const DiagnosisTree* tree, program.tree());
    const Result<Report> report = quickReference(*tree);
    return report ? answerReport(program, output, *report) : report.error();
}

} // namespace

Runner addQuickref(CLI::App& app)
{
    const auto output = std::make_shared<ReportOutput>();
    addOutput(app, *output);
    return [output](Program& program) { return writeQuickReference(program, *output); };
}

} // namespace kl::cli
