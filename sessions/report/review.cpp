// SPDX-License-Identifier: MIT
#include "sessions/report/review.h"

#include "core/base/format.h"
#include "core/base/trimmed.h"
#include "core/base/try.h"
#include "sessions/report/review_json.h"
#include "sessions/session/session_view.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <tuple>

namespace kl::inline report {

Json commentToJson(const ReviewComment& comment)
{
    return {{"id", comment.id}, {"target", comment.target}, {"author", comment.author}, {"at", comment.at}, {"text", comment.text}};
}

Result<ReviewComment> commentFromJson(const Json& json, const std::string& where)
{
    ReviewComment comment;
    for (const auto& [name, member] :
         {std::pair{"id", &comment.id}, std::pair{"target", &comment.target}, std::pair{"author", &comment.author},
          std::pair{"at", &comment.at}, std::pair{"text", &comment.text}}) {
        const auto found = json.is_object() ? json.find(name) : json.end();
        if (!json.is_object() || found == json.end() || !found->is_string() || trimText(found->get_ref<const std::string&>()).empty())
            return Error{.code = ErrorCode::badInput,
                         .message = fmt::format("A comment has no {}, or it is not a text.", name),
                         .hint = "Have the reviewer save the page or the comments again.",
                         .where = where};
        *member = found->get<std::string>();
    }
    return comment;
}

std::vector<ReviewTarget> reviewTargets(const SessionView& view)
{
    std::vector<ReviewTarget> targets;
    for (const GateView& gate : view.gates)
        targets.push_back({gate.id, gate.id + ' ' + gate.title});
    targets.push_back({"finding", "The finding"});
    targets.push_back({"outcome", "The outcome"});
    targets.push_back({"session", "The whole session"});
    return targets;
}

Result<std::vector<ReviewComment>> reviewComments(const Store& store, const SessionId& session)
{
    KL_ASSIGN(const std::vector<Note> notes, store.notes("review:" + session.text));
    std::vector<ReviewComment> comments;
    for (const Note& note : notes) {
        KL_ASSIGN(const Json json, parseJson(note.text, "comment " + note.id));
        KL_ASSIGN(ReviewComment comment, commentFromJson(json, "comment " + note.id));
        comments.push_back(std::move(comment));
    }
    std::sort(comments.begin(), comments.end(),
              [](const ReviewComment& a, const ReviewComment& b) { return std::tie(a.at, a.id) < std::tie(b.at, b.id); });
    return comments;
}

Result<ReviewComment> addReviewComment(Store& store, const SessionView& view, const std::string& target, const std::string& author,
                                       const std::string& text)
{
    const std::vector<ReviewTarget> targets = reviewTargets(view);
    if (std::none_of(targets.begin(), targets.end(), [&](const ReviewTarget& row) { return row.id == target; })) {
        std::string known;
        for (const ReviewTarget& row : targets)
            known += (known.empty() ? "" : ", ") + row.id;
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("Session {} has no part \"{}\" to comment on.", view.header.name, target),
                     .hint = "Parts: " + known + '.',
                     .where = "--on"};
    }
    if (trimText(author).empty() || trimText(text).empty())
        return Error{.code = ErrorCode::badInput,
                     .message = "A comment needs an author and a text.",
                     .hint = "Give both.",
                     .where = trimText(author).empty() ? "--author" : "TEXT"};
    ReviewComment comment{newUuid(), target, std::string(trimText(author)), isoNow(), std::string(trimText(text))};
    const Note note{comment.id, "review:" + view.header.id.text, comment.at, encode(commentToJson(comment))};
    KL_TRY(store.saveNote(note));
    return comment;
}

} // namespace kl::inline report
