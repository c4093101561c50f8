// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/session_pick.h"
#include "app/kloop/session/session_verbs.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/try.h"
#include "sessions/learning/next_session_step.h"
#include "sessions/patterns/session_lesson.h"
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
    bool lesson = false;                        ///< to the patterns
    bool roadmap = false;                       ///< the next step to the roadmap
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
    KL_ASSIGN(auto* store, program.store());
    if (options.lesson) {
        KL_ASSIGN(const Pattern pattern, saveLesson(*store, view));
        answer["pattern"] = pattern.slug;
    }
    if (options.roadmap) {
        KL_ASSIGN(const RoadmapStep step, planNextSession(*store, view));
        answer["roadmap_step"] = step.id;
    }
    if (program.printAsJson(answer))
        return 0;
    for (const char* key : {"pattern", "roadmap_step"})
        if (answer.contains(key))
            printText("{}: {}\n", key == std::string_view("pattern") ? "Pattern" : "Step of the roadmap", answer[key].get<std::string>());
    for (const DocumentAnswer& row : composeDocument(view))
        printText("{}{}\n  {}\n", applyTone(std::string(row.question->title), Tone::strong),
                  row.drafted ? applyTone(" (draft)", Tone::faint) : "", row.text.empty() ? "–" : row.text);
    return 0;
}

} // namespace

Runner addSessionWrite(CLI::App& app)
{
    const auto o = std::make_shared<WriteOptions>();
    addSessionOption(app, o->session, "Name or id of the session (default: the latest one)");
    for (const DocumentQuestion& question : kDocumentQuestions)
        app.add_option(fmt::format("--{}", question.id), o->answers[std::string(question.id)], std::string(question.text));
    app.add_flag("--to-patterns", o->lesson, "Keep the session's lesson as a pattern of your own");
    app.add_flag("--to-roadmap", o->roadmap, "Put the next session's first step on the roadmap");
    app.footer("Without an answer it shows the document; what nobody has written is drafted from the session's events.\n"
               "  kloop session write --root-cause \"One thread per row: 32 sectors per request\"");
    return [o](Program& program) { return writeDocument(program, *o); };
}

} // namespace kl::cli
