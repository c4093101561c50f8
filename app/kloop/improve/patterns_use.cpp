// SPDX-License-Identifier: MIT
#include "app/kloop/improve/patterns_use.h"
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/library.h"
#include "app/kloop/common/session_pick.h"
#include "app/kloop/terminal/step_commands.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/base/try.h"
#include "core/diagnosis/classes.h"
#include "sessions/patterns/add_pattern.h"
#include "sessions/patterns/pattern_body.h"
#include "sessions/patterns/pattern_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

struct PatternAddOptions {
    std::string from; ///< session whose lesson it is
    std::string title;
    std::string problem;
    std::string advice;
    std::string when;
    std::string slug;
    std::optional<double> minutes;
    std::optional<double> dollars;
    bool replace = false;
};

struct PatternApplyOptions {
    std::string slug;
    std::string session;
    std::string phase;
    std::optional<double> minutes;
    std::optional<double> dollars;
    std::string note;
};

struct PatternSuggestOptions {
    std::string session;
    std::string phase;
    std::string kind = "optimize";
    std::string finding; ///< class
    std::string when;
};

/// The options override what the session suggests.
void reword(Pattern& pattern, const PatternAddOptions& requested)
{
    const bool renamed = !requested.title.empty();
    for (const auto& [text, field] : {std::pair{&requested.title, &pattern.title}, std::pair{&requested.problem, &pattern.problem},
                                      std::pair{&requested.advice, &pattern.advice}, std::pair{&requested.when, &pattern.when}})
        if (!text->empty())
            *field = *text;
    if (renamed)
        pattern.slug.clear(); // made again from the title
    if (!requested.slug.empty())
        pattern.slug = requested.slug;
    pattern.quotedMinutes = requested.minutes;
    pattern.quotedDollars = requested.dollars;
}

int printSuggestions(Program& program, Json answer, const std::vector<Suggestion>& suggestions, const std::vector<Pattern>& patterns,
                     const std::string& session)
{
    answer["suggestions"] = Json::array();
    Table table({"Pattern", "", "Why"});
    for (const Suggestion& suggestion : suggestions) {
        Json row = suggestionToJson(suggestion, patterns);
        if (!session.empty()) { // as before `next`
            const NextStep step{StepId::applyPattern, {{StepArgument::pattern, suggestion.slug}, {StepArgument::session, session}}, {}};
            row["argv"] = makeArgv(step);
            row["command"] = formatCommand(step);
        }
        table.add({suggestion.slug, row["title"].get<std::string>(), suggestion.why + (suggestion.applied ? "; applied" : "")});
        answer["suggestions"].push_back(std::move(row));
    }
    if (program.printAsJson(answer))
        return 0;
    printText("{}", table.empty() ? "No pattern applies.\n" : table.text());
    if (const auto first = std::ranges::find(suggestions, false, &Suggestion::applied); first != suggestions.end())
        printText("\n{}\n", withCommands(fmt::format("Begin with {}.", first->slug), first->next));
    return 0;
}

Result<int> addLesson(Program& program, const PatternAddOptions& options)
{
    KL_ASSIGN([[maybe_unused]] const PatternLibrary library, seedLibrary(program));
    if (options.from.empty() && options.title.empty())
        return Error{.code = ErrorCode::usage,
                     .message = "The pattern has no title.",
                     .hint = "Give --title, --problem and --advice, or --from SESSION, which drafts them. Run kloop patterns add --help.",
                     .where = "--title"};
    Pattern pattern;
    if (!options.from.empty()) {
        KL_ASSIGN(auto* engine, program.engine());
        KL_ASSIGN(const SessionId id, engine->find(options.from));
        KL_ASSIGN(const SessionView view, engine->view(id));
        pattern = draftPattern(view);
    }
    reword(pattern, options);
    KL_ASSIGN(const Pattern added, addPattern(**program.store(), std::move(pattern), options.replace));
    Json answer = patternToJson(added, {});
    answer["schema"] = "kernelloop.pattern/1";
    if (!program.printAsJson(answer))
        printText("Added {}: {}\n  {}\n  {}\n", applyTone(added.slug, Tone::strong), added.title, added.problem, added.advice);
    return 0;
}

Result<int> applyPattern(Program& program, const PatternApplyOptions& requested)
{
    KL_ASSIGN([[maybe_unused]] const PatternLibrary library, seedLibrary(program));
    KL_ASSIGN(const SessionHeader header, pickSession(program, requested.session, Pick::open));
    KL_ASSIGN(const SessionView before, (*program.engine())->view(header.id));
    const bool again =
        std::find(before.patternsApplied.begin(), before.patternsApplied.end(), requested.slug) != before.patternsApplied.end();
    KL_ASSIGN([[maybe_unused]] const auto applied,
              (*program.engine())
                  ->applyPattern(header.id, requested.slug, {requested.phase, requested.minutes, requested.dollars, requested.note}));
    KL_ASSIGN(const auto applications, (*program.store())->applications());
    Json answer{{"schema", "kernelloop.pattern-application/1"}, {"again", again}};
    for (const PatternApplication& use : applications)
        if (use.session == header.id.text && use.pattern == requested.slug)
            answer.update(applicationToJson(use));
    if (program.printAsJson(answer))
        return 0;
    const std::string quoted = answer["quoted_minutes"].is_number()   ? formatMinutes(answer["quoted_minutes"].get<double>())
                               : answer["quoted_dollars"].is_number() ? formatMoney(answer["quoted_dollars"].get<double>())
                                                                      : std::string("none");
    printText("{} {} in {}.\nClaimed saving: {}. The saving here is measured when the session has ended.\n", requested.slug,
              again ? "was already applied" : "applied", header.name, quoted);
    return 0;
}

