// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/session_pick.h"
#include "app/kloop/session/report_files.h"
#include "app/kloop/session/session_verbs.h"
#include "core/base/try.h"

namespace kl::cli {
namespace {

struct PlanOptions {
    std::string session;
    ReportOutput output;
};

Result<int> writePlan(Program& program, const PlanOptions& options)
{
    KL_ASSIGN(const SessionHeader header, pickSession(program, options.session, Pick::latest));
    KL_ASSIGN(auto* store, program.store());
    KL_ASSIGN(const Catalog* catalog, program.catalog());
    const Result<Report> plan = sessionPlan(*store, *catalog, header.id);
    return plan ? answerReport(program, options.output, *plan) : plan.error();
}

} // namespace

Runner addSessionPlan(CLI::App& app)
{
    const auto o = std::make_shared<PlanOptions>();
    addSessionOption(app, o->session, "Name or id of the session (default: the latest one)");
    addOutput(app, o->output);
    return [o](Program& program) { return writePlan(program, *o); };
}

} // namespace kl::cli
