// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/library.h"
#include "app/kloop/improve/patterns_use.h"
#include "app/kloop/terminal/step_commands.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/base/try.h"
#include "core/codec/step_codec.h"
#include "sessions/learning/history.h"
#include "sessions/patterns/pattern_body.h"
#include "sessions/patterns/pattern_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

/// All patterns and what each brought, in one order.
struct Book {
    PatternLibrary library;
    std::vector<Pattern> patterns;
    History history;

    const PatternReturn& findGained(const std::string& slug) const
    {
        static const PatternReturn none;
        const auto found =
            std::find_if(history.patterns.begin(), history.patterns.end(), [&](const PatternReturn& row) { return row.slug == slug; });
        return found == history.patterns.end() ? none : *found;
    }
};

Result<Book> readBook(Program& program)
{
    KL_ASSIGN(PatternLibrary library, seedLibrary(program));
    const Result<Store*> store = program.store();
    KL_ASSIGN(std::vector<Pattern> patterns, (*store)->patterns());
    KL_ASSIGN(History history, loadHistory(**store));
    return Book{std::move(library), std::move(patterns), std::move(history)};
}

std::string formatQuotedSaving(const Pattern& p)
{
    if (p.quotedMinutes && p.quotedMinutesHigh)
        return fmt::format("{} to {}", formatMinutes(*p.quotedMinutes), formatMinutes(*p.quotedMinutesHigh));
    return p.quotedMinutes ? formatMinutes(*p.quotedMinutes) : p.quotedDollars ? formatMoney(*p.quotedDollars) : std::string();
}

Json bookTotalsToJson(const Book& book)
{
    Json total = returnToJson(computeTotal(book.history.patterns));
    total.erase("slug");
    total.erase("title");
    return total;
}

/// The `totals` and `quoted_totals` of an answer: of all patterns, whichever it lists.
void addTotals(Json& answer, const Book& book)
{
    answer["totals"] = bookTotalsToJson(book);
    answer["quoted_totals"] = Json::array();
    for (const QuotedTotal& total : book.library.totals)
        answer["quoted_totals"].push_back({{"what", total.what}, {"text", total.text}});
}

int printList(Program& program, const Book& book, const std::vector<Pattern>& patterns, Json answer)
{
    answer["patterns"] = Json::array();
    Table table({"Pattern", "Kind", "When", "Used>", "Measured>", "Claimed>", ""});
    for (const Pattern& p : patterns) {
        const PatternReturn& gained = book.findGained(p.slug);
        answer["patterns"].push_back(patternToJson(p, gained));
        table.add({p.slug, p.kind, p.when, fmt::format("{}", gained.applications), minutesCell(gained.measuredMinutes),
                   formatQuotedSaving(p), p.title});
    }
    addTotals(answer, book);
    std::string notes;
    for (const QuotedTotal& total : book.library.totals)
        notes += "  " + total.text + '\n';
    if (!program.printAsJson(answer))
        printText("{}\nMeasured: saved in this database so far. Claimed: said to be saved per use, not measured. The two are never added.\n"
                  "Claimed totals:\n{}",
                  table.text(), notes);
    return 0;
}

/// Of a search without a hit: with --json as a list that is empty, in words without the totals, which are not about what was searched.
int printNoMatch(Program& program, const Book& book, const std::string& query, Json answer)
{
    const std::vector<NextStep> next{NextStep{StepId::listPatterns}};
    answer["patterns"] = Json::array();
    addTotals(answer, book);
    answer["next_steps"] = stepsToJson(next);
    if (!program.printAsJson(answer))
        printText("{}\n", withCommands(fmt::format("No pattern contains all of \"{}\". List all patterns.", query), next));
    return 0;
}

std::string describeHowSaved(const Book& book, const PatternApplication& use)
{
    for (const MeasuredSaving& saving : book.history.savings)
        if (saving.session == use.session && saving.pattern == use.pattern)
            return saving.why;
    return "not measured: the session is open, or ran on recorded data";
}

std::string sessionName(const Book& book, const std::string& id)
{
    for (const HistoryRow& row : book.history.rows)
        if (row.id == id)
            return row.name;
    return id;
}

Result<int> listPatterns(Program& program)
{
    KL_ASSIGN(const Book book, readBook(program));
    return printList(program, book, book.patterns, {{"schema", "kernelloop.patterns/1"}});
}

Result<int> searchPatterns(Program& program, const std::vector<std::string>& words)
{
    KL_ASSIGN(const Book book, readBook(program));
    const std::string query = fmt::format("{}", fmt::join(words, " "));
    KL_ASSIGN(const std::vector<std::string> slugs, (*program.store())->searchPatterns(query));
    std::vector<Pattern> found;
    for (const std::string& slug : slugs)
        for (const Pattern& pattern : book.patterns)
            if (pattern.slug == slug)
                found.push_back(pattern);
    Json answer{{"schema", "kernelloop.patterns/1"}, {"query", query}};
    return found.empty() ? printNoMatch(program, book, query, std::move(answer)) : printList(program, book, found, std::move(answer));
}

