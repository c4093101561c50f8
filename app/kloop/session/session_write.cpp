// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/session_pick.h"
#include "app/kloop/session/session_verbs.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/try.h"
#include "sessions/session/session_document.h"
#include "sessions/session/session_json.h"

#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

struct WriteOptions {
    std::string session;
    std::map<std::string, std::string> answers; ///< by question; those that were given
};

Result<int> writeDocument(Program& program, const WriteOptions& options)
{
    KL_ASSIGN(const SessionHeader header, pickSession(program, options.session, Pick::latest));
    KL_ASSIGN(auto* engine, program.engine());
    KL_ASSIGN(SessionView view, engine->view(header.id));
    for (const auto& [question, text] : options.answers)
        if (!text.empty()) {
            KL_ASSIGN(view, engine->write(header.id, question, text));
        }
    Json answer{{"schema", "kernelloop.document/1"}, {"session", header.name}, {"document", documentToJson(view)}};
    if (program.printed(answer))
        return 0;
    for (const DocumentAnswer& row : documentOf(view))
        printText("{}{}\n  {}\n", toned(std::string(row.question->title), Tone::strong), row.drafted ? toned(" (draft)", Tone::faint) : "",
                  row.text.empty() ? "–" : row.text);
    return 0;
}

} // namespace

Runner addSessionWrite(CLI::App& app)
{
    const auto o = std::make_shared<WriteOptions>();
    addSessionOption(app, o->session, "Name or id of the session (default: the latest one)");
    for (const DocumentQuestion& question : kDocumentQuestions)
        app.add_option(fmt::format("--{}", question.id), o->answers[std::string(question.id)], std::string(question.text));
    app.footer("Without an answer it shows the document; what nobody has written is drafted from the session's events.\n"
               "  kloop session write --root-cause \"One thread per row: 32 sectors per request\"");
    return [o](Program& program) { return writeDocument(program, *o); };
}

} // namespace kl::cli
