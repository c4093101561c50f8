// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "kernels/catalog.h"
#include "sessions/report/report_model.h"
#include "sessions/store/store.h"

#include <string>
#include <string_view>
#include <vector>

namespace kl::inline session {
struct SessionView;
}

namespace kl::inline report {

/// A reviewer's comment on one part of a session.
struct ReviewComment {
    std::string id; ///< UUID; an edited copy of a comment gets its own, derived from its content
    std::string target;
    std::string author;
    std::string at; ///< UTC, ISO 8601
    std::string text;

    bool operator==(const ReviewComment&) const = default;
};

/// The parts of a session that can be commented on: its gates, "finding", "outcome", "session".
std::vector<ReviewTarget> reviewTargets(const SessionView& view);

/// Comments of a session, oldest first. Error badInput for a damaged row.
Result<std::vector<ReviewComment>> reviewComments(const Store& store, const SessionId& session);

/// Adds a comment; returns it as stored. Errors: badInput for an unknown target (the hint lists them), a blank author or text.
Result<ReviewComment> addReviewComment(Store& store, const SessionView& view, const std::string& target, const std::string& author,
                                       const std::string& text);

/// The session's report as one HTML page that works from a file: the reviewer comments at each gate and finding, and saves the comments
/// (JSON) or the page with them. JSON inside: "kernelloop.review/1": {session, name, kernel, comments[]}.
Result<std::string> reviewPage(const Store& store, const Catalog& catalog, const SessionId& session);

/// The result of an import.
struct ReviewMerge {
    SessionId session;
    int added = 0;
    int known = 0;     ///< identical ones that existed
    int conflicts = 0; ///< of the added: same comment with different text; both are kept
};

/// Merges the comments of a saved page or of its JSON into their session. Importing twice changes nothing; a comment that was removed stays
/// removed. `where`: the file, for messages. `only`: the required session; empty: any. Errors: badInput for a file that is
/// foreign, truncated or damaged, of another session than `only`, or that names a part that the session has not; notFound when the database
/// does not have the session. On an error nothing is stored.
Result<ReviewMerge> importReview(Store& store, const Catalog& catalog, std::string_view file, const std::string& where,
                                 const SessionId& only = {});

} // namespace kl::inline report
