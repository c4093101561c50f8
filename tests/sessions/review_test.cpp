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

    Json readData(const std::string& page) const
    {
        const std::string opening = "<script type=\"application/json\" id=\"review-data\">";
        const auto begin = page.find(opening) + opening.size();
        return unwrap(parseJson(page.substr(begin, page.find("</script>", begin) - begin), "page"));
    }
    Json exported() const { return readData(unwrap(reviewPage(*store, catalog, id))); }
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
    const ReviewMerge first = unwrap(import(encode(data)));
    EXPECT_EQ(first.added, 1);
    const ReviewMerge again = unwrap(import(encode(data)));
    EXPECT_EQ(again.added, 0);
    EXPECT_EQ(again.known, 1);
    const auto comments = unwrap(reviewComments(*store, id));
    ASSERT_EQ(comments.size(), 1u);
    EXPECT_EQ(comments[0], (ReviewComment{"c-1", "G3", "Ada", "2026-01-02T03:04:05.000Z", "Show the stalls."}));
}

TEST_F(Review, APageThatWasSavedWithItsCommentsComesBackToo)
{
    ASSERT_TRUE(addReviewComment(*store, unwrap(engine.view(id)), "session", "Bo", "Please look at G2.").ok());
    const std::string page = unwrap(reviewPage(*store, catalog, id));
    const ReviewMerge merge = unwrap(import(page));
    EXPECT_EQ(merge.known, 1);
    EXPECT_EQ(merge.added, 0);
}

TEST_F(Review, TheSameCommentWithOtherWordsIsKeptBeside)
{
    Json data = exported();
    data["comments"].push_back(comment("first words"));
    ASSERT_TRUE(import(encode(data)).ok());
    data["comments"][0]["text"] = "second words";
    const ReviewMerge merge = unwrap(import(encode(data)));
    EXPECT_EQ(merge.conflicts, 1);
    EXPECT_EQ(unwrap(import(encode(data))).added, 0);
    EXPECT_EQ(unwrap(reviewComments(*store, id)).size(), 2u);
}

TEST_F(Review, HostileTextsStayTexts)
{
    const std::string hostile = "</script><script>alert(1)</script>\"'&<img src=x onerror=alert(2)>";
    Json data = exported();
    Json bad = comment(hostile);
    bad["author"] = "<b>Mallory</b>";
    data["comments"].push_back(bad);
    ASSERT_TRUE(import(encode(data)).ok());
    const std::string page = unwrap(reviewPage(*store, catalog, id));
    const std::string report = unwrap(renderReport(*store, catalog, id, ReportFormat::html));
    for (const std::string& html : {page, report})
        for (const char* live : {"<script>alert", "<img", "<b>Mallory"})
            EXPECT_THAT(html, Not(HasSubstr(live)));
    EXPECT_EQ(readData(page)["comments"][0]["text"], hostile);
    EXPECT_THAT(report, HasSubstr("&lt;img"));
    EXPECT_EQ(unwrap(import(page)).added, 0);
}

TEST_F(Review, FilesThatAreNoReviewOfThisSessionAreRefused)
{
    const std::string page = unwrap(reviewPage(*store, catalog, id));
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
    EXPECT_TRUE(unwrap(reviewComments(*store, id)).empty()); // nothing of it was stored
}

TEST_F(Review, ACommentNeedsAPartAnAuthorAndWords)
{
    const SessionView view = unwrap(engine.view(id));
    const auto unknown = addReviewComment(*store, view, "G9", "Ada", "x");
    ASSERT_FALSE(unknown.ok());
    EXPECT_THAT(unknown.error().hint, HasSubstr("G1"));
    EXPECT_FALSE(addReviewComment(*store, view, "G1", " ", "x").ok());
    EXPECT_FALSE(addReviewComment(*store, view, "G1", "Ada", "\n").ok());
}

TEST_F(Review, ThePartsAreItsGatesThenTheFindingTheOutcomeAndTheWhole)
{
    const SessionView view = unwrap(engine.view(id));
    std::vector<std::string> ids;
    for (const ReviewTarget& target : reviewTargets(view))
        ids.push_back(target.id);
    EXPECT_THAT(ids, testing::ElementsAre("G1", "G2", "G3", "G4", "G5", "finding", "outcome", "session"));
    EXPECT_EQ(reviewTargets(view)[2].title, "G3 " + view.gates[2].title);
    for (const std::string& target : ids)
        EXPECT_TRUE(addReviewComment(*store, view, target, "Ada", "x")) << target;
    EXPECT_EQ(unwrap(reviewComments(*store, id)).size(), ids.size());
    EXPECT_TRUE(unwrap(reviewComments(*store, open())).empty()) << "another session's";
}

