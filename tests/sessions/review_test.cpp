// SPDX-License-Identifier: MIT
#include "sessions/report/review.h"

#include "sessions/report/report.h"
#include "tests/sessions/engine_support.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace kl::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Review : public EngineTest {
protected:
    SessionId id = open();

    Json dataOf(const std::string& page) const
    {
        const std::string opening = "<script type=\"application/json\" id=\"review-data\">";
        const auto begin = page.find(opening) + opening.size();
        return valueOf(parseJson(page.substr(begin, page.find("</script>", begin) - begin), "page"));
    }
    Json exported() const { return dataOf(valueOf(reviewPage(*store, catalog, id))); }
    static Json comment(const std::string& text, const std::string& target = "G3", const std::string& commentId = "c-1")
    {
        return {{"id", commentId}, {"target", target}, {"author", "Ada"}, {"at", "2026-01-02T03:04:05.000Z"}, {"text", text}};
    }
    Result<ReviewMerge> import(const std::string& file, const SessionId& only = {})
    {
        return importReview(*store, catalog, file, "review.html", only);
    }
};

TEST_F(Review, CommentsComeBackOnceHoweverOftenTheyAreImported)
{
    Json data = exported();
    data["comments"].push_back(comment("Show the stalls."));
    const ReviewMerge first = valueOf(import(encode(data)));
    EXPECT_EQ(first.added, 1);
    const ReviewMerge again = valueOf(import(encode(data)));
    EXPECT_EQ(again.added, 0);
    EXPECT_EQ(again.known, 1);
    const auto comments = valueOf(reviewComments(*store, id));
    ASSERT_EQ(comments.size(), 1u);
    EXPECT_EQ(comments[0], (ReviewComment{"c-1", "G3", "Ada", "2026-01-02T03:04:05.000Z", "Show the stalls."}));
}

TEST_F(Review, APageThatWasSavedWithItsCommentsComesBackToo)
{
    ASSERT_TRUE(addReviewComment(*store, valueOf(engine.view(id)), "session", "Bo", "Please look at G2.").ok());
    const std::string page = valueOf(reviewPage(*store, catalog, id));
    const ReviewMerge merge = valueOf(import(page));
    EXPECT_EQ(merge.known, 1);
    EXPECT_EQ(merge.added, 0);
}

TEST_F(Review, TheSameCommentWithOtherWordsIsKeptBeside)
{
    Json data = exported();
    data["comments"].push_back(comment("first words"));
    ASSERT_TRUE(import(encode(data)).ok());
    data["comments"][0]["text"] = "second words";
    const ReviewMerge merge = valueOf(import(encode(data)));
    EXPECT_EQ(merge.conflicts, 1);
    EXPECT_EQ(valueOf(import(encode(data))).added, 0);
    EXPECT_EQ(valueOf(reviewComments(*store, id)).size(), 2u);
}

TEST_F(Review, HostileTextsStayTexts)
{
    const std::string hostile = "</script><script>alert(1)</script>\"'&<img src=x onerror=alert(2)>";
    Json data = exported();
    Json bad = comment(hostile);
    bad["author"] = "<b>Mallory</b>";
    data["comments"].push_back(bad);
    ASSERT_TRUE(import(encode(data)).ok());
    const std::string page = valueOf(reviewPage(*store, catalog, id));
    const std::string report = valueOf(renderReport(*store, catalog, id, ReportFormat::html));
    for (const std::string& html : {page, report})
        for (const char* live : {"<script>alert", "<img", "<b>Mallory"})
            EXPECT_THAT(html, Not(HasSubstr(live)));
    EXPECT_EQ(dataOf(page)["comments"][0]["text"], hostile);
    EXPECT_THAT(report, HasSubstr("&lt;img"));
    EXPECT_EQ(valueOf(import(page)).added, 0);
}

TEST_F(Review, FilesThatAreNoReviewOfThisSessionAreRefused)
{
    const std::string page = valueOf(reviewPage(*store, catalog, id));
    for (const std::string& file :
         {std::string(), std::string("plain text"), std::string("<html></html>"), std::string("{\"schema\": \"other\"}"),
          std::string("{\"comments\": ["), page.substr(0, page.size() / 2), page.substr(0, page.size() - 10)}) {
        const auto merged = import(file);
        ASSERT_FALSE(merged.ok()) << file.substr(0, 40);
        EXPECT_EQ(merged.error().code, ErrorCode::badInput) << merged.error().message;
        EXPECT_FALSE(merged.error().message.empty());
        EXPECT_FALSE(merged.error().where.empty());
    }
    Json foreign = exported();
    foreign["session"] = newUuid();
    EXPECT_EQ(import(encode(foreign)).error().code, ErrorCode::notFound);
    EXPECT_EQ(import(page, SessionId{newUuid()}).error().code, ErrorCode::badInput);
    Json unknown = exported();
    unknown["comments"] = {comment("fine"), comment("no such gate", "G9", "c-2")};
    EXPECT_EQ(import(encode(unknown)).error().code, ErrorCode::badInput);
    EXPECT_TRUE(valueOf(reviewComments(*store, id)).empty()); // nothing of it was stored
}

TEST_F(Review, ACommentNeedsAPartAnAuthorAndWords)
{
    const SessionView view = valueOf(engine.view(id));
    const auto unknown = addReviewComment(*store, view, "G9", "Ada", "x");
    ASSERT_FALSE(unknown.ok());
    EXPECT_THAT(unknown.error().hint, HasSubstr("G1"));
    EXPECT_FALSE(addReviewComment(*store, view, "G1", " ", "x").ok());
    EXPECT_FALSE(addReviewComment(*store, view, "G1", "Ada", "\n").ok());
}

} // namespace
} // namespace kl::test
