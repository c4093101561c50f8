// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/library.h"
#include "app/kloop/common/stored_comparison.h"
#include "app/kloop/session/report_command.h"
#include "app/kloop/session/report_files.h"
#include "app/kloop/session/session_report.h"
#include "core/base/try.h"

namespace kl::cli {
namespace {

struct ReportOptions {
    std::string session;
    ComparisonOptions comparison;
    std::vector<std::string> compared; ///< two runs; empty: no comparison
    bool history = false;
    bool patterns = false;
    ReportOutput output;
};

Result<int> reportComparison(Program& program, const ReportOptions& r)
{
    ComparisonOptions sides = r.comparison;
    sides.a = r.compared[0];
    sides.b = r.compared[1];
    KL_ASSIGN(const StoredComparison stored, compareStored(program, sides));
    const Result<Store*> store = program.store();
    KL_ASSIGN(const RunRecord a, (*store)->run(stored.a));
    KL_ASSIGN(const RunRecord b, (*store)->run(stored.b));
    return answerReport(program, r.output, comparisonReport(stored.comparison, a, b));
}

Result<int> writeReport(Program& program, const ReportOptions& r)
{
    if (!r.compared.empty())
        return reportComparison(program, r);
    if (!r.history && !r.patterns)
        return answerForSession(program, r.session, r.output, sessionReport);
    KL_ASSIGN([[maybe_unused]] const PatternLibrary library, seedLibrary(program));
    const Result<Store*> store = program.store();
    const Result<Report> report = r.history ? historyReport(**store) : patternReport(**store);
    return report ? answerReport(program, r.output, *report) : report.error();
}

} // namespace

Runner addReport(CLI::App& app)
{
    const auto o = std::make_shared<ReportOptions>();
    CLI::Option* named = app.add_option("SESSION", o->session, "Name or id");
    addSessionOption(app, o->session, "Name or id of the session (default: the latest one)");
    CLI::Option* compare =
        app.add_option("--compare", o->compared, "Two stored runs: run:ID, or family/variant for its newest run")->expected(2);
    CLI::Option* history = app.add_flag("--history", o->history, "All sessions: time, money, mistakes, grades, learning");
    CLI::Option* patterns = app.add_flag("--patterns", o->patterns, "The patterns and what each has saved");
    compare->excludes(history)->excludes(patterns)->excludes(named);
    history->excludes(patterns)->excludes(named);
    patterns->excludes(named);
    addProblems(app, o->comparison.problems, "Sizes of the runs to compare, e.g. M=4096,N=4096");
    app.add_option("--waive", o->comparison.waive, "Compare across devices, drivers or clocks; give the reason");
    addOutput(app, o->output);
    app.add_option("--html", o->output.html, "Write HTML to this file")->check(notBlank);
    app.add_option("--md", o->output.markdown, "Write Markdown to this file")->check(notBlank);
    app.add_option("--pdf", o->output.pdf, "Write PDF to this file (needs the kernelloop program)")->check(notBlank);
    app.footer("  kloop report --session N+6 --format html -o report.html\n"
               "  kloop report --compare transpose/naive transpose/tiled --format pdf -o comparison.pdf\n"
               "  kloop report --history --format csv -o history.csv");
    return [o](Program& program) { return writeReport(program, *o); };
}

} // namespace kl::cli
