// SPDX-License-Identifier: MIT
#include "app/kloop/parse_report.h"

#include "app/kloop/commands.h"
#include "app/kloop/parse_verb.h"

#include <CLI/CLI.hpp>

namespace kl {
namespace {

void addSession(CLI::App* sub, Options& o)
{
    sub->add_option("--session", o.session, "Name or id of the session (default: the latest one)");
}

void addOutput(CLI::App* sub, ReportOptions& r)
{
    sub->add_option("--format", r.format, "html, md, json, csv or pdf (default: by the file's suffix, else md)")
        ->check(CLI::IsMember({"html", "md", "json", "csv", "pdf"}));
    sub->add_option("-o,--output", r.output, "File to write (default: standard output)");
}

void addReport(CLI::App& parent, Parsed& parsed)
{
    Options& o = parsed.options;
    ReportOptions& r = o.report;
    CLI::App* report =
        addVerb(parent, parsed, "report", "Write a report: of a session, a comparison, the history or the patterns", commandReport);
    CLI::Option* named = report->add_option("SESSION", o.session, "Name or id");
    addSession(report, o);
    CLI::Option* compare =
        report->add_option("--compare", r.compare, "Two stored runs: run:ID or family/variant for its newest run")->expected(2);
    CLI::Option* history = report->add_flag("--history", r.history, "All sessions: time, money, mistakes, grades, learning");
    CLI::Option* patterns = report->add_flag("--patterns", r.patterns, "The patterns and what each brought");
    compare->excludes(history)->excludes(patterns)->excludes(named);
    history->excludes(patterns)->excludes(named);
    patterns->excludes(named);
    report->add_option("--problem", o.problems, "Sizes of the runs to compare, as M=4096,N=4096")->allow_extra_args(false);
    report->add_option("--waive", o.reason, "Compare across devices, drivers or clocks all the same; say why");
    addOutput(report, r);
    report->add_option("--html", r.html, "Write HTML to this file");
    report->add_option("--md", r.markdown, "Write Markdown to this file");
    report->add_option("--pdf", r.pdf, "Write PDF to this file (needs the kernelloop program)");
    report->footer("  kloop report --session N+6 --format html -o report.html\n"
                   "  kloop report --compare transpose/naive transpose/tiled --format pdf -o comparison.pdf\n"
                   "  kloop report --history --format csv -o history.csv");
}

void addReview(CLI::App& app, Parsed& parsed)
{
    Options& o = parsed.options;
    ReportOptions& r = o.report;
    CLI::App* review = app.add_subcommand("review", "Have a session reviewed: send one file, merge the comments that come back");
    review->fallthrough();
    review->require_subcommand(1);
    review->footer("  kloop review export N+6 -o review.html     (the reviewer opens it, comments, and saves it)\n"
                   "  kloop review import review-N+6.html\n"
                   "Importing twice changes nothing. Where the same comment came back with other words, both are kept.");
    CLI::App* out = addVerb(*review, parsed, "export", "Write a session as one page to comment on", commandReviewExport);
    out->add_option("SESSION", o.session, "Name or id (default: the latest one)");
    out->add_option("-o,--output", r.output, "File to write")->required();
    CLI::App* in = addVerb(*review, parsed, "import", "Merge the comments of a page that came back, or of its JSON", commandReviewImport);
    in->add_option("FILE", o.first, "The saved page or comments")->required();
    in->add_option("--session", o.session, "Only if it is of this session");
    CLI::App* comment = addVerb(*review, parsed, "comment", "Comment on a part of a session", commandReviewComment);
    comment->add_option("SESSION", o.session, "Name or id")->required();
    comment->add_option("TEXT", r.text, "What you have to say")->required();
    comment->add_option("--on", r.target, "Part: a gate as G3, finding, outcome or session")->capture_default_str();
    comment->add_option("--author", r.author, "Who says it")->required();
    addVerb(*review, parsed, "show", "List a session's comments", commandReviewShow)
        ->add_option("SESSION", o.session, "Name or id (default: the latest one)");
}

} // namespace

void addReportCommands(CLI::App& app, Parsed& parsed)
{
    Options& o = parsed.options;
    addReport(*app.get_subcommand("session"), parsed);
    addReport(app, parsed);
    CLI::App* prompt =
        addVerb(app, parsed, "prompt", "Write the prompt for the next session: objective, gates, lessons, exact commands", commandPrompt);
    addSession(prompt, o);
    addOutput(prompt, o.report);
    addOutput(addVerb(app, parsed, "quickref", "Write the method on one page", commandQuickReference), o.report);
    addReview(app, parsed);
}

} // namespace kl
