// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/session_pick.h"
#include "app/kloop/session/report_files.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/read_file.h"
#include "core/base/try.h"
#include "core/base/write_file.h"
#include "sessions/report/review_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

struct ReviewExportOptions {
    std::string session;
    std::string file;
};

struct ReviewImportOptions {
    std::string file;
    std::string session; ///< only if the comments are of this one; empty: any
};

struct ReviewCommentOptions {
    std::string session;
    std::string text;
    std::string target = "session";
    std::string author;
};

Result<int> exportReview(Program& program, const ReviewExportOptions& options)
{
    KL_ASSIGN(const SessionHeader header, pickSession(program, options.session, Pick::latest));
    KL_ASSIGN(const Catalog* catalog, program.catalog());
    KL_ASSIGN(const std::string page, reviewPage(**program.store(), *catalog, header.id));
    KL_TRY(writeFile(options.file, page));
    if (!program.printAsJson(Json{{"schema", "kernelloop.review-export/1"}, {"session", header.id.text}, {"file", options.file}}))
        printText("Wrote {}. The reviewer opens it in a browser, comments, and saves it.\nThen: kloop review import FILE\n", options.file);
    return 0;
}

Result<int> importComments(Program& program, const ReviewImportOptions& options)
{
    KL_ASSIGN(const std::string file, readFile(options.file));
    const Result<const Catalog*> catalog = program.catalog();
    const Result<Store*> store = program.store();
    if (!catalog || !store)
        return store ? catalog.error() : store.error();
    SessionId only;
    if (!options.session.empty()) {
        KL_ASSIGN(const SessionHeader header, pickSession(program, options.session, Pick::latest));
        only = header.id;
    }
    KL_ASSIGN(const ReviewMerge merge, importReview(**store, **catalog, file, options.file, only));
    if (!program.printAsJson(Json{{"schema", "kernelloop.review-import/1"},
                                  {"session", merge.session.text},
                                  {"added", merge.added},
                                  {"known", merge.known},
                                  {"conflicts", merge.conflicts}}))
        printText("{} added, {} already known{}.\n", merge.added, merge.known,
                  merge.conflicts > 0
                      ? fmt::format("; {} of the added differ from a comment with the same id, and both are kept", merge.conflicts)
                      : "");
    return 0;
}

Result<int> commentOn(Program& program, const ReviewCommentOptions& options)
{
    KL_ASSIGN(const SessionHeader header, pickSession(program, options.session, Pick::latest));
    KL_ASSIGN(const SessionView view, (*program.engine())->view(header.id));
    KL_ASSIGN(const ReviewComment comment, addReviewComment(**program.store(), view, options.target, options.author, options.text));
    if (!program.printAsJson(
            Json{{"schema", "kernelloop.review-comment/1"}, {"session", header.id.text}, {"comment", commentToJson(comment)}}))
        printText("Added {}'s comment on {} of {}.\n", comment.author, comment.target, header.name);
    return 0;
}

Result<int> showComments(Program& program, const std::string& session)
{
    KL_ASSIGN(const SessionHeader header, pickSession(program, session, Pick::latest));
    KL_ASSIGN(const std::vector<ReviewComment> comments, reviewComments(**program.store(), header.id));
    Json answer{{"schema", "kernelloop.review/1"}, {"session", header.id.text}, {"name", header.name}, {"kernel", header.kernel}};
    answer["comments"] = Json::array();
    Table table({"On", "Author", "When", "Comment"});
    for (const ReviewComment& comment : comments) {
        answer["comments"].push_back(commentToJson(comment));
        table.add({comment.target, comment.author, comment.at, comment.text});
    }
    if (program.printAsJson(answer))
        return 0;
    printText("{}", comments.empty() ? fmt::format("Session {} has no comments.\n", header.name) : table.text());
    return 0;
}

constexpr const char* kReviewedSession = "Name or id (default: the latest one)";

Runner addReviewExportVerb(CLI::App& app)
{
    const auto o = std::make_shared<ReviewExportOptions>();
    app.add_option("SESSION", o->session, kReviewedSession);
    app.add_option("-o,--output", o->file, "File to write")->required()->check(notBlank);
    return [o](Program& program) { return exportReview(program, *o); };
}

Runner addReviewImportVerb(CLI::App& app)
{
    const auto o = std::make_shared<ReviewImportOptions>();
    app.add_option("FILE", o->file, "The saved page or comments")->required();
    addSessionOption(app, o->session, "Accept only comments on this session");
    return [o](Program& program) { return importComments(program, *o); };
}

Runner addReviewCommentVerb(CLI::App& app)
{
    const auto o = std::make_shared<ReviewCommentOptions>();
    app.add_option("SESSION", o->session, "Name or id")->required();
    app.add_option("TEXT", o->text, "Your comment")->required();
    app.add_option("--on", o->target, "What it is on: a gate, e.g. G3, finding, outcome or session")->capture_default_str();
    app.add_option("--author", o->author, "Your name")->required();
    return [o](Program& program) { return commentOn(program, *o); };
}

Runner addReviewShowVerb(CLI::App& app)
{
    const auto session = std::make_shared<std::string>();
    app.add_option("SESSION", *session, kReviewedSession);
    return [session](Program& program) { return showComments(program, *session); };
}

} // namespace

Runner addReview(CLI::App& app)
{
    app.footer("  kloop review export N+6 -o review.html     (the reviewer opens it, comments, and saves it)\n"
               "  kloop review import review-N+6.html\n"
               "Importing twice changes nothing. If the same comment comes back with different text, both are kept.");
    return addCommands(app, {{"export", "Write a session as one page to comment on", addReviewExportVerb},
                             {"import", "Merge the comments of a returned page, or of its JSON", addReviewImportVerb},
                             {"comment", "Comment on a part of a session", addReviewCommentVerb},
                             {"show", "List a session's comments", addReviewShowVerb}});
}

} // namespace kl::cli
