// SPDX-License-Identifier: MIT
// kloop session rename, tag, untag, delete.
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/labels.h"
#include "app/kloop/common/session_pick.h"
#include "app/kloop/session/session_verbs.h"
#include "app/kloop/terminal/streams.h"
#include "core/base/try.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

Result<int> renameSession(Program& program, const std::string& session, const std::string& name)
{
    KL_ASSIGN(const SessionHeader header, pickSession(program, session, Pick::latest));
    KL_ASSIGN(auto* store, program.store());
    KL_TRY(store->renameSession(header.id, name));
    if (!program.printAsJson({{"schema", "kernelloop.sessions/1"}, {"id", header.id.text}, {"name", name}, {"before", header.name}}))
        printText("{} is now {}.\n", header.name, name);
    return 0;
}

Result<int> deleteSession(Program& program, const std::string& session, bool confirmed)
{
    KL_ASSIGN(const SessionHeader header, pickSession(program, session, Pick::latest));
    KL_ASSIGN(auto* store, program.store());
    KL_TRY(checkStorable(*store));
    KL_ASSIGN(const Dependents with, store->dependents(header.id));
    const std::string lost = fmt::format("session {} ({}){}", header.name, header.kernel, describeLost(with));
    if (!confirmed)
        return makeUnconfirmedError(lost + "; its runs stay");
    KL_TRY(store->removeSession(header.id));
    if (!program.printAsJson({{"schema", "kernelloop.sessions/1"}, {"deleted", header.id.text}}))
        printText("Deleted: {}.\n", lost);
    return 0;
}

} // namespace

Runner addSessionRename(CLI::App& app)
{
    const auto session = std::make_shared<std::string>();
    const auto name = std::make_shared<std::string>();
    app.add_option("SESSION", *session, "Name or id")->required();
    app.add_option("NAME", *name, "Its new name")->required();
    return [session, name](Program& program) { return renameSession(program, *session, *name); };
}

Runner addSessionDelete(CLI::App& app)
{
    const auto session = std::make_shared<std::string>();
    const auto yes = std::make_shared<bool>(false);
    app.add_option("SESSION", *session, "Name or id")->required();
    app.add_flag("--yes", *yes, "Delete; without --yes, only list what would be deleted");
    return [session, yes](Program& program) { return deleteSession(program, *session, *yes); };
}

Runner addSessionTag(CLI::App& app, bool on)
{
    const auto session = std::make_shared<std::string>();
    const auto tags = std::make_shared<std::vector<std::string>>();
    app.add_option("SESSION", *session, "Name or id")->required();
    app.add_option("TAG", *tags, "Words")->required();
    return [session, tags, on](Program& program) -> Result<int> {
        KL_ASSIGN(const SessionHeader header, pickSession(program, *session, Pick::latest));
        return setTags(program, "session:" + header.id.text, *tags, on);
    };
}

} // namespace kl::cli
