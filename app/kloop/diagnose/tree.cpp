// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/try.h"
#include "core/codec/json.h"
#include "core/diagnosis/classes.h"
#include "core/diagnosis/fix_code.h"
#include "core/diagnosis/quantities.h"
#include "core/diagnosis/tree_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

/// What the data of a tree may name.
int printNames(Program& program)
{
    Json answer{{"schema", "kernelloop.tree-names/1"}, {"quantities", Json::array()}};
    Table table({"Quantity", "Unit", "Meaning", "Computed from"});
    for (const Quantity& quantity : quantities()) {
        answer["quantities"].push_back({{"id", quantity.id}, {"title", quantity.title}, {"unit", quantity.unit}, {"how", quantity.how}});
        table.add({std::string(quantity.id), std::string(quantity.unit), std::string(quantity.title), std::string(quantity.how)});
    }
    answer["words"] = factIds();
    answer["estimates"] = estimateIds();
    answer["classes"] = kClasses;
    if (!program.printAsJson(answer))
        printText("Conditions compare quantities with thresholds; sentences name them in braces, e.g. {{waves}}.\n{}\n"
                  "Sentences may also use these words: {}\nEstimates: {}\nClasses: {}\n",
                  table.text("  "), fmt::join(factIds(), ", "), fmt::join(estimateIds(), ", "), fmt::join(kClasses, ", "));
    return 0;
}

/// A fix in code.
Result<int> printFix(Program& program, const std::string& id)
{
    KL_ASSIGN(const DiagnosisTree* tree, program.tree());
    const FixCode* code = fixCode(id);
    if (!code)
        return Error{.code = ErrorCode::notFound,
                     .message = fmt::format("There is no fix \"{}\" in the built-in tree.", id),
                     .hint = "A profile printed with --json names the fixes of its finding.",
                     .where = id}
            .leadTo({StepId::profile, {}, {{StepArgument::kernel, "Which kernel?"}}});
    const std::string title = tree->fixTitle(id);
    if (!program.printAsJson({{"schema", "kernelloop.fix-code/1"},
                              {"id", id},
                              {"title", title},
                              {"before", code->before},
                              {"after", code->after},
                              {"note", code->note}}))
        printText("{}\n\nBefore:\n{}\n\nAfter:\n{}\n{}", title, code->before, code->after,
                  code->note.empty() ? "" : '\n' + code->note + '\n');
    return 0;
}

Result<int> showTree(Program& program, bool names, const std::string& fix)
{
    if (names)
        return printNames(program);
    if (!fix.empty())
        return printFix(program, fix);
    KL_ASSIGN(const DiagnosisTree* tree, program.tree());
    if (program.options().json) { // the very file, to edit
        printRaw(tree->source());
        return 0;
    }
    Table table({"Question", "Class", "Conditions"});
    for (const DiagnosisTree::Node& node : tree->nodes())
        for (const std::string& way : node.asks) {
            const bool first = &way == &node.asks.front();
            table.add({first ? node.title : std::string(), first ? node.classId : std::string(), way});
        }
    printText("{}", table.text());
    return 0;
}

} // namespace

Runner addTree(CLI::App& app)
{
    const auto names = std::make_shared<bool>(false);
    const auto fix = std::make_shared<std::string>();
    app.add_option("--fix", *fix, "Show a fix in code, before and after, by its id, e.g. pad-shared-memory");
    app.add_flag("--names", *names, "List the names that a tree can use: quantities, words for its sentences, estimates, classes");
    app.footer("To start your own tree:\n  mkdir -p ~/.config/kernelloop\n"
               "  kloop --tree :default: tree --json > ~/.config/kernelloop/diagnosis-tree.json\n"
               "Or use --tree FILE with any command that diagnoses. Its format: docs/diagnosis-tree.md.");
    return [names, fix](Program& program) { return showTree(program, *names, *fix); };
}

} // namespace kl::cli
