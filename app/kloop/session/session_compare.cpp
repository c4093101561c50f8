// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/session/report_files.h"
#include "app/kloop/session/session_verbs.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/try.h"
#include "sessions/report/report.h"
#include "sessions/report/session_pair.h"

#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

struct CompareOptions {
    std::string a;
    std::string b;
    ReportOutput output;
};

Result<int> compare(Program& program, const CompareOptions& options)
{
    KL_ASSIGN(auto* engine, program.engine());
    KL_ASSIGN(const SessionId a, engine->find(options.a));
    KL_ASSIGN(const SessionId b, engine->find(options.b));
    KL_ASSIGN(auto* store, program.store());
    KL_ASSIGN(const Catalog* catalog, program.catalog());
    KL_ASSIGN(const SessionPair pair, compareSessions(*store, *catalog, a, b));
    const Report report = pairReport(pair);
    if (!options.output.file.empty() || !options.output.format.empty())
        return answerReport(program, options.output, report);
    KL_ASSIGN(const Json answer, parseJson(report.json, "the comparison"));
    if (program.printAsJson(answer))
        return 0;
    Table table({"", pair.a.row.name, pair.b.row.name});
    for (const PairRow& row : pair.rows)
        table.add({row.title, row.a, row.b});
    printText("{}", table.text());
    return 0;
}

} // namespace

Runner addSessionCompare(CLI::App& app)
{
    const auto o = std::make_shared<CompareOptions>();
    app.add_option("A", o->a, "Name or id of a session")->required();
    app.add_option("B", o->b, "Name or id of the other one")->required();
    addOutput(app, o->output);
    app.footer("  kloop session compare N+6 N+7\n"
               "  kloop session compare attention-2 attention-4 --db :sample: --format md -o pair.md");
    return [o](Program& program) { return compare(program, *o); };
}

} // namespace kl::cli
