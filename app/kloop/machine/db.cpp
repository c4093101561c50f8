// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/common/program.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl {

Result<int> commandDbInfo(Program& program, const Options&)
{
    const Result<Store*> store = program.store();
    if (!store)
        return store.error();
    const auto rows = (*store)->info();
    if (!rows)
        return rows.error();
    Json answer{
        {"schema", "kernelloop.db/1"}, {"location", (*store)->location()}, {"read_only", (*store)->readOnly()}, {"info", Json::object()}};
    Table table({"", ""});
    for (const auto& [name, value] : *rows) {
        answer["info"][name] = value;
        table.add({name, value});
    }
    if (!program.printed(answer))
        printText("{}", table.text());
    return 0;
}

Result<int> commandDbCheck(Program& program, const Options&)
{
    const Result<Store*> store = program.store();
    if (!store)
        return store.error();
    const auto problems = (*store)->check();
    if (!problems)
        return problems.error();
    const Json answer{
        {"schema", "kernelloop.db/1"}, {"location", (*store)->location()}, {"sound", problems->empty()}, {"problems", *problems}};
    if (!program.printed(answer)) {
        printText("{} is {}.\n", (*store)->location(), problems->empty() ? "sound" : "damaged");
        for (const std::string& problem : *problems)
            printText("  {}\n", problem);
    }
    return problems->empty() ? 0 : exitCode(ErrorCode::badInput);
}

Result<int> commandDbBackup(Program& program, const Options& options)
{
    const Result<Store*> store = program.store();
    if (!store)
        return store.error();
    if (const Status done = (*store)->backup(options.first); !done)
        return done.error();
    if (!program.printed(Json{{"schema", "kernelloop.db/1"}, {"location", (*store)->location()}, {"backup", options.first}}))
        printText("Copied to {}.\n", options.first);
    return 0;
}

} // namespace kl