Result<int> suggestPatterns(Program& program, const PatternSuggestOptions& requested)
{
    KL_ASSIGN(const PatternLibrary library, seedLibrary(program));
    KL_ASSIGN(auto* store, program.store());
    KL_ASSIGN(std::vector<Pattern> patterns, store->patterns());
    std::erase_if(patterns, [&](const Pattern& pattern) { return isRetired(*store, pattern.slug); });
    if (!requested.phase.empty()) {
        KL_ASSIGN(const std::vector<Suggestion> found, suggestionsInPhase(library, patterns, requested.kind, requested.phase));
        return printSuggestions(program,
                                {{"schema", "kernelloop.pattern-suggestions/1"}, {"kind", requested.kind}, {"phase", requested.phase}},
                                found, patterns, {});
    }
    if (!requested.finding.empty() || !requested.when.empty()) {
        const std::string when = requested.when.empty() ? occasion::kFinding : requested.when;
        if (std::find(occasions().begin(), occasions().end(), when) == occasions().end())
            return Error{.code = ErrorCode::badInput,
                         .message = fmt::format("Unknown occasion \"{}\".", when),
                         .hint = fmt::format("Occasions: {}.", fmt::join(occasions(), ", ")),
                         .where = "--when"};
        if (!requested.finding.empty() && !isClass(requested.finding))
            return Error{.code = ErrorCode::badInput,
                         .message = fmt::format("Unknown class \"{}\".", requested.finding),
                         .hint = fmt::format("Classes: {}.", fmt::join(kClasses, ", ")),
                         .where = "--finding"};
        const std::vector<Suggestion> found = suggestionsOn(library, patterns, when, requested.finding);
        return printSuggestions(program, {{"schema", "kernelloop.pattern-suggestions/1"}, {"when", when}, {"finding", requested.finding}},
                                found, patterns, {});
    }
    KL_ASSIGN(const SessionHeader header, pickSession(program, requested.session, Pick::open));
    KL_ASSIGN(const SessionView view, (*program.engine())->view(header.id));
    return printSuggestions(program, {{"schema", "kernelloop.pattern-suggestions/1"}, {"session", header.name}, {"phase", view.phase}},
                            suggestionsFor(library, patterns, view), patterns, header.id.text);
}

} // namespace

Runner addPatternsAdd(CLI::App& app)
{
    const auto o = std::make_shared<PatternAddOptions>();
    app.add_option("--from", o->from, "Session that taught it: what you leave out below is drafted from its record");
    app.add_option("--title", o->title, "What to do, in a few words");
    app.add_option("--problem", o->problem, "What went wrong without it");
    app.add_option("--advice", o->advice, "What to do");
    app.add_option("--when", o->when, "Occasion on which it is suggested, e.g. finding or session-start");
    app.add_option("--slug", o->slug, "Its id (default: made from the title)");
    app.add_option("--minutes", o->minutes, "Minutes that it is claimed to save per use");
    app.add_option("--dollars", o->dollars, "Dollars that it is claimed to save per use");
    app.add_flag("--replace", o->replace, "Replace your own pattern with the same slug");
    app.footer("In one step, after a session:\n  kloop patterns add --from N+6");
    return [o](Program& program) { return addLesson(program, *o); };
}

Runner addPatternsApply(CLI::App& app)
{
    const auto o = std::make_shared<PatternApplyOptions>();
    app.add_option("PATTERN", o->slug, "Its slug")->required();
    addSessionOption(app, o->session);
    app.add_option("--phase", o->phase, "Stage in which it was applied (default: the current one)");
    app.add_option("--minutes", o->minutes, "Minutes that it saved, instead of the claimed ones");
    app.add_option("--dollars", o->dollars, "Dollars that it saved");
    app.add_option("--note", o->note, "How it was applied");
    return [o](Program& program) { return applyPattern(program, *o); };
}

Runner addPatternsSuggest(CLI::App& app)
{
    const auto o = std::make_shared<PatternSuggestOptions>();
    addSessionOption(app, o->session);
    app.add_option("--phase", o->phase, "Stage of a kind of session, e.g. profile");
    app.add_option("--kind", o->kind, "Kind of session for --phase")->capture_default_str();
    app.add_option("--finding", o->finding, "Class of a finding, e.g. bank-conflicts");
    app.add_option("--when", o->when, "Occasion, e.g. session-start");
    return [o](Program& program) { return suggestPatterns(program, *o); };
}

} // namespace kl::cli
