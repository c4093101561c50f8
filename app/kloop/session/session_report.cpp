// SPDX-License-Identifier: MIT
#include "app/kloop/session/session_report.h"

#include "app/kloop/common/session_pick.h"
#include "core/base/try.h"

namespace kl::cli {

Result<int> answerForSession(Program& program, const std::string& session, const ReportOutput& output, SessionReportMaker make)
{
    KL_ASSIGN(const SessionHeader header, pickSession(program, session, Pick::latest));
    const Result<const Catalog*> catalog = program.catalog();
    const Result<Store*> store = program.store();
    if (!catalog || !store)
        return store ? catalog.error() : store.error();
    const Result<Report> report = make(**store, **catalog, header.id);
    return report ? answerReport(program, output, *report) : report.error();
}

} // namespace kl::cli
