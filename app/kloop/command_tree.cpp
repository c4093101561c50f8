// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/program.h"
#include "app/kloop/streams.h"
#include "app/kloop/table.h"
#include "core/codec/json.h"
#include "core/diagnosis/classes.h"
#include "core/diagnosis/quantities.h"
#include "core/diagnosis/tree_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

/// What the data of a tree may name.
int printNames(Program& program)
{
    Json answer{{"schema", "kernelloop.tree-names/1"}, {"quantities", Json::array()}};
    Table table({"quantity", "unit", "what it is", "made of"});
    for (const Quantity& quantity : quantities()) {
        answer["quantities"].push_back({{"id", quantity.id}, {"title", quantity.title}, {"unit", quantity.unit}, {"how", quantity.how}});
        table.add({std::string(quantity.id), std::string(quantity.unit), std::string(quantity.title), std::string(quantity.how)});
    }
    answer["words"] = factIds();
    answer["estimates"] = estimateIds();
    answer["classes"] = kClasses;
    if (!program.printed(answer))
        printText("Conditions compare quantities with thresholds; sentences hold them in braces, as {{waves}}.\n{}\n"
                  "Sentences may hold these words, too: {}\nestimate: {}\nclass: {}\n",
                  table.text("  "), fmt::join(factIds(), ", "), fmt::join(estimateIds(), ", "), fmt::join(kClasses, ", "));
    return 0;
}

} // namespace

Result<int> commandTree(Program& program, const Options& options)
{
    if (options.profile.treeNames)
        return printNames(program);
    const Result<const DiagnosisTree*> tree = program.tree();
    if (!tree)
        return tree.error();
    if (options.json) { // the very file, to edit
        printRaw((*tree)->source());
        return 0;
    }
    Table table({"question", "class", "asks"});
    for (const DiagnosisTree::Node& node : (*tree)->nodes())
        for (const std::string& way : node.asks) {
            const bool first = &way == &node.asks.front();
            table.add({first ? node.title : std::string(), first ? node.classId : std::string(), way});
        }
    printText("{}", table.text());
    return 0;
}

} // namespace kl
