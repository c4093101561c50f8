// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/common/library.h"
#include "app/kloop/common/report_files.h"
#include "app/kloop/common/session_pick.h"
#include "app/kloop/common/stored_comparison.h"

namespace kl {
namespace {

/// What is made of a session from its database.
using Making = Result<Report> (*)(const Store& store, const Catalog& catalog, const SessionId& id);

Result<int> answerForSession(Program& program, const Options& options, Making make)
{
    const Result<SessionHeader> header = pickSession(program, options, Pick::latest);
    if (!header)
        return header.error();
    const Result<const Catalog*> catalog = program.catalog();
    const Result<Store*> store = program.store();
    if (!catalog || !store)
        return store ? catalog.error() : store.error();
    const Result<Report> report = make(**store, **catalog, header->id);
    return report ? answerReport(program, options, *report) : report.error();
}

Result<int> reportComparison(Program& program, const Options& options)
{
    const Result<StoredComparison> stored = compareStored(program, options, options.report.compare[0], options.report.compare[1]);
    if (!stored)
        return stored.error();
    const Result<Store*> store = program.store();
    const Result<RunRecord> a = (*store)->run(stored->a);
    if (!a)
        return a.error();
    const Result<RunRecord> b = (*store)->run(stored->b);
    if (!b)
        return b.error();
    return answerReport(program, options, comparisonReport(stored->comparison, *a, *b));
}

} // namespace

Result<int> commandReport(Program& program, const Options& options)
{
    const ReportOptions& r = options.report;
    if (!r.compare.empty())
        return reportComparison(program, options);
    if (!r.history && !r.patterns)
        return answerForSession(program, options, sessionReport);
    if (const Result<PatternLibrary> library = seededLibrary(program); !library)
        return library.error();
    const Result<Store*> store = program.store();
    const Result<Report> report = r.history ? historyReport(**store) : patternReport(**store);
    return report ? answerReport(program, options, *report) : report.error();
}

Result<int> commandPrompt(Program& program, const Options& options)
{
    if (const Result<PatternLibrary> library = seededLibrary(program); !library)
        return library.error();
    return answerForSession(program, options, expertPrompt);
}

Result<int> commandQuickReference(Program& program, const Options& options)
{
    const Result<const DiagnosisTree*> tree = program.tree();
    if (!tree)
        return tree.error();
    const Result<Report> report = quickReference(**tree);
    return report ? answerReport(program, options, *report) : report.error();
}

} // namespace kl
