// SPDX-License-Identifier: MIT
// The cards of a session that decide it by themselves: which field is where, what each button asks for, and that nothing stays of the
// session before.
#include "kernels/catalog.h"
#include "sessions/report/review.h"
#include "sessions/session/session_view.h"
#include "tests/ui/support/seen_texts.h"
#include "ui/pages/session/document_card.h"
#include "ui/pages/session/evaluate_panel.h"
#include "ui/pages/session/finding_card.h"
#include "ui/pages/session/fix_panel.h"
#include "ui/pages/session/review_card.h"
#include "ui/pages/session/session_alerts_card.h"
#include "ui/pages/session/slope_chart.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/option_card.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

namespace kl::ui {
namespace {

NextAction possible(SessionAction action, const char* argument = "", const char* title = "")
{
    NextAction next;
    next.action = action;
    next.argument = argument;
    next.title = title;
    return next;
}

ActionOffer refusedOffer(SessionAction action, const char* argument, const char* reason)
{
    return {action, argument, true, false, reason, "", {}};
}

TEST(DocumentCards, TellTheOutcomeOfTheSessionThatIsShown)
{
    SessionView view;
    view.start = *parseAddress("transpose/naive");
    view.candidate = *parseAddress("transpose/tiled");
    view.outcome = "kept";
    view.kept = true;
    view.evaluation.emplace();
    view.evaluation->ratio = {2, 1.9, 2.1};
    view.speedup = 1.5;
    DocumentCard card;
    card.setView(view);
    QString words = wordsOn(card);
    for (const char* part : {"transpose/tiled", "2.00×", "1.50×"})
        EXPECT_TRUE(words.contains(q(part))) << part << ": " << words.toStdString();
    EXPECT_FALSE(words.contains("transpose/naive"));
    view.outcome = "reverted";
    view.kept = false;
    card.setView(view);
    words = wordsOn(card);
    EXPECT_LT(words.indexOf("transpose/tiled"), words.indexOf("transpose/naive")) << "what was reverted, then what stays";
    EXPECT_FALSE(words.contains(q("2.00×"))) << "it was not kept";
    view.outcome = "abandoned";
    view.speedup = {};
    card.setView(view);
    EXPECT_TRUE(wordsOn(card).contains("abandoned"));
    view.outcome.clear();
    card.setView(view);
    EXPECT_FALSE(wordsOn(card).contains("abandoned"));
    EXPECT_FALSE(wordsOn(card).contains("transpose/"));
}

TEST(DocumentCards, EachButtonSavesItsFormatAndTheNextSessionIsTheRecommendedOne)
{
    DocumentCard card;
    const QSignalSpy saved(&card, &DocumentCard::exportRequested), stepped(&card, &DocumentCard::stepRequested);
    QStringList formats;
    for (const char* format : {"html", "pdf", "md", "json", "csv", "prompt"}) {
        ASSERT_NE(buttonOn(card, QStringLiteral("export-") + format), nullptr) << format;
        buttonOn(card, QStringLiteral("export-") + format)->click();
        EXPECT_EQ(saved.last()[0].toString(), format);
    }
    SessionView view;
    view.header.kernel = "reduction";
    card.setView(view);
    EXPECT_TRUE(buttonOn(card, "nextSession")->isHidden()) << "it is not finished";
    view.afterwards = {NextStep{StepId::newSession, {}, {}}, NextStep{StepId::listPatterns, {}, {}}};
    card.setView(view);
    EXPECT_FALSE(buttonOn(card, "nextSession")->isHidden());
    EXPECT_TRUE(buttonOn(card, "nextSession")->text().contains("reduction"));
    buttonOn(card, "nextSession")->click();
    ASSERT_EQ(stepped.count(), 1);
    EXPECT_EQ(stepped[0][0].value<NextStep>().id, StepId::newSession);
    view.afterwards.clear();
    card.setView(view);
    EXPECT_TRUE(buttonOn(card, "nextSession")->isHidden());
}

TEST(EvaluatePanels, BothSidesAreThoseOfTheEvaluation)
{
    SessionView view;
    view.current = *parseAddress("transpose/naive");
    view.candidate = *parseAddress("transpose/tiled");
    EvaluatePanel panel;
    panel.setView(view);
    const auto* mark = panel.findChild<MarkLabel*>();
    EXPECT_TRUE(mark->isHidden());
    EXPECT_FALSE(panel.findChild<SlopeChart*>()->emptyReason().isEmpty());
    view.evaluation.emplace();
    view.evaluation->verdict = Verdict::faster;
    view.evaluation->sentence = "It is faster.";
    view.evaluation->ratio = {2, 1.75, 2.25};
    view.evaluation->blocks = 7;
    view.evaluation->data = {{{200, 210, 190}, {100}}, {{200}, {100, 100}}};
    panel.setView(view);
    EXPECT_FALSE(mark->isHidden());
    EXPECT_TRUE(mark->text().startsWith(markSign(chooseMark(Verdict::faster))));
    const ChartTable table = panel.findChild<SlopeChart*>()->table();
    ASSERT_EQ(table.rows.size(), 2U);
    EXPECT_EQ(table.rows[0].mid(0, 2), (QStringList{"transpose/naive", "200.0"}));
    EXPECT_EQ(table.rows[0].last(), "4") << "of all blocks";
    EXPECT_EQ(table.rows[1].mid(0, 2), (QStringList{"transpose/tiled", "100.0"}));
    const QString words = wordsOn(panel);
    for (const char* part : {"It is faster.", "2.00×", "1.75", "2.25", "7 "})
        EXPECT_TRUE(words.contains(q(part))) << part << ": " << words.toStdString();
    view.evaluation.reset();
    panel.setView(view);
    EXPECT_FALSE(wordsOn(panel).contains("It is faster."));
    EXPECT_FALSE(wordsOn(panel).contains(q("2.00×"))) << "of the evaluation before";
    EXPECT_TRUE(panel.findChild<SlopeChart*>()->table().rows.empty());
}

TEST(EvaluatePanels, EachButtonDecidesWhatItSaysAndIsThereWhereItIsPossible)
{
    EvaluatePanel panel;
    panel.show();
    auto* keep = buttonOn(panel, "keep");
    auto* revert = buttonOn(panel, "revert");
    auto* park = buttonOn(panel, "park");
    SessionView view;
    panel.setView(view);
    EXPECT_FALSE(keep->isEnabled()) << "the engine says nothing of it";
    EXPECT_FALSE(panel.offers(SessionAction::keep));
    view.offers = {refusedOffer(SessionAction::keep, "", "it was not measured"), refusedOffer(SessionAction::revert, "", "there is none")};
    panel.setView(view);
    EXPECT_TRUE(panel.offers(SessionAction::keep));
    EXPECT_FALSE(keep->isEnabled());
    EXPECT_EQ(keep->accessibleDescription(), "it was not measured");
    EXPECT_FALSE(revert->isEnabled());
    EXPECT_EQ(revert->accessibleDescription(), "there is none");
    EXPECT_FALSE(panel.offers(SessionAction::park));
    view.next = {possible(SessionAction::keep), possible(SessionAction::revert), possible(SessionAction::park)};
    panel.setView(view);
    EXPECT_TRUE(keep->property("primary").toBool());
    EXPECT_FALSE(revert->property("primary").toBool());
    EXPECT_FALSE(park->property("primary").toBool());
    for (const SessionAction action : {SessionAction::keep, SessionAction::revert, SessionAction::park})
        EXPECT_TRUE(panel.offers(action)) << toString(action);
    EXPECT_FALSE(panel.offers(SessionAction::profile));
    const QSignalSpy requested(&panel, &EvaluatePanel::actionRequested);
    for (const auto& [button, action] :
         {std::pair{keep, SessionAction::keep}, std::pair{revert, SessionAction::revert}, std::pair{park, SessionAction::park}}) {
        button->click();
        EXPECT_EQ(requested.last()[0].value<SessionAction>(), action);
    }
    panel.setBusy("measuring");
    for (const QPushButton* button : {keep, revert, park})
        EXPECT_FALSE(button->isEnabled()) << button->objectName().toStdString();
    EXPECT_FALSE(panel.findChild<QCheckBox*>("cumulative")->isEnabled());
    panel.setBusy({});
    for (const QPushButton* button : {keep, revert, park})
        EXPECT_TRUE(button->isEnabled()) << button->objectName().toStdString();
    view.next[0].enabled = false;
    view.next[0].reason = "too little";
    panel.setView(view);
    EXPECT_FALSE(keep->isEnabled());
    EXPECT_EQ(keep->accessibleDescription(), "too little");
    EXPECT_TRUE(revert->isEnabled());
    view.next = {possible(SessionAction::revert), possible(SessionAction::keep)};
    panel.setView(view);
    EXPECT_TRUE(revert->property("primary").toBool());
    EXPECT_FALSE(keep->property("primary").toBool());
    EXPECT_FALSE(panel.offers(SessionAction::park));
    view.next[0].enabled = false;
    view.next[0].reason = "nothing there";
    panel.setView(view);
    EXPECT_EQ(revert->accessibleDescription(), "nothing there");
    view.next = {possible(SessionAction::park)};
    panel.setView(view);
    EXPECT_TRUE(park->property("primary").toBool());
    view.offers[0].offered = false;
    panel.setView(view);
    EXPECT_FALSE(panel.offers(SessionAction::keep)) << "it is decided";
    EXPECT_TRUE(panel.offers(SessionAction::revert));
    EXPECT_TRUE(panel.findChild<QCheckBox*>("cumulative")->isVisible());
    view.offers.clear();
    view.finished = true;
    panel.setView(view);
    EXPECT_FALSE(panel.offers(SessionAction::revert));
    EXPECT_FALSE(panel.findChild<QCheckBox*>("cumulative")->isVisible());
}

TEST(EvaluatePanels, ParkedStepsAndTheOptionAreThoseOfTheSession)
{
    EvaluatePanel panel;
    panel.show();
    SessionView view;
    panel.setView(view);
    const auto* parked = panel.findChild<QLabel*>("parked");
    auto* cumulative = panel.findChild<QCheckBox*>("cumulative");
    EXPECT_FALSE(parked->isVisible());
    EXPECT_FALSE(cumulative->isChecked());
    view.cumulative = true;
    view.parked.resize(2);
    view.parked[0].from = *parseAddress("transpose/naive");
    view.parked[0].to = *parseAddress("transpose/tiled");
    view.parked[0].ratio = {1.02, 1.01, 1.03};
    view.parked[1].to = *parseAddress("transpose/padded");
    view.parked[1].ratio = {1.04, 1.03, 1.05};
    view.parkedRatio = Ratio{1.06, 1.04, 1.08};
    panel.setView(view);
    EXPECT_TRUE(cumulative->isChecked());
    const QStringList lines = parked->text().split('\n');
    ASSERT_EQ(lines.size(), 3);
    EXPECT_TRUE(lines[0].contains("transpose/tiled") && lines[0].contains("1.02")) << lines[0].toStdString();
    EXPECT_TRUE(lines[1].contains("transpose/padded") && lines[1].contains("1.04"));
    EXPECT_TRUE(lines[2].contains("1.06"));
    const QSignalSpy chosen(&panel, &EvaluatePanel::cumulativeChosen);
    cumulative->click();
    ASSERT_EQ(chosen.count(), 1);
    EXPECT_FALSE(chosen[0][0].toBool());
    panel.setView({});
    EXPECT_FALSE(parked->isVisible());
    EXPECT_FALSE(cumulative->isChecked()) << "the other session has not set it";
}

TEST(FindingCards, LeadToTheDiagnosisOfTheRunTheyShow)
{
    RunRecord run;
    run.id.text = "first";
    FindingCard card;
    card.setRun(run);
    EXPECT_TRUE(card.isHidden()) << "it was not profiled";
    run.diagnosis.emplace();
    Finding& finding = run.diagnosis->finding;
    finding.classId = "dram-bound";
    finding.priority = "P2";
    finding.confidence = 0.84;
    finding.title = "DRAM is busy.";
    finding.estimate = Estimate{0.5, "a formula"};
    card.setRun(run);
    EXPECT_FALSE(card.isHidden());
    const QString words = wordsOn(card);
    for (const char* part : {"P2", "dram-bound", "84 %", "DRAM is busy.", "2.00×", "a formula"})
        EXPECT_TRUE(words.contains(q(part))) << part << ": " << words.toStdString();
    const QSignalSpy requested(&card, &FindingCard::diagnoseRequested);
    run.id.text = "second";
    card.setRun(run);
    buttonOn(card, "seeDiagnosis")->click();
    ASSERT_EQ(requested.count(), 1);
    EXPECT_EQ(requested[0][0].toString(), "second");
    card.setRun({});
    EXPECT_TRUE(card.isHidden());
}

class FixChoice : public testing::Test {
protected:
    FixChoice()
    {
        view.current = *parseAddress("transpose/naive");
        view.profileRun.emplace();
        view.profileRun->diagnosis.emplace();
        Finding& finding = view.profileRun->diagnosis->finding;
        finding.estimate = Estimate{0.5, {}};
        finding.fixes = {{"transpose/tiled", "Stage a tile", {}, 0.9, "transpose/tiled", "why one", "", 0, 0.75},
                         {"by-hand", "Rewrite it", {}, 0.3, {}, "why two", "", 0, {}}};
        view.next = {possible(SessionAction::chooseFix, "transpose/tiled")};
    }
    QList<OptionCard*> cards() const
    {
        settleWidgets();
        return panel.findChildren<OptionCard*>();
    }

