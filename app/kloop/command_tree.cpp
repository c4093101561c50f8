// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/program.h"
#include "app/kloop/table.h"

#include <fmt/format.h>

namespace kl {

Result<int> commandTree(Program& program, const Options& options)
{
    const Result<const DiagnosisTree*> tree = program.tree();
    if (!tree)
        return tree.error();
    if (options.json) { // the very file, to edit
        fmt::print("{}", (*tree)->source());
        return 0;
    }
    Table table({"question", "class", "asks"});
    for (const DiagnosisTree::Node& node : (*tree)->nodes())
        for (const std::string& way : node.asks) {
            const bool first = &way == &node.asks.front();
            table.add({first ? node.title : std::string(), first ? node.klass : std::string(), way});
        }
    fmt::print("{}", table.text());
    return 0;
}

} // namespace kl
