// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/library.h"
#include "app/kloop/improve/patterns_use.h"
#include "app/kloop/terminal/streams.h"
#include "core/base/try.h"
#include "sessions/patterns/pattern_body.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

struct PatternEditOptions {
    std::string slug;
    PatternBody change;
};

Result<int> editPattern(Program& program, const PatternEditOptions& options)
{
    if (options.change == PatternBody{})
        return Error{.code = ErrorCode::usage,
                     .message = "No change is given.",
                     .hint = "Give --why, --evidence, --step, --before, --after, --example or --check.",
                     .where = options.slug};
    KL_ASSIGN([[maybe_unused]] const PatternLibrary library, seedLibrary(program)); // a shipped pattern is refused as such
    KL_ASSIGN(auto* store, program.store());
    KL_TRY(editPatternBody(*store, options.slug, options.change));
    KL_ASSIGN(const PatternBody body, patternBody(*store, options.slug));
    Json answer = bodyToJson(body);
    answer["schema"] = "kernelloop.pattern-body/1";
    answer["slug"] = options.slug;
    if (!program.printAsJson(answer))
        printText("{}", renderPatternBody(body));
    return 0;
}

Result<int> retire(Program& program, const std::string& slug, bool retired)
{
    KL_ASSIGN([[maybe_unused]] const PatternLibrary library, seedLibrary(program)); // a shipped pattern is refused as such
    KL_ASSIGN(auto* store, program.store());
    KL_TRY(retirePattern(*store, slug, retired));
    if (!program.printAsJson({{"schema", "kernelloop.pattern-retired/1"}, {"slug", slug}, {"retired", retired}}))
        printText("{} is {}.\n", slug, retired ? "retired: it is no longer suggested" : "back in use");
    return 0;
}

} // namespace

std::string renderPatternBody(const PatternBody& body)
{
    std::string text;
    const auto line = [&](const char* title, const std::string& words) {
        if (!words.empty())
            text += fmt::format("{}: {}\n", title, words);
    };
    line("Why", body.why);
    line("Evidence", body.evidence);
    for (std::size_t i = 0; i < body.steps.size(); ++i)
        text += fmt::format("  {}. {}\n", i + 1, body.steps[i]);
    const auto code = [&](const char* title, const std::string& words) {
        if (words.empty())
            return;
        text += fmt::format("{}:\n", title);
        for (std::size_t at = 0; at <= words.size();) {
            const std::size_t end = std::min(words.find('\n', at), words.size());
            text += fmt::format("    {}\n", words.substr(at, end - at));
            at = end + 1;
        }
    };
    code("Before", body.before);
    code("After", body.after);
    line("Example", body.example);
    for (const std::string& item : body.checklist)
        text += fmt::format("  [ ] {}\n", item);
    return text;
}

Runner addPatternsEdit(CLI::App& app)
{
    const auto o = std::make_shared<PatternEditOptions>();
    app.add_option("PATTERN", o->slug, "The slug of a pattern of your own")->required();
    app.add_option("--why", o->change.why, "Why it holds");
    app.add_option("--evidence", o->change.evidence, "A measurement that shows it");
    addRepeated(app, "--step", o->change.steps, "A step, in order, replacing the current ones; may be given several times");
    app.add_option("--before", o->change.before, "Code without it");
    app.add_option("--after", o->change.after, "Code with it");
    app.add_option("--example", o->change.example, "Where it was used");
    addRepeated(app, "--check", o->change.checklist, "A line of the checklist, replacing the current ones; may be given several times");
    app.footer("Title, problem and advice: kloop patterns add --slug PATTERN --replace");
    return [o](Program& program) { return editPattern(program, *o); };
}

Runner addPatternsRetire(CLI::App& app)
{
    const auto o = std::make_shared<std::pair<std::string, bool>>();
    app.add_option("PATTERN", o->first, "The slug of a pattern of your own")->required();
    app.add_flag("--undo", o->second, "Suggest it again");
    return [o](Program& program) { return retire(program, o->first, !o->second); };
}

} // namespace kl::cli
