// SPDX-License-Identifier: MIT
#include "app/kloop/parse_learning.h"

#include "app/kloop/commands.h"

#include <CLI/CLI.hpp>

namespace kl {
namespace {

/// A group of verbs; its bare word is a command too.
class Group {
public:
    Group(CLI::App& app, Parsed& parsed, const char* name, const char* help, Command bare)
        : parsed_(parsed), app_(*app.add_subcommand(name, help))
    {
        app_.fallthrough();
        app_.require_subcommand(0, 1);
        // CLI11 runs a parent's callback after its verb's.
        app_.callback([this_ = &app_, &parsed, bare] {
            if (this_->get_subcommands().empty())
                parsed.command = bare;
        });
    }
    CLI::App* verb(const char* name, const char* help, Command run)
    {
        CLI::App* sub = app_.add_subcommand(name, help);
        sub->fallthrough();
        sub->callback([&parsed = parsed_, run] { parsed.command = run; });
        return sub;
    }
    CLI::App& app() { return app_; }

private:
    Parsed& parsed_;
    CLI::App& app_;
};

const char* const kSessionHelp = "Name or id of the session (default: the latest open one)";

void addPatterns(CLI::App& app, Parsed& parsed)
{
    Options& o = parsed.options;
    LearningOptions& l = o.learning;
    Group patterns(app, parsed, "patterns", "The lessons: list, search, add, apply, and what each has saved", commandPatternsList);
    patterns.app().footer("Figures that the notes quote and figures measured in this database stand apart and are never added.\n"
                          "A saving is measured as the median time of the same phase in sessions of the same kind without the pattern\n"
                          "(three at least), minus the phase's time in this session.");
    patterns.verb("list", "List all (the same as the bare word)", commandPatternsList);
    patterns.verb("show", "One pattern in full, with every use of it", commandPatternsShow)
        ->add_option("PATTERN", l.slug, "Its slug")
        ->required();
    patterns.verb("search", "Find patterns by words of title, problem and advice", commandPatternsSearch)
        ->add_option("WORDS", l.words, "All must occur; beginnings of words will do")
        ->required();
    CLI::App* add = patterns.verb("add", "Add a lesson of your own", commandPatternsAdd);
    add->add_option("--from", l.from, "Session that taught it: what is left out below is drafted from its record");
    add->add_option("--title", l.title, "What to do, in a few words");
    add->add_option("--problem", l.problem, "What went wrong without it");
    add->add_option("--advice", l.advice, "What to do");
    add->add_option("--when", l.when, "Occasion on which it is suggested, as finding or session-start");
    add->add_option("--slug", l.slug, "Its id (default: made from the title)");
    add->add_option("--minutes", l.minutes, "Minutes that it is said to save each time");
    add->add_option("--dollars", l.dollars, "Dollars that it is said to save each time");
    add->add_flag("--replace", l.replace, "Replace one of your own with the same slug");
    add->footer("In one step, after a session:\n  kloop patterns add --from N+6");
    CLI::App* apply = patterns.verb("apply", "Note that a session applied a pattern", commandPatternsApply);
    apply->add_option("PATTERN", l.slug, "Its slug")->required();
    apply->add_option("--session", o.session, kSessionHelp);
    apply->add_option("--phase", l.phase, "Phase that it was applied in (default: the present one)");
    apply->add_option("--minutes", l.minutes, "Minutes that you say it saved, in the place of the quoted ones");
    apply->add_option("--dollars", l.dollars, "Dollars that you say it saved");
    apply->add_option("--note", l.note, "How it was applied");
    CLI::App* suggest = patterns.verb("suggest", "What suits a session, a phase, a finding or an occasion", commandPatternsSuggest);
    suggest->add_option("--session", o.session, kSessionHelp);
    suggest->add_option("--phase", l.phase, "Phase of a kind of session, as profile");
    suggest->add_option("--kind", o.kind, "Kind of session that --phase is of")->capture_default_str();
    suggest->add_option("--finding", l.finding, "Class of a finding, as bank-conflicts");
    suggest->add_option("--when", l.when, "Occasion, as session-start");
    patterns.verb("roi", "What each pattern saved against what it cost to learn", commandPatternsRoi);
}

void addCost(CLI::App& app, Parsed& parsed)
{
    Options& o = parsed.options;
    LearningOptions& l = o.learning;
    Group cost(app, parsed, "cost", "What sessions cost and what came of it", commandCost);
    CLI::App* price = cost.verb("price", "GPU prices by the hour; with a GPU and a figure: set your own", commandCostPrice);
    price->add_option("GPU", o.first, "Product name, as \"NVIDIA H200\"");
    price->add_option("DOLLARS", l.dollars, "Dollars an hour");
    price->add_flag("--reset", l.reset, "Back to the shipped price");
    price->footer("  kloop cost price \"NVIDIA H200\" 3.50");
    cost.verb("rate", "The engineer's rate, dollars an hour; with a figure: set it", commandCostRate)
        ->add_option("DOLLARS", l.dollars, "Dollars an hour");
    cost.verb("budget", "What a session may cost; with a figure: set it", commandCostBudget)->add_option("DOLLARS", l.dollars, "Dollars");
    CLI::App* add = cost.verb("add", "Enter money for a session", commandCostAdd);
    add->add_option("--session", o.session, kSessionHelp);
    add->add_option("--assistant", l.assistant, "What the assistant cost, dollars");
    add->add_option("--gpu", l.gpu, "The GPU's bill, dollars: stands in the place of time × price");
    add->add_option("--other", l.other, "Anything else, dollars");
    add->add_option("--value", l.value, "What the result is worth, dollars");
    add->add_option("--note", l.note, "What for");
    add->footer("  kloop cost add --session N+6 --assistant 0.85 --note \"two hours of help\"");
    cost.verb("remove", "Take an entry back", commandCostRemove)->add_option("ENTRY", o.first, "Its id, from `kloop cost`")->required();
}

void addRoadmap(CLI::App& app, Parsed& parsed)
{
    Options& o = parsed.options;
    LearningOptions& l = o.learning;
    Group roadmap(app, parsed, "roadmap", "The plan over several weeks, with sessions as its steps", commandRoadmap);
    CLI::App* add = roadmap.verb("add", "Add a step", commandRoadmapAdd);
    add->add_option("TITLE", l.title, "What is to be reached")->required();
    add->add_option("--week", l.week, "Week of the plan, from 1")->required();
    add->add_option("--session", l.sessions, "Session that works on it; may be given several times")->allow_extra_args(false);
    CLI::App* edit = roadmap.verb("edit", "Change a step", commandRoadmapEdit);
    edit->add_option("STEP", o.first, "Its id")->required();
    edit->add_option("--title", l.title, "New title");
    edit->add_option("--week", l.week, "New week");
    edit->add_option("--session", l.sessions, "Sessions that work on it, in the place of the present ones")->allow_extra_args(false);
    CLI::Option* done = edit->add_flag("--done", l.done, "Tick it off");
    edit->add_flag("--undone", l.undone, "Not done after all")->excludes(done);
    roadmap.verb("remove", "Remove a step", commandRoadmapRemove)->add_option("STEP", o.first, "Its id")->required();
    roadmap.verb("reset", "Back to the shipped plan", commandRoadmapReset);
}

void addRecommend(CLI::App& app, Parsed& parsed)
{
    Options& o = parsed.options;
    CLI::App* sub = app.add_subcommand("recommend", "What to change next in a profiled kernel, with the chance that it pays");
    sub->fallthrough();
    sub->callback([&parsed] { parsed.command = commandRecommend; });
    sub->add_option("PROFILE", o.first, "run:ID or the start of one, or family/variant for its newest profile")->required();
    sub->add_option("--problem", o.problems, "Sizes, as M=4096,N=4096")->allow_extra_args(false);
    sub->footer("Pays: at least 1.20 times as fast, what gate 5 asks of a change. Learned from shipped measurements and your own; see\n"
                "`kloop learn model`. Without a GPU: kloop recommend transpose/naive --on sample");
}

} // namespace

void addLearningCommands(CLI::App& app, Parsed& parsed)
{
    Options& o = parsed.options;
    LearningOptions& l = o.learning;
    addPatterns(app, parsed);
    Group learning(app, parsed, "learn", "How it went over the sessions: time, money, mistakes, grades, convergence", commandLearn);
    CLI::App* learn = &learning.app();
    learning.verb("rules", "How often the findings' estimates came true, by rule", commandLearnRules);
    CLI::App* model = learning.verb("model", "What the recommender has learned, and how far it can be trusted", commandLearnModel);
    model->add_option("FILE", l.files, "Answers of `kloop profile --json` to learn from, too");
    model->add_option("--kernel", l.kernels, "A user's kernel that a FILE is of; may be given several times")->allow_extra_args(false);
    model->add_flag("--cross-validate", l.crossValidate, "Judge each family by a model that has never seen it");
    model->add_option("--markdown", o.profile.markdown, "Write the tables of the cross-validation to this file");
    model->add_option("--write", l.write, "Write the measured changes of the catalog and of the FILEs, instead of those that are shipped");
    model->footer("Shipped and own measurements together:\n  kloop learn model --cross-validate\n"
                  "The shipped ones anew, from the recording:\n  kloop learn model --on sample --write resources/fix-cases.json");
    learn->footer("Mistakes are counted from the sessions' events: actions that a rule refused, a waived environment gate, a change kept\n"
                  "although it is slower, claims that nothing was measured against, a GPU other than the target.\n"
                  "Grades: D ended undecided, or kept without proof; else A nothing missing, B one or two things, C more, out of: time\n"
                  "budget, cost target, no gate waived, no mistake, a working build within 30 min, the\n"
                  "bottleneck known within 15 min.\n"
                  "Convergence: minutes = a * decay^i, fitted on logarithms; 95 % interval from 2,000 resamples of the residuals.");
    addRecommend(app, parsed);
    addCost(app, parsed);
    addRoadmap(app, parsed);
}

} // namespace kl