    SessionView view;
    FixPanel panel;
};

TEST_F(FixChoice, EachFixIsACardAndOnlyWhatIsOfferedCanBeChosen)
{
    panel.setView(view, nullptr);
    ASSERT_EQ(cards().size(), 2);
    const OptionCard &tiled = *cards()[0], &byHand = *cards()[1];
    EXPECT_EQ(tiled.title(), "Stage a tile");
    const QString words = wordsOn(tiled);
    for (const char* part : {"why one", "4.00×", "90 %"})
        EXPECT_TRUE(words.contains(q(part))) << part << ": " << words.toStdString();
    EXPECT_TRUE(QString(words).replace("&nbsp;", " ").contains("+ transpose/tiled"));
    EXPECT_TRUE(tiled.button()->isEnabled());
    EXPECT_TRUE(tiled.button()->property("primary").toBool()) << "the best one";
    EXPECT_FALSE(byHand.button()->isEnabled()) << "it is not offered";
    EXPECT_FALSE(byHand.button()->property("primary").toBool());
    EXPECT_FALSE(wordsOn(byHand).contains(q("2.00×"))) << "the finding's estimate is of its best fix";
    const QSignalSpy chosen(&panel, &FixPanel::fixChosen);
    tiled.button()->click();
    ASSERT_EQ(chosen.count(), 1);
    EXPECT_EQ(chosen[0][0].toString(), "transpose/tiled");
    view.next.push_back(possible(SessionAction::chooseFix, "by-hand"));
    panel.setView(view, nullptr);
    EXPECT_TRUE(cards()[1]->button()->isEnabled());
    EXPECT_NE(cards()[1]->button()->text(), cards()[0]->button()->text()) << "its source is edited";
    view.next[0].enabled = false;
    panel.setView(view, nullptr);
    EXPECT_FALSE(cards()[0]->button()->isEnabled());
    panel.setBusy("measuring");
    EXPECT_FALSE(cards()[1]->button()->isEnabled());
}

TEST_F(FixChoice, OneIsChosenAndTheOthersAreLocked)
{
    view.next.clear();
    view.offers = {refusedOffer(SessionAction::chooseFix, "transpose/tiled", "one is being tried"),
                   refusedOffer(SessionAction::chooseFix, "by-hand", "that is being tried")};
    view.fix = "by-hand";
    panel.setView(view, nullptr);
    EXPECT_TRUE(wordsOn(*cards()[0]).contains("one is being tried")) << "in the engine's words";
    EXPECT_TRUE(wordsOn(*cards()[1]).contains("that is being tried"));
    EXPECT_FALSE(cards()[0]->property("chosen").toBool());
    EXPECT_TRUE(cards()[1]->property("chosen").toBool());
    for (const OptionCard* card : cards()) {
        EXPECT_FALSE(card->button()->isEnabled()) << "one change at a time";
        EXPECT_FALSE(card->button()->property("primary").toBool());
    }
    view.editing.emplace();
    view.editing->fix = "transpose/tiled";
    panel.setView(view, nullptr);
    EXPECT_TRUE(cards()[0]->property("chosen").toBool()) << "the edit in progress is for it";
    EXPECT_FALSE(cards()[1]->property("chosen").toBool());
    view.editing.reset();
    view.reverted = true;
    view.next = {possible(SessionAction::chooseFix, "transpose/tiled")};
    panel.setView(view, nullptr);
    EXPECT_TRUE(cards()[0]->button()->isEnabled()) << "instead of the one that was reverted";
    EXPECT_FALSE(cards()[1]->property("chosen").toBool());
    EXPECT_FALSE(cards()[1]->button()->isEnabled());
    SessionView other;
    other.offers = {refusedOffer(SessionAction::chooseFix, "", "It was not profiled.")};
    other.offers[0].hint = "Profile it.";
    panel.setView(other, nullptr);
    EXPECT_TRUE(cards().isEmpty()) << "fixes of the session before";
    EXPECT_EQ(seenOn(panel), QStringList{"It was not profiled. Profile it."});
}

TEST_F(FixChoice, AnOwnEditAndASearchStandBesideTheFixes)
{
    view.next.push_back(possible(SessionAction::chooseFix, "own-edit", "Edit it yourself"));
    view.next.push_back(possible(SessionAction::chooseFix, "search", "Search its tunables"));
    view.next.back().enabled = false;
    view.next.back().reason = "no GPU";
    panel.setView(view, nullptr);
    ASSERT_EQ(cards().size(), 4);
    EXPECT_EQ(cards()[2]->title(), "Edit it yourself");
    EXPECT_TRUE(cards()[2]->button()->isEnabled());
    EXPECT_EQ(cards()[3]->title(), "Search its tunables");
    EXPECT_FALSE(cards()[3]->button()->isEnabled());
    EXPECT_TRUE(wordsOn(*cards()[3]).contains("no GPU"));
    const QSignalSpy chosen(&panel, &FixPanel::fixChosen);
    cards()[2]->button()->click();
    ASSERT_EQ(chosen.count(), 1);
    EXPECT_EQ(chosen[0][0].toString(), "own-edit");
}

TEST_F(FixChoice, WithoutAProfileTheOffersOfTheSessionAreThere)
{
    view.profileRun.reset();
    view.next = {possible(SessionAction::profile), possible(SessionAction::chooseFix, "transpose/padded", "Use the padded variant")};
    panel.setView(view, nullptr);
    ASSERT_EQ(cards().size(), 1);
    EXPECT_EQ(cards()[0]->title(), "Use the padded variant");
    EXPECT_FALSE(cards()[0]->button()->property("primary").toBool()) << "something else comes first";
    const QString words = wordsOn(*cards()[0]).replace("&nbsp;", " ");
    EXPECT_LT(words.indexOf("transpose/naive"), words.indexOf("+ transpose/padded"));
    const QSignalSpy chosen(&panel, &FixPanel::fixChosen);
    cards()[0]->button()->click();
    ASSERT_EQ(chosen.count(), 1);
    EXPECT_EQ(chosen[0][0].toString(), "transpose/padded");
    view.next.erase(view.next.begin());
    panel.setView(view, nullptr);
    EXPECT_TRUE(cards()[0]->button()->property("primary").toBool());
}

TEST_F(FixChoice, BothSourcesAreShownWhereTheyDiffer)
{
    const Result<Catalog> catalog = Catalog::loadEmbedded();
    ASSERT_TRUE(catalog);
    panel.setView(view, &*catalog);
    auto* link = cards()[0]->findChild<QPushButton*>("showFixSources");
    ASSERT_NE(link, nullptr);
    EXPECT_EQ(cards()[1]->findChild<QPushButton*>("showFixSources"), nullptr) << "it has no variant";
    link->click();
    const auto* before = cards()[0]->findChild<QPlainTextEdit*>("codeBefore");
    const auto* after = cards()[0]->findChild<QPlainTextEdit*>("codeAfter");
    ASSERT_TRUE(before && after);
    EXPECT_TRUE(before->toPlainText().contains(q((*catalog->variant(view.current))->launches.front().entry)));
    EXPECT_TRUE(after->toPlainText().contains(q((*catalog->variant(*parseAddress("transpose/tiled")))->launches.front().entry)));
    EXPECT_NE(before->toPlainText(), after->toPlainText());
    view.profileRun->diagnosis->finding.fixes[0].variant = "transpose/naive";
    panel.setView(view, &*catalog);
    EXPECT_EQ(cards()[0]->findChild<QPushButton*>("showFixSources"), nullptr) << "nothing differs";
}

TEST_F(FixChoice, BeforeAProfileOrAnAnalysisThereIsNothingToChoose)
{
    view.profileRun->diagnosis.reset();
    view.next = {possible(SessionAction::profile)};
    view.offers = {refusedOffer(SessionAction::chooseFix, "", "there is no finding")};
    panel.setView(view, nullptr);
    EXPECT_TRUE(cards().isEmpty()) << "the run was not diagnosed";
    EXPECT_EQ(seenOn(panel), QStringList{"there is no finding"});
    view.candidate = *parseAddress("transpose/tiled");
    panel.setView(view, nullptr);
    EXPECT_TRUE(seenOn(panel).isEmpty()) << "one was chosen already";
    view.candidate.reset();
    view.profileRun.reset();
    view.next = {possible(SessionAction::chooseFix, "own-edit", "Edit it yourself"),
                 possible(SessionAction::chooseFix, "transpose/tiled", "Use the tiled variant")};
    const Result<Catalog> catalog = Catalog::loadEmbedded();
    ASSERT_TRUE(catalog);
    panel.setView(view, &*catalog);
    ASSERT_EQ(cards().size(), 2);
    EXPECT_EQ(cards()[0]->findChild<QPushButton*>("showFixSources"), nullptr) << "an edit is not written yet";
    EXPECT_NE(cards()[1]->findChild<QPushButton*>("showFixSources"), nullptr);
    EXPECT_EQ(cards()[1]->button()->property("fix").toString(), "transpose/tiled");
}

TEST(ReviewCards, ACommentHasAnAuthorATextAndItsSubject)
{
    SessionView view;
    view.gates.resize(1);
    view.gates[0].id = "G1";
    ReviewCard card;
    card.show();
    card.setReview(view, {});
    const QStringList none = seenOn(card);
    auto* target = card.findChild<QComboBox*>();
    auto* author = card.findChild<QLineEdit*>("reviewAuthor");
    auto* text = card.findChild<QLineEdit*>("reviewText");
    const QSignalSpy commented(&card, &ReviewCard::commented);
    text->setText("well done");
    buttonOn(card, "reviewAdd")->click();
    EXPECT_EQ(commented.count(), 0) << "by nobody";
    author->setText(" Ada ");
    text->setText("  ");
    QTest::keyClick(text, Qt::Key_Return);
    EXPECT_EQ(commented.count(), 0) << "of nothing";
    text->setText(" well done ");
    target->setCurrentIndex(target->findData("outcome"));
    QTest::keyClick(text, Qt::Key_Return);
    ASSERT_EQ(commented.count(), 1);
    EXPECT_EQ(commented[0][0].toString(), "outcome");
    EXPECT_EQ(commented[0][1].toString(), "Ada");
    EXPECT_EQ(commented[0][2].toString(), "well done");
    EXPECT_TRUE(text->text().isEmpty());
    EXPECT_EQ(author->text(), " Ada ") << "of the next comment, too";
    card.setReview(view, {{"1", "G1", "Bob", "2026-01-01T00:00:00.000Z", "<b>mind</b> it"}});
    EXPECT_EQ(target->currentData().toString(), "outcome") << "the choice stays";
    const QString words = wordsOn(card);
    EXPECT_TRUE(words.contains("G1") && words.contains("Bob") && words.contains("<b>mind</b> it"));
    for (const QLabel* label : card.findChildren<QLabel*>())
        if (label->text().contains("mind")) {
            EXPECT_EQ(label->textFormat(), Qt::PlainText) << "a reviewer's text is not markup";
        }
    view.gates.clear();
    card.setReview(view, {});
    EXPECT_EQ(seenOn(card), none) << "comments of the session before";
    const QSignalSpy out(&card, &ReviewCard::exportRequested), in(&card, &ReviewCard::importRequested);
    buttonOn(card, "reviewExport")->click();
    EXPECT_EQ(out.count(), 1);
    buttonOn(card, "reviewImport")->click();
    EXPECT_EQ(in.count(), 1);
    EXPECT_EQ(out.count(), 1);
    card.setBusy("the database is read-only");
    EXPECT_FALSE(buttonOn(card, "reviewAdd")->isEnabled());
    EXPECT_FALSE(buttonOn(card, "reviewImport")->isEnabled());
    EXPECT_FALSE(text->isEnabled());
    EXPECT_TRUE(buttonOn(card, "reviewExport")->isEnabled()) << "that writes no database";
    card.setBusy({});
    EXPECT_TRUE(text->isEnabled());
}

TEST(SessionAlerts, HaveAButtonForTheStepThatTheySuggest)
{
    Alert cost{"over-cost", "It is expensive.", "session:s", NextStep{StepId::listCosts, {}, {}}};
    Alert slow{"regression", "It is slower.", "run:r", NextStep{StepId::showSession, {}, {}}};
    Alert plain{"near-cost", "It gets expensive.", "session:s", {}};
    SessionAlertsCard card;
    EXPECT_TRUE(card.isHidden());
    card.setAlerts({cost, slow, plain});
    EXPECT_FALSE(card.isHidden());
    EXPECT_EQ(card.findChild<QLabel*>("alert-over-cost")->text(), "It is expensive.");
    EXPECT_EQ(card.findChild<QLabel*>("alert-regression")->text(), "It is slower.");
    EXPECT_EQ(buttonOn(card, "alertStep-regression"), nullptr) << "the session is what is shown";
    EXPECT_EQ(buttonOn(card, "alertStep-near-cost"), nullptr);
    const QSignalSpy requested(&card, &SessionAlertsCard::stepRequested);
    ASSERT_NE(buttonOn(card, "alertStep-over-cost"), nullptr);
    buttonOn(card, "alertStep-over-cost")->click();
    ASSERT_EQ(requested.count(), 1);
    EXPECT_EQ(requested[0][0].value<NextStep>().id, StepId::listCosts);
    card.setBusy("measuring");
    EXPECT_FALSE(buttonOn(card, "alertStep-over-cost")->isEnabled());
    card.setBusy({});
    EXPECT_TRUE(buttonOn(card, "alertStep-over-cost")->isEnabled());
    card.setAlerts({plain});
    settleWidgets();
    EXPECT_EQ(card.findChild<QLabel*>("alert-over-cost"), nullptr);
    card.setAlerts({});
    EXPECT_TRUE(card.isHidden());
}

TEST(SessionAlerts, WhileWorkRunsNoneOfTheirStepsCanBeTaken)
{
    SessionAlertsCard card;
    card.setAlerts({{"over-cost", "It is expensive.", "session:s", NextStep{StepId::listCosts, {}, {}}},
                    {"no-price", "It has no price.", "session:s", NextStep{StepId::setPrice, {}, {}}},
                    {"old", "Its check is old.", "session:s", NextStep{StepId::checkEnvironment, {}, {}}}});
    const QSignalSpy requested(&card, &SessionAlertsCard::stepRequested);
    const auto enabled = [&] {
        int count = 0;
        for (const char* code : {"over-cost", "no-price", "old"})
            count += buttonOn(card, QStringLiteral("alertStep-%1").arg(QLatin1String(code)))->isEnabled();
        return count;
    };
    ASSERT_EQ(enabled(), 3);
    card.setBusy("measuring");
    EXPECT_EQ(enabled(), 0);
    card.setBusy({});
    EXPECT_EQ(enabled(), 3);
    buttonOn(card, "alertStep-no-price")->click();
    ASSERT_EQ(requested.count(), 1);
    EXPECT_EQ(requested[0][0].value<NextStep>().id, StepId::setPrice);
}

} // namespace
} // namespace kl::ui
