// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "tests/ui/support/counted_run.h"
#include "tests/ui/support/seen_texts.h"
#include "ui/pages/diagnose/baseline_strip.h"
#include "ui/pages/shared/run_deltas.h"
#include "ui/style/style_sheet.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

namespace kl::ui {
namespace {

RunRecord makeDiagnosedRun(const char* id, double ns, const char* classId)
{
    RunRecord run = countedRun(id, ns);
    run.diagnosis->finding.classId = classId;
    return run;
}

TEST(BaselineFacts, AreThoseOfTheBaselineAndNotOfTheShownRun)
{
    const RunRecord now = makeDiagnosedRun("now", 1000, "class-now");
    const RunRecord old = makeDiagnosedRun("old", 2000, "class-old"), older = makeDiagnosedRun("older", 4000, "class-older");
    BaselineStrip strip;
    strip.setRun(now, {{&old, Token::series2}, {&older, Token::series3}});
    const QStringList texts = seenOn(strip);
    EXPECT_TRUE(texts.filter("class-now").isEmpty()) << texts.join('|').toStdString();
    ASSERT_EQ(texts.filter("class-old").size(), 2);
    EXPECT_TRUE(texts.filter("class-older").value(0).contains(q(formatTime(4000))));
    EXPECT_TRUE(texts.filter("class-old").value(0).contains(q(formatTime(2000))));
    const auto changes = strip.findChildren<QLabel*>("baselineTime");
    ASSERT_EQ(changes.size(), 2);
    EXPECT_TRUE(changes[0]->text().contains("50")) << changes[0]->text().toStdString();
    EXPECT_TRUE(changes[1]->text().contains("75")) << changes[1]->text().toStdString();
    EXPECT_EQ(changes[0]->property("token"), tokenName(Token::series2));
    EXPECT_EQ(changes[1]->property("token"), tokenName(Token::series3));
}

TEST(BaselineFacts, OfARunWithoutADiagnosisOrATimeAreFewer)
{
    RunRecord now = makeDiagnosedRun("now", 1000, "class-now");
    RunRecord old = makeDiagnosedRun("old", 2000, "class-old");
    old.diagnosis.reset();
    BaselineStrip strip;
    strip.setRun(now, {{&old, Token::series2}});
    QStringList texts = seenOn(strip);
    EXPECT_TRUE(texts.contains(q(formatTime(2000)))) << "the time alone";
    now.diagnosis.reset();
    old = makeDiagnosedRun("old", 2000, "class-old");
    old.timing.reset();
    strip.setRun(now, {{&old, Token::series2}});
    texts = seenOn(strip);
    EXPECT_FALSE(texts.filter("class-old").isEmpty()) << "its own, whatever the shown run has";
    EXPECT_TRUE(texts.filter(q(formatTime(2000))).isEmpty());
    old.timing = countedRun("old", 2000).timing;
    old.timing->gpu.n = 0;
    strip.setRun(now, {{&old, Token::series2}});
    EXPECT_TRUE(seenOn(strip).filter(q(formatTime(2000))).isEmpty()) << "nothing was timed";
}

TEST(BaselineFacts, EachRowLeadsToItsOwnRun)
{
    const RunRecord now = makeDiagnosedRun("now", 1000, "c"), old = makeDiagnosedRun("old", 2000, "c"),
                    older = makeDiagnosedRun("older", 4000, "c");
    BaselineStrip strip;
    const QSignalSpy opened(&strip, &BaselineStrip::opened), unpinned(&strip, &BaselineStrip::unpinned);
    strip.setRun(now, {{&old, Token::series2}, {&older, Token::series3}});
    const auto unpin = strip.findChildren<QPushButton*>("unpinBaseline");
    ASSERT_EQ(unpin.size(), 2);
    unpin[1]->click();
    ASSERT_EQ(unpinned.count(), 1);
    EXPECT_EQ(unpinned[0][0].toString(), "older");
    EXPECT_EQ(opened.count(), 0);
    QList<QPushButton*> names;
    for (QPushButton* button : strip.findChildren<QPushButton*>())
        if (button->objectName() != "unpinBaseline")
            names << button;
    ASSERT_EQ(names.size(), 2);
    names[0]->click();
    ASSERT_EQ(opened.count(), 1);
    EXPECT_EQ(opened[0][0].toString(), "old");
    strip.setRun(now, {{&older, Token::series2}});
    settleWidgets();
    EXPECT_EQ(strip.findChildren<QPushButton*>("unpinBaseline").size(), 1) << "none of before";
    strip.setRun(now, {});
    EXPECT_TRUE(strip.isHidden());
}

} // namespace
} // namespace kl::ui
