// SPDX-License-Identifier: MIT
// The form of a new session: what it writes, what can be chosen, and what stays when it is filled again.
#include "kernels/catalog.h"
#include "sessions/engine/session_preview.h"
#include "ui/pages/session/new_session_card.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QTest>

namespace kl::ui {
namespace {

class NewSessionForm : public testing::Test {
protected:
    NewSessionForm()
    {
        static const auto catalog = std::make_shared<const Catalog>(std::move(*Catalog::loadEmbedded()));
        card.setKernels(catalog);
        card.setKinds();
        card.setName("N+3");
    }
    void choose(const char* name, const QString& data)
    {
        auto* box = card.findChild<QComboBox*>(QString::fromLatin1(name));
        ASSERT_GE(box->findData(data), 0) << name;
        box->setCurrentIndex(box->findData(data));
    }
    void write(const char* name, const QString& text) { card.findChild<QLineEdit*>(QString::fromLatin1(name))->setText(text); }
    NewSession draft() const
    {
        const Result<NewSession> made = card.draft();
        EXPECT_TRUE(made);
        return made ? *made : NewSession{};
    }

    NewSessionCard card;
};

TEST_F(NewSessionForm, WhatIsFilledInIsWhatIsAskedFor)
{
    EXPECT_FALSE(draft().budgetMinutes) << "that of the kind";
    EXPECT_FALSE(draft().objective.empty());
    choose("sessionKind", "optimize");
    choose("sessionKernel", "reduction");
    const auto* variants = card.findChild<QComboBox*>("sessionVariant");
    const QString variant = variants->itemData(2).toString();
    choose("sessionVariant", variant);
    const auto* problems = card.findChild<QComboBox*>("sessionProblem");
    ASSERT_GE(problems->count(), 2);
    const QString problem = problems->itemData(1).toString();
    choose("sessionProblem", problem);
    card.findChild<QCheckBox*>("sessionCumulative")->setChecked(true);
    card.findChild<QSpinBox*>("sessionBudget")->setValue(77);
    write("sessionName", " mine ");
    write("sessionObjective", " as fast as a copy ");
    write("answer-baseline", "torch.sum");
    write("sessionClaimSource", "a talk");
    EXPECT_TRUE(draft().claims.empty()) << "half a claim is none";
    write("sessionClaimFigure", "2x");
    const NewSession made = draft();
    EXPECT_EQ(made.kind, "optimize");
    EXPECT_EQ(made.kernel, "reduction/" + utf8(variant));
    EXPECT_EQ(q(toText(made.problem)), problem);
    EXPECT_TRUE(made.cumulative);
    EXPECT_EQ(made.budgetMinutes, 77);
    EXPECT_EQ(made.name, "mine");
    EXPECT_EQ(made.objective, "as fast as a copy");
    EXPECT_EQ(made.answers, (std::map<std::string, std::string>{{"baseline", "torch.sum"}}));
    ASSERT_EQ(made.claims.size(), 1U);
    EXPECT_EQ(made.claims.front().source, "a talk");
    EXPECT_EQ(made.claims.front().figure, "2x");
    choose("sessionKind", "baseline");
    EXPECT_EQ(draft().kind, "baseline");
    EXPECT_FALSE(draft().cumulative) << "it changes nothing";
    choose("sessionKind", "optimize");
    EXPECT_FALSE(draft().cumulative);
}

TEST_F(NewSessionForm, WhatWasChosenStaysWhenTheFormIsFilledAgain)
{
    choose("sessionKind", "debug");
    choose("sessionKernel", "reduction");
    choose("sessionVariant", card.findChild<QComboBox*>("sessionVariant")->itemData(2).toString());
    choose("sessionProblem", card.findChild<QComboBox*>("sessionProblem")->itemData(1).toString());
    QTest::keyClicks(card.findChild<QLineEdit*>("sessionName"), "x");
    write("sessionObjective", "mine");
    const NewSession before = draft();
    card.setKernels(std::make_shared<const Catalog>(std::move(*Catalog::loadEmbedded())));
    card.setKinds();
    card.setName("N+4");
    card.propose("no-such-kernel", {});
    const NewSession after = draft();
    EXPECT_EQ(after.kind, before.kind);
    EXPECT_EQ(after.kernel, before.kernel);
    EXPECT_EQ(after.problem, before.problem);
    EXPECT_EQ(after.name, before.name);
    EXPECT_EQ(after.objective, "mine");
    card.propose("transpose", "next");
    EXPECT_EQ(draft().kernel.substr(0, 9), "transpose");
    EXPECT_EQ(draft().objective, "next");
    card.propose("transpose/tiled", {}, "profile");
    EXPECT_EQ(draft().kernel, "transpose/tiled") << "a variant to start from";
    EXPECT_EQ(draft().kind, "profile");
    EXPECT_EQ(draft().objective, "next");
    card.propose("attention/fused@WARPS=4", {}, {}, "B=1,H=1,S=128,D=64");
    EXPECT_EQ(draft().kernel, "attention/fused@WARPS=4") << "what was measured is where it starts";
    EXPECT_EQ(draft().problem, *parseParams("B=1,H=1,S=128,D=64"));
    card.propose("attention/serial", {});
    EXPECT_EQ(draft().kernel, "attention/serial");
    card.propose("reduction/no-such-variant@W=2", {}, "no-such-kind");
    EXPECT_EQ(draft().kernel.substr(0, 9), "reduction");
    EXPECT_EQ(draft().kind, "profile");
}

TEST_F(NewSessionForm, OpensNothingThatIsMissingOrLocked)
{
    const auto* open = card.findChild<QPushButton*>("openSession");
    SessionPreview preview = {};
    preview.answers = {{"baseline", "", "torch"}, {"tools", "", "CUPTI"}};
    card.setPreview(preview);
    EXPECT_TRUE(open->isEnabled());
    EXPECT_EQ(card.findChild<QLineEdit*>("answer-baseline")->placeholderText(), "torch");
    EXPECT_EQ(card.findChild<QLineEdit*>("answer-tools")->placeholderText(), "CUPTI");
    preview.missing = "not recorded";
    card.setPreview(preview);
    EXPECT_FALSE(open->isEnabled());
    preview.missing.clear();
    card.setPreview(preview);
    card.setLocked("no GPU");
    EXPECT_FALSE(open->isEnabled());
    card.setLocked({});
    EXPECT_TRUE(open->isEnabled());
    auto* kinds = card.findChild<QComboBox*>("sessionKind");
    auto* problems = card.findChild<QComboBox*>("sessionProblem");
    problems->setEditText("M=3,N=5");
    SessionChoices choices;
    choices.kinds = {{"debug", "Debug", "no fault is recorded"}, {"optimize", "Optimize", {}}};
    choices.problems = {{utf8(problems->itemData(0).toString()), "one", "not recorded"}};
    card.setChoices(choices);
    const auto* model = qobject_cast<const QStandardItemModel*>(kinds->model());
    EXPECT_FALSE(model->item(kinds->findData("debug"))->isEnabled());
    EXPECT_TRUE(model->item(kinds->findData("optimize"))->isEnabled());
    EXPECT_EQ(toText(draft().problem), "M=3,N=5") << "what was typed stays";
}

TEST_F(NewSessionForm, IsSubmittedOnceItCanBeOpened)
{
    const QSignalSpy requested(&card, &NewSessionCard::requested), changed(&card, &NewSessionCard::changed);
    auto* objective = card.findChild<QLineEdit*>("sessionObjective");
    write("sessionObjective", "mine");
    card.setLocked("no GPU");
    QTest::keyClick(objective, Qt::Key_Return);
    EXPECT_EQ(requested.count(), 0);
    card.setLocked({});
    QTest::keyClick(objective, Qt::Key_Return);
    ASSERT_EQ(requested.count(), 1);
    EXPECT_EQ(requested[0][0].value<NewSession>().objective, "mine");
    EXPECT_EQ(requested[0][0].value<NewSession>().name, "N+3");
    card.findChild<QComboBox*>("sessionProblem")->setEditText("M=");
    card.findChild<QPushButton*>("openSession")->click();
    EXPECT_EQ(requested.count(), 1) << "that is not a size";
    EXPECT_GE(changed.count(), 1);
    card.setPreview(Error{.code = ErrorCode::badInput, .message = "no such size"});
    EXPECT_FALSE(card.findChild<QPushButton*>("openSession")->isEnabled());
    card.setPreview(SessionPreview{});
    EXPECT_TRUE(card.findChild<QPushButton*>("openSession")->isEnabled());
}

TEST_F(NewSessionForm, TheBudgetIsThatOfTheKindUntilItIsChanged)
{
    auto* budget = card.findChild<QSpinBox*>("sessionBudget");
    choose("sessionKind", "optimize");
    const int optimize = budget->value();
    choose("sessionKind", "debug");
    EXPECT_NE(budget->value(), optimize);
    EXPECT_FALSE(draft().budgetMinutes);
    EXPECT_FALSE(card.findChild<QCheckBox*>("sessionCumulative")->isVisibleTo(&card)) << "it keeps no change";
    budget->setValue(budget->value() + 1);
    EXPECT_EQ(draft().budgetMinutes, budget->value());
    for (const char* kind : {"baseline", "profile"}) {
        choose("sessionKind", QLatin1String(kind));
        EXPECT_FALSE(card.findChild<QCheckBox*>("sessionCumulative")->isVisibleTo(&card)) << kind;
    }
    choose("sessionKind", "optimize");
    EXPECT_TRUE(card.findChild<QCheckBox*>("sessionCumulative")->isVisibleTo(&card));
    EXPECT_EQ(budget->value(), optimize);
}

TEST_F(NewSessionForm, WhatCannotBeChosenSaysSoUntilItCan)
{
    auto* kinds = card.findChild<QComboBox*>("sessionKind");
    const int debug = kinds->findData("debug");
    const QString plain = kinds->itemText(debug);
    SessionChoices choices;
    choices.kinds = {{"debug", "Debug it", "no fault is recorded"}, {"no-such-kind", "", ""}};
    card.setChoices(choices);
    EXPECT_NE(kinds->itemText(debug), plain);
    EXPECT_EQ(kinds->itemData(debug, Qt::ToolTipRole).toString(), "no fault is recorded");
    const QString marked = kinds->itemText(debug);
    card.setChoices(choices);
    EXPECT_EQ(kinds->itemText(debug), marked) << "marked once";
    choices.kinds[0].reason.clear();
    card.setChoices(choices);
    EXPECT_EQ(kinds->itemText(debug), plain);
    EXPECT_EQ(kinds->itemData(debug, Qt::ToolTipRole).toString(), "Debug it");
    choose("sessionKernel", "transpose");
    choose("sessionVariant", "tiled");
    EXPECT_EQ(draft().kernel, "transpose/tiled");
    choose("sessionKernel", "reduction");
    EXPECT_EQ(draft().kernel, "reduction") << "the variant was of the kernel before";
    EXPECT_EQ(toText(draft().problem), utf8(card.findChild<QComboBox*>("sessionProblem")->itemData(0).toString()));
}

} // namespace
} // namespace kl::ui