Result<int> showPattern(Program& program, const std::string& slug)
{
    KL_ASSIGN(const Book book, readBook(program));
    const auto found = std::find_if(book.patterns.begin(), book.patterns.end(), [&](const Pattern& p) { return p.slug == slug; });
    if (found == book.patterns.end())
        return Error{.code = ErrorCode::notFound,
                     .message = fmt::format("There is no pattern \"{}\".", slug),
                     .hint = "See the patterns that there are.",
                     .where = slug}
            .leadTo({StepId::listPatterns});
    const PatternReturn& gained = book.findGained(slug);
    KL_ASSIGN(const PatternBody body, patternBody(**program.store(), slug));
    Json answer = patternToJson(*found, gained);
    answer["schema"] = "kernelloop.pattern/1";
    answer["body"] = bodyToJson(body);
    answer["retired"] = isRetired(**program.store(), slug);
    answer["uses"] = Json::array();
    Table table({"Session", "Measured>", "Claimed>", ""});
    for (const PatternApplication& use : book.history.applications) {
        if (use.pattern != slug)
            continue;
        Json row = applicationToJson(use);
        row["session_name"] = sessionName(book, use.session);
        row["why"] = describeHowSaved(book, use);
        answer["uses"].push_back(std::move(row));
        table.add({sessionName(book, use.session), minutesCell(use.measuredMinutes), minutesCell(use.quotedMinutes),
                   describeHowSaved(book, use) + (use.note.empty() ? "" : "; " + use.note)});
    }
    if (program.printAsJson(answer))
        return 0;
    printText("{}\n{}{} · {}\n\nProblem: {}\nWhat to do: {}\nClaimed: {}\nOrigin: {}\n", applyTone(found->title, Tone::strong),
              found->label.empty() ? "" : "No. " + found->label + " · ", found->kind, found->slug, found->problem, found->advice,
              formatQuotedSaving(*found).empty() ? "none" : formatQuotedSaving(*found) + " per use",
              found->origin.empty() ? "your own" : found->origin);
    printText("{}", renderPatternBody(body));
    printText("{}", table.empty() ? "\nNot applied in this database yet.\n" : "\n" + table.text());
    return 0;
}

Result<int> listReturns(Program& program)
{
    KL_ASSIGN(const Book book, readBook(program));
    Json answer{{"schema", "kernelloop.pattern-returns/1"}, {"engineer_rate", book.history.engineerRate}, {"patterns", Json::array()}};
    Table table({"Pattern", "Used>", "Learned in", "Cost to learn>", "Measured>", "Return>", "Claimed>", "Return>"});
    const auto add = [&](const PatternReturn& row, const std::string& name) {
        const std::string cost = !row.investedLow ? std::string()
                                 : *row.investedLow == *row.investedHigh
                                     ? formatMinutes(*row.investedHigh)
                                     : fmt::format("{} to {}", formatMinutes(*row.investedLow), formatMinutes(*row.investedHigh));
        table.add({name, fmt::format("{}", row.applications), row.learnedIn, cost, minutesCell(row.measuredMinutes),
                   row.measuredReturn ? formatRatio(*row.measuredReturn) : "", minutesCell(row.quotedMinutes),
                   row.quotedReturn ? formatRatio(*row.quotedReturn) : ""});
    };
    for (const PatternReturn& row : book.history.patterns) {
        answer["patterns"].push_back(returnToJson(row));
        if (row.applications > 0 || row.investedLow)
            add(row, row.slug);
    }
    answer["total"] = bookTotalsToJson(book);
    add(computeTotal(book.history.patterns), "all");
    if (!program.printAsJson(answer))
        printText("{}\nCost to learn: the time of the session that taught it, divided among the patterns that it taught. Return: minutes "
                  "saved /\n"
                  "the higher of these costs. A pattern whose session has no recorded time has no return.\n",
                  table.text());
    return 0;
}

Runner addPatternsList(CLI::App&)
{
    return listPatterns;
}

Runner addPatternsShow(CLI::App& app)
{
    const auto slug = std::make_shared<std::string>();
    app.add_option("PATTERN", *slug, "Its slug")->required();
    return [slug](Program& program) { return showPattern(program, *slug); };
}

Runner addPatternsSearch(CLI::App& app)
{
    const auto words = std::make_shared<std::vector<std::string>>();
    app.add_option("WORDS", *words, "All must occur; beginnings of words match too")->required();
    return [words](Program& program) { return searchPatterns(program, *words); };
}

Runner addPatternsRoi(CLI::App&)
{
    return listReturns;
}

} // namespace

Runner addPatterns(CLI::App& app)
{
    app.footer("Claimed savings and those measured in this database are shown separately and are never added.\n"
               "A measured saving is the median time of the same stage in sessions of the same kind without the pattern\n"
               "(at least three) minus the stage's time in this session.");
    return addCommands(app,
                       {{"list", "List all (the default)", addPatternsList},
                        {"show", "Show one pattern in full, with every use of it", addPatternsShow},
                        {"search", "Find patterns by words of their title, problem and advice", addPatternsSearch},
                        {"add", "Add a lesson of your own", addPatternsAdd},
                        {"edit", "Write why, evidence, steps, code and checklist of a pattern of your own", addPatternsEdit},
                        {"retire", "Stop suggesting a pattern of your own", addPatternsRetire},
                        {"apply", "Record that a session applied a pattern", addPatternsApply},
                        {"suggest", "Suggest patterns for a session, a stage, a finding or an occasion", addPatternsSuggest},
                        {"roi", "Show what each pattern saved compared with what it cost to learn", addPatternsRoi}},
                       listPatterns);
}

} // namespace kl::cli
