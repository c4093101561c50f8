// SPDX-License-Identifier: MIT
#include "profiler/import/ncu_opinion.h"
#include "tests/ui/support/counted_run.h"
#include "tests/ui/support/seen_texts.h"
#include "ui/pages/diagnose/ncu_card.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QPushButton>

namespace kl::ui {
namespace {

RuleResult ncuRuleNamed(const char* id, double percent)
{
    RuleResult rule;
    rule.rule = id;
    rule.title = std::string("title of ") + id;
    rule.text = std::string("text of ") + id;
    rule.kind = "optimization";
    rule.speedupPercent = percent;
    rule.speedupScope = "global";
    return rule;
}

/// The second of its rules is the top one.
RunRecord runWithTopRule()
{
    RunRecord run = countedRun("now", 1000);
    run.imported.emplace();
    run.imported->rules = {ncuRuleNamed("Other", 10), ncuRuleNamed("ThreadDivergence", 40)};
    return run;
}

TEST(NcuTopRule, ComesFirstWithItsText)
{
    const RunRecord run = runWithTopRule();
    const auto opinion = ncuOpinion(run.imported->rules, *run.metrics);
    ASSERT_TRUE(opinion);
    ASSERT_EQ(opinion->rule, &run.imported->rules[1]);
    NcuCard card;
    card.setRun(run);
    QString words = wordsOn(card);
    EXPECT_TRUE(words.contains("text of ThreadDivergence"));
    EXPECT_FALSE(words.contains("text of Other"));
    EXPECT_LT(words.indexOf("title of ThreadDivergence"), words.indexOf("title of Other"));
    EXPECT_EQ(words.count("title of ThreadDivergence"), 1);
    buttonOn(card, "ncuWords")->click();
    words = wordsOn(card);
    EXPECT_TRUE(words.contains("text of ThreadDivergence") && words.contains("text of Other"));
    buttonOn(card, "ncuWords")->click();
    EXPECT_TRUE(wordsOn(card).contains("text of ThreadDivergence")) << "it is not one of those on request";
}

TEST(NcuTopRule, AloneOffersNoFurtherTexts)
{
    RunRecord run = runWithTopRule();
    run.imported->rules.erase(run.imported->rules.begin());
    NcuCard card;
    card.setRun(run);
    EXPECT_TRUE(wordsOn(card).contains("text of ThreadDivergence"));
    EXPECT_TRUE(buttonOn(card, "ncuWords")->isHidden());
}

TEST(NcuRules, HaveTheirPlacesWithTheWholePathAsTooltip)
{
    RunRecord run = runWithTopRule();
    RulePlace place;
    place.file = "/src/deep/a.cu";
    place.line = 7;
    place.text = "stride";
    RulePlace next = place;
    next.line = 8;
    run.imported->rules[0].places = {place, place, next};
    NcuCard card;
    card.setRun(run);
    QStringList tips;
    int seven = 0;
    for (const QLabel* label : card.findChildren<QLabel*>())
        if (label->text().startsWith("a.cu:")) {
            tips << label->toolTip();
            seven += label->text().startsWith("a.cu:7");
        }
    EXPECT_EQ(tips, (QStringList{"/src/deep/a.cu", "/src/deep/a.cu"}));
    EXPECT_EQ(seven, 1);
}

TEST(NcuRules, WithoutAnEstimateClaimNone)
{
    RunRecord run = runWithTopRule();
    run.imported->rules[0].speedupPercent.reset();
    NcuCard card;
    card.setRun(run);
    QStringList titles;
    for (const QString& text : seenOn(card))
        if (text.startsWith("title of"))
            titles << text;
    ASSERT_EQ(titles.size(), 2);
    EXPECT_TRUE(titles[0].contains("40"));
    EXPECT_EQ(titles[1], "title of Other");
}

} // namespace
} // namespace kl::ui