TEST_F(Review, ACommentIsStoredAsItWasMeantAndComesBackInOrder)
{
    const SessionView view = unwrap(engine.view(id));
    const ReviewComment added = unwrap(addReviewComment(*store, view, "G2", "  Ada\n", "\tWhy? "));
    EXPECT_EQ(added.author, "Ada");
    EXPECT_EQ(added.text, "Why?");
    EXPECT_EQ(added.target, "G2");
    EXPECT_FALSE(added.at.empty());
    EXPECT_EQ(unwrap(reviewComments(*store, id)), std::vector<ReviewComment>{added});
    const auto where = [&](const char* target, const char* author, const char* text) {
        return addReviewComment(*store, view, target, author, text).error().where;
    };
    EXPECT_EQ(where("G9", "Ada", "x"), "--on");
    EXPECT_EQ(where("G1", " ", "x"), "--author");
    EXPECT_EQ(where("G1", "Ada", "\n"), "TEXT");
    Json data = exported();
    data["comments"] = {comment("later", "G1", "c-3"), comment("second of its time", "G1", "c-2"),
                        comment("first of its time", "G1", "c-1")};
    data["comments"][0]["at"] = "2026-01-02T03:04:06.000Z";
    EXPECT_EQ(unwrap(import(encode(data))).added, 3);
    const auto comments = unwrap(reviewComments(*store, id));
    ASSERT_EQ(comments.size(), 4U);
    EXPECT_EQ(comments[0].id, "c-1");
    EXPECT_EQ(comments[1].id, "c-2");
    EXPECT_EQ(comments[2].id, "c-3");
    EXPECT_EQ(comments[3], added) << "the newest last";
}

TEST_F(Review, ThePageNamesItsSessionAndIsImportedIntoItAlone)
{
    ASSERT_TRUE(addReviewComment(*store, unwrap(engine.view(id)), "finding", "Bo", "Which line?"));
    const Json data = exported();
    EXPECT_EQ(data["schema"], "kernelloop.review/1");
    EXPECT_EQ(data["session"], id.text);
    EXPECT_EQ(data["name"], "N");
    EXPECT_EQ(data["kernel"], "transpose");
    ASSERT_EQ(data["comments"].size(), 1U);
    EXPECT_EQ(data["comments"][0]["author"], "Bo");
    EXPECT_EQ(data["comments"][0]["target"], "finding");
    EXPECT_EQ(data["comments"][0]["text"], "Which line?");
    EXPECT_EQ(unwrap(import(encode(data), id)).session, id);
    const SessionId other = open();
    EXPECT_EQ(import(encode(data), other).error().code, ErrorCode::badInput);
}

TEST_F(Review, ACommentThatLacksAPartOfItselfIsRefused)
{
    for (const char* field : {"id", "target", "author", "at", "text"})
        for (const Json& wrong : {Json(), Json(3), Json(" ")}) {
            Json data = exported();
            data["comments"].push_back(comment("fine"));
            if (wrong.is_null())
                data["comments"][0].erase(field);
            else
                data["comments"][0][field] = wrong;
            const auto merged = import(encode(data));
            ASSERT_FALSE(merged.ok()) << field;
            EXPECT_EQ(merged.error().code, ErrorCode::badInput) << field;
            EXPECT_EQ(merged.error().where, "review.html") << field;
        }
    Json odd = exported();
    odd["comments"] = {3};
    EXPECT_EQ(import(encode(odd)).error().code, ErrorCode::badInput);
    odd["comments"] = "x";
    EXPECT_EQ(import(encode(odd)).error().code, ErrorCode::badInput);
    odd.erase("comments");
    EXPECT_EQ(import(encode(odd)).error().code, ErrorCode::badInput);
    EXPECT_TRUE(unwrap(reviewComments(*store, id)).empty());
}

TEST_F(Review, ARemovedCommentStaysRemoved)
{
    Json data = exported();
    data["comments"].push_back(comment("fine"));
    ASSERT_TRUE(import("\xEF\xBB\xBF\r\n " + encode(data)).ok()) << "as some editors save it";
    ASSERT_TRUE(store->removeNote("c-1"));
    ASSERT_TRUE(import(encode(data)).ok());
    EXPECT_TRUE(unwrap(reviewComments(*store, id)).empty());
}

} // namespace
} // namespace kl::test
