// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/library.h"
#include "app/kloop/session/session_report.h"
#include "app/kloop/terminal/step_commands.h"
#include "core/base/try.h"

namespace kl::cli {
namespace {

struct PromptOptions {
    std::string session;
    ReportOutput output;
};

Result<int> writePrompt(Program& program, const PromptOptions& options)
{
    KL_ASSIGN([[maybe_unused]] const PatternLibrary library, seedLibrary(program));
    return answerForSession(program, options.session, options.output, [](const Store& store, const Catalog& catalog, const SessionId& id) {
        return expertPrompt(store, catalog, id, formatCommand);
    });
}

} // namespace

Runner addPrompt(CLI::App& app)
{
    const auto o = std::make_shared<PromptOptions>();
    addSessionOption(app, o->session, "Name or id of the session (default: the latest one)");
    addOutput(app, o->output);
    return [o](Program& program) { return writePrompt(program, *o); };
}

} // namespace kl::cli
