// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/common/report_files.h"
#include "app/kloop/common/session_pick.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/write_file.h"
#include "sessions/report/review_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl {

Result<int> commandReviewExport(Program& program, const Options& options)
{
    const Result<SessionHeader> header = pickSession(program, options, Pick::latest);
    if (!header)
        return header.error();
    const Result<const Catalog*> catalog = program.catalog();
    if (!catalog)
        return catalog.error();
    const Result<std::string> page = reviewPage(**program.store(), **catalog, header->id);
    if (!page)
        return page.error();
    if (const Status written = writeFile(options.report.output, *page); !written)
        return written.error();
    if (!program.printed(Json{{"schema", "kernelloop.review-export/1"}, {"session", header->id.text}, {"file", options.report.output}}))
        printText("Wrote {}. The reviewer opens it in a browser, comments, and saves it.\nThen: kloop review import FILE\n",
                  options.report.output);
    return 0;
}

Result<int> commandReviewImport(Program& program, const Options& options)
{
    const Result<std::string> file = readFile(options.first);
    if (!file)
        return file.error();
    const Result<const Catalog*> catalog = program.catalog();
    const Result<Store*> store = program.store();
    if (!catalog || !store)
        return store ? catalog.error() : store.error();
    SessionId only;
    if (!options.session.empty()) {
        const Result<SessionHeader> header = pickSession(program, options, Pick::latest);
        if (!header)
            return header.error();
        only = header->id;
    }
    const Result<ReviewMerge> merge = importReview(**store, **catalog, *file, options.first, only);
    if (!merge)
        return merge.error();
    if (!program.printed(Json{{"schema", "kernelloop.review-import/1"},
                              {"session", merge->session.text},
                              {"added", merge->added},
                              {"known", merge->known},
                              {"conflicts", merge->conflicts}}))
        printText("{} added, {} known already{}.\n", merge->added, merge->known,
                  merge->conflicts > 0 ? fmt::format("; {} of the added differ from one of the same id, both are kept", merge->conflicts)
                                       : "");
    return 0;
}

Result<int> commandReviewComment(Program& program, const Options& options)
{
    const Result<SessionHeader> header = pickSession(program, options, Pick::latest);
    if (!header)
        return header.error();
    const Result<SessionView> view = (*program.engine())->view(header->id);
    if (!view)
        return view.error();
    const ReportOptions& r = options.report;
    const Result<ReviewComment> comment = addReviewComment(**program.store(), *view, r.target, r.author, r.text);
    if (!comment)
        return comment.error();
    if (!program.printed(
            Json{{"schema", "kernelloop.review-comment/1"}, {"session", header->id.text}, {"comment", commentToJson(*comment)}}))
        printText("{} on {} of {}: noted.\n", comment->author, comment->target, header->name);
    return 0;
}

Result<int> commandReviewShow(Program& program, const Options& options)
{
    const Result<SessionHeader> header = pickSession(program, options, Pick::latest);
    if (!header)
        return header.error();
    const Result<std::vector<ReviewComment>> comments = reviewComments(**program.store(), header->id);
    if (!comments)
        return comments.error();
    Json answer{{"schema", "kernelloop.review/1"}, {"session", header->id.text}, {"name", header->name}, {"kernel", header->kernel}};
    answer["comments"] = Json::array();
    Table table({"on", "who", "when", "what"});
    for (const ReviewComment& comment : *comments) {
        answer["comments"].push_back(commentToJson(comment));
        table.add({comment.target, comment.author, comment.at, comment.text});
    }
    if (program.printed(answer))
        return 0;
    printText("{}", comments->empty() ? fmt::format("Nobody has commented on session {}.\n", header->name) : table.text());
    return 0;
}

} // namespace kl
