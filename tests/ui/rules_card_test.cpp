// SPDX-License-Identifier: MIT
#include "ui/pages/history/rules_card.h"

#include "core/base/format.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QRegularExpression>

namespace kl::ui {
namespace {

QStringList collectTexts(const RulesCard& card)
{
    QStringList texts;
    for (const QLabel* label : card.findChildren<QLabel*>())
        texts << label->text();
    return texts;
}

RuleCase makeCase(const char* rule, double estimated, double realized, bool replayed)
{
    return {rule, "a/b", "a/c", "N=1", estimated, realized, "runs", "2026", replayed};
}

TEST(RulesCardTest, WithoutCasesItSaysHowOneComesAbout)
{
    RulesCard card;
    card.show({});
    const QStringList texts = collectTexts(card);
    EXPECT_FALSE(texts.filter(QRegularExpression(".")).isEmpty());
    EXPECT_TRUE(texts.filter(QRegularExpression("[0-9] of [0-9]")).isEmpty()) << "there is nothing to count";
}

TEST(RulesCardTest, ARowARuleWithPromisedAndGiven)
{
    RulesCard card;
    card.show({makeCase("uncoalesced", 0.8, 0.7, false), makeCase("uncoalesced", 0.8, 0.1, false), makeCase("atomics", 0.5, 0.5, true)});
    const QStringList texts = collectTexts(card);
    EXPECT_FALSE(texts.filter("1 of 2 ").isEmpty()) << "in the title";
    EXPECT_TRUE(texts.contains("uncoalesced"));
    EXPECT_TRUE(texts.contains("1 of 2"));
    EXPECT_TRUE(texts.contains(q(formatPercent(80))));
    EXPECT_FALSE(texts.contains("atomics")) << "recorded cases stay out where there are own ones";
}

TEST(RulesCardTest, OnTheSampleRecordedCasesAreMarked)
{
    RulesCard card;
    card.show({makeCase("atomics", 0.5, 0.5, true)});
    const QStringList texts = collectTexts(card);
    EXPECT_TRUE(texts.contains("atomics"));
    EXPECT_FALSE(texts.filter("ecorded").isEmpty());
}

} // namespace
} // namespace kl::ui
