// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/try.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

Result<int> showDatabase(Program& program)
{
    KL_ASSIGN(auto* store, program.store());
    KL_ASSIGN(const auto rows, store->info());
    Json answer{{"schema", "kernelloop.db/1"}, {"location", store->location()}, {"read_only", store->readOnly()}, {"info", Json::object()}};
    Table table({"", ""});
    for (const auto& [name, value] : rows) {
        answer["info"][name] = value;
        table.add({name, value});
    }
    if (!program.printAsJson(answer))
        printText("{}", table.text());
    return 0;
}

Result<int> checkDatabase(Program& program)
{
    KL_ASSIGN(auto* store, program.existingStore());
    KL_ASSIGN(const auto problems, store->check());
    const Json answer{{"schema", "kernelloop.db/1"}, {"location", store->location()}, {"sound", problems.empty()}, {"problems", problems}};
    if (!program.printAsJson(answer)) {
        printText("{} is {}.\n", store->location(), problems.empty() ? "intact" : "damaged");
        for (const std::string& problem : problems)
            printText("  {}\n", problem);
    }
    return problems.empty() ? 0 : exitCode(ErrorCode::badInput);
}

Result<int> backUpDatabase(Program& program, const std::string& file)
{
    KL_ASSIGN(auto* store, program.existingStore());
    KL_TRY(store->backup(file));
    if (!program.printAsJson(Json{{"schema", "kernelloop.db/1"}, {"location", store->location()}, {"backup", file}}))
        printText("Copied to {}.\n", file);
    return 0;
}

Runner addDbInfo(CLI::App&)
{
    return showDatabase;
}

Runner addDbCheck(CLI::App&)
{
    return checkDatabase;
}

Runner addDbBackup(CLI::App& app)
{
    const auto file = std::make_shared<std::string>();
    app.add_option("FILE", *file, "File to write; must not exist")->required()->check(notBlank);
    return [file](Program& program) { return backUpDatabase(program, *file); };
}

} // namespace

Runner addDb(CLI::App& app)
{
    return addCommands(app, {{"info", "Show its location, version and row counts", addDbInfo},
                             {"check", "Check its integrity", addDbCheck},
                             {"backup", "Write a consistent copy", addDbBackup}});
}

} // namespace kl::cli
