// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/common/library.h"
#include "app/kloop/common/session_pick.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/diagnosis/classes.h"
#include "sessions/patterns/add_pattern.h"
#include "sessions/patterns/pattern_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

/// What the command line says stands in the place of what the session suggests.
void reword(Pattern& pattern, const LearningOptions& said)
{
    const bool renamed = !said.title.empty();
    for (const auto& [text, field] : {std::pair{&said.title, &pattern.title}, std::pair{&said.problem, &pattern.problem},
                                      std::pair{&said.advice, &pattern.advice}, std::pair{&said.when, &pattern.when}})
        if (!text->empty())
            *field = *text;
    if (renamed)
        pattern.slug.clear(); // made anew from the title
    if (!said.slug.empty())
        pattern.slug = said.slug;
    pattern.quotedMinutes = said.minutes;
    pattern.quotedDollars = said.dollars;
}

int printSuggestions(Program& program, Json answer, const std::vector<Suggestion>& suggestions, const std::vector<Pattern>& patterns,
                     const std::string& session)
{
    answer["suggestions"] = Json::array();
    Table table({"pattern", "", "why"});
    for (const Suggestion& suggestion : suggestions) {
        Json row = suggestionToJson(suggestion, patterns);
        if (!session.empty()) {
            row["argv"] = {"kloop", "patterns", "apply", suggestion.slug, "--session", session};
            row["command"] = fmt::format("kloop patterns apply {} --session {}", suggestion.slug, session);
        }
        table.add({suggestion.slug, row["title"].get<std::string>(), suggestion.why + (suggestion.applied ? "; applied" : "")});
        answer["suggestions"].push_back(std::move(row));
    }
    if (!program.printed(answer))
        printText("{}", table.empty() ? "No pattern suits.\n" : table.text());
    return 0;
}

} // namespace

Result<int> commandPatternsAdd(Program& program, const Options& options)
{
    if (const Result<PatternLibrary> library = seededLibrary(program); !library)
        return library.error();
    if (options.learning.from.empty() && options.learning.title.empty())
        return Error{ErrorCode::usage,
                     "The pattern has no title.",
                     "Say --title, --problem and --advice, or --from SESSION, which drafts them. Run kloop patterns add --help.",
                     "--title",
                     {}};
    Pattern pattern;
    if (!options.learning.from.empty()) {
        const Result<SessionEngine*> engine = program.engine();
        if (!engine)
            return engine.error();
        const Result<SessionId> id = (*engine)->find(options.learning.from);
        if (!id)
            return id.error();
        const Result<SessionView> view = (*engine)->view(*id);
        if (!view)
            return view.error();
        pattern = draftPattern(*view);
    }
    reword(pattern, options.learning);
    const Result<Pattern> added = addPattern(**program.store(), std::move(pattern), options.learning.replace);
    if (!added)
        return added.error();
    Json answer = patternToJson(*added, {});
    answer["schema"] = "kernelloop.pattern/1";
    if (!program.printed(answer))
        printText("Added {}: {}\n  {}\n  {}\n", toned(added->slug, Tone::strong), added->title, added->problem, added->advice);
    return 0;
}

Result<int> commandPatternsApply(Program& program, const Options& options)
{
    if (const Result<PatternLibrary> library = seededLibrary(program); !library)
        return library.error();
    const Result<SessionHeader> header = pickSession(program, options, Pick::open);
    if (!header)
        return header.error();
    const LearningOptions& said = options.learning;
    const Result<SessionView> before = (*program.engine())->view(header->id);
    if (!before)
        return before.error();
    const bool again =
        std::find(before->patternsApplied.begin(), before->patternsApplied.end(), said.slug) != before->patternsApplied.end();
    const Result<SessionView> view =
        (*program.engine())->applyPattern(header->id, said.slug, {said.phase, said.minutes, said.dollars, said.note});
    if (!view)
        return view.error();
    const auto applications = (*program.store())->applications();
    if (!applications)
        return applications.error();
    Json answer{{"schema", "kernelloop.pattern-application/1"}, {"again", again}};
    for (const PatternApplication& use : *applications)
        if (use.session == header->id.text && use.pattern == said.slug)
            answer.update(applicationToJson(use));
    if (program.printed(answer))
        return 0;
    const std::string quoted = answer["quoted_minutes"].is_number()   ? formatMinutes(answer["quoted_minutes"].get<double>())
                               : answer["quoted_dollars"].is_number() ? formatMoney(answer["quoted_dollars"].get<double>())
                                                                      : std::string("nothing");
    printText("{} {} in {}.\nQuoted: {}. What it saved here is measured when the session has ended.\n", said.slug,
              again ? "was applied already" : "applied", header->name, quoted);
    return 0;
}

Result<int> commandPatternsSuggest(Program& program, const Options& options)
{
    const Result<PatternLibrary> library = seededLibrary(program);
    if (!library)
        return library.error();
    const Result<std::vector<Pattern>> patterns = (*program.store())->patterns();
    if (!patterns)
        return patterns.error();
    const LearningOptions& said = options.learning;
    if (!said.phase.empty()) {
        const Result<std::vector<Suggestion>> found = suggestionsInPhase(*library, *patterns, options.kind, said.phase);
        if (!found)
            return found.error();
        return printSuggestions(program, {{"schema", "kernelloop.pattern-suggestions/1"}, {"kind", options.kind}, {"phase", said.phase}},
                                *found, *patterns, {});
    }
    if (!said.finding.empty() || !said.when.empty()) {
        const std::string when = said.when.empty() ? occasion::kFinding : said.when;
        if (std::find(occasions().begin(), occasions().end(), when) == occasions().end())
            return Error{ErrorCode::badInput,
                         fmt::format("\"{}\" is no occasion.", when),
                         fmt::format("Occasions: {}.", fmt::join(occasions(), ", ")),
                         "--when",
                         {}};
        if (!said.finding.empty() && !isClass(said.finding))
            return Error{ErrorCode::badInput,
                         fmt::format("\"{}\" is no class of a finding.", said.finding),
                         fmt::format("Classes: {}.", fmt::join(kClasses, ", ")),
                         "--finding",
                         {}};
        const std::vector<Suggestion> found = suggestionsOn(*library, *patterns, when, said.finding);
        return printSuggestions(program, {{"schema", "kernelloop.pattern-suggestions/1"}, {"when", when}, {"finding", said.finding}}, found,
                                *patterns, {});
    }
    const Result<SessionHeader> header = pickSession(program, options, Pick::open);
    if (!header)
        return header.error();
    const Result<SessionView> view = (*program.engine())->view(header->id);
    if (!view)
        return view.error();
    return printSuggestions(program, {{"schema", "kernelloop.pattern-suggestions/1"}, {"session", header->name}, {"phase", view->phase}},
                            suggestionsFor(*library, *patterns, *view), *patterns, header->id.text);
}

} // namespace kl
