// SPDX-License-Identifier: MIT
#include "core/base/try.h"
#include "sessions/report/review.h"
#include "sessions/report/review_json.h"
#include "sessions/session/session_model.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline report {
namespace {

constexpr std::string_view kOpening = "<script type=\"application/json\" id=\"review-data\">";

Error unusable(const std::string& where, const std::string& what)
{
    return Error{.code = ErrorCode::badInput,
                 .message = fmt::format("{} {}", where, what),
                 .hint = "Give the review page that was exported and that the reviewer saved again, or the JSON that it saves.",
                 .where = where}
        .leadTo({StepId::writeReview});
}

/// The comments' JSON: the file itself, or that of a saved page.
Result<std::string_view> dataIn(std::string_view file, const std::string& where)
{
    const auto first = file.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    if (first == std::string_view::npos)
        return unusable(where, "is empty.");
    if (file[first] == '{')
        return file.substr(first);
    const auto opening = file.find(kOpening);
    if (opening == std::string_view::npos)
        return unusable(where, file[first] == '<' ? "contains no review: it is another page, or truncated." : "is not a review.");
    const auto begin = opening + kOpening.size();
    const auto end = file.find("</script>", begin);
    if (end == std::string_view::npos || file.find("</html>", end) == std::string_view::npos)
        return unusable(where, "is truncated.");
    return file.substr(begin, end - begin);
}

struct ReviewFile {
    SessionId session;
    std::string name;
    std::vector<ReviewComment> comments;
};

Result<ReviewFile> readReview(std::string_view file, const std::string& where)
{
    KL_ASSIGN(const std::string_view data, dataIn(file, where));
    KL_ASSIGN(const Json json, parseJson(data, where));
    const auto text = [&](const char* name) {
        return json.is_object() && json.contains(name) && json[name].is_string() ? json[name].get<std::string>() : std::string();
    };
    if (text("schema") != "kernelloop.review/1")
        return unusable(where, text("schema").empty() ? "is not a review: it has no schema."
                                                      : "is not a review: its schema is " + text("schema") + ".");
    ReviewFile review{SessionId{text("session")}, text("name"), {}};
    if (review.session.empty() || !json.contains("comments") || !json["comments"].is_array())
        return unusable(where, "is damaged: it has no session or no list of comments.");
    for (const Json& row : json["comments"]) {
        KL_ASSIGN(ReviewComment comment, commentFromJson(row, where));
        review.comments.push_back(std::move(comment));
    }
    return review;
}

const ReviewComment* findComment(const std::vector<ReviewComment>& comments, const std::string& id)
{
    const auto found = std::find_if(comments.begin(), comments.end(), [&](const ReviewComment& row) { return row.id == id; });
    return found == comments.end() ? nullptr : &*found;
}

} // namespace

Result<ReviewMerge> importReview(Store& store, const Catalog& catalog, std::string_view file, const std::string& where,
                                 const SessionId& only)
{
    KL_ASSIGN(ReviewFile review, readReview(file, where));
    if (!only.empty() && only != review.session)
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} is a review of another session, {}.", where, review.name),
                     .hint = "Import it without naming a session, or choose the file of this session.",
                     .where = where};
    const Result<SessionModel> model = loadSession(store, catalog, review.session);
    if (!model && model.error().code == ErrorCode::notFound)
        return Error{.code = ErrorCode::notFound,
                     .message = fmt::format("{} is a review of session {}, which is not in this database.", where, review.name),
                     .hint = "Open the database that it was exported from.",
                     .where = where};
    if (!model)
        return model.error();
    const std::vector<ReviewTarget> targets = reviewTargets(model->view);
    for (const ReviewComment& comment : review.comments)
        if (std::none_of(targets.begin(), targets.end(), [&](const ReviewTarget& row) { return row.id == comment.target; }))
            return unusable(
                where, fmt::format("has a comment on \"{}\", which session {} does not have.", comment.target, model->view.header.name));
    KL_ASSIGN(std::vector<ReviewComment> there, reviewComments(store, review.session));
    ReviewMerge merge{review.session, 0, 0, 0};
    for (ReviewComment comment : review.comments) {
        const ReviewComment* known = findComment(there, comment.id);
        if (known && *known != comment) { // the same comment with other words: both stay
            comment.id = makeUuidFromName(encode(commentToJson(comment)));
            known = findComment(there, comment.id);
            merge.conflicts += known ? 0 : 1;
        }
        ++(known ? merge.known : merge.added);
        if (known)
            continue;
        KL_TRY(store.saveNote({comment.id, "review:" + review.session.text, comment.at, encode(commentToJson(comment))}));
        there.push_back(std::move(comment));
    }
    return merge;
}

} // namespace kl::inline report
