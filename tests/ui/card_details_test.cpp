// SPDX-License-Identifier: MIT
// Cards and forms in states that are rare: one question before, a quoted figure without a range, an edit of a repository, what was typed in
// before a preview comes.
#include "core/base/format.h"
#include "core/model/comparison.h"
#include "tests/support/store_support.h"
#include "tests/ui/support/counted_run.h"
#include "tests/ui/support/own_database.h"
#include "tests/ui/support/seen_texts.h"
#include "ui/context/app_context.h"
#include "ui/import/opened_runs.h"
#include "ui/pages/diagnose/decision_card.h"
#include "ui/pages/diagnose/finding_header.h"
#include "ui/pages/diagnose/target_dialog.h"
#include "ui/pages/search/space_inputs.h"
#include "ui/pages/session/edit_card.h"
#include "ui/pages/session/new_session_card.h"
#include "ui/pages/session/side_panel.h"
#include "ui/pages/session/stage_rail.h"
#include "ui/pages/session_page.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>
#include <QToolButton>

namespace kl::ui {
namespace {

TEST(DecisionDetails, OneQuestionBeforeIsNotCounted)
{
    const Result<DiagnosisTree> tree = DiagnosisTree::loadEmbedded();
    ASSERT_TRUE(tree);
    const std::vector<DiagnosisTree::Node>& nodes = tree->nodes();
    DecisionCard card;
    const auto before = [&](std::size_t requested) {
        Finding finding;
        finding.classId = nodes[requested].classId;
        for (std::size_t i = 0; i < requested; ++i)
            finding.path.push_back({nodes[i].id, "quantity", 10.0, 70.0, ">=", false});
        finding.path.push_back({nodes[requested].id, "quantity", 80.0, 70.0, ">=", true});
        card.setFinding(*tree, finding);
        return card.findChild<QLabel*>("decidingQuestion")->text().remove(q(nodes[requested].title));
    };
    const QString none = before(0), one = before(1), three = before(3);
    EXPECT_GT(one.size(), none.size());
    EXPECT_FALSE(one.contains(QRegularExpression("\\b1\\b"))) << one.toStdString();
    EXPECT_TRUE(three.contains(QRegularExpression("\\b3\\b"))) << three.toStdString();
    EXPECT_TRUE(none.contains("80 ") && none.contains("70")) << none.toStdString();
}

TEST(FindingDetails, TheWholeNameIsInTheTooltip)
{
    RunRecord run = countedRun("now", 1000);
    run.kernel = {"program", "scale-1", {}};
    run.imported.emplace();
    run.imported->kernel = "void ns::scale<float, 4>(float const*, int)";
    FindingHeader header;
    header.setRun(run, nullptr);
    QString tip;
    for (const QLabel* label : header.findChildren<QLabel*>())
        tip += label->toolTip();
    EXPECT_EQ(tip, q(fullKernel(run)));
    EXPECT_TRUE(tip.contains("ns::scale<float, 4>"));
    EXPECT_TRUE(wordsOn(header).contains(q(displayKernel(run))));
    EXPECT_NE(q(displayKernel(run)), tip);
}

TEST(SideDetails, AQuotedSavingIsARangeOnlyWhereItIsOne)
{
    std::vector<Pattern> library(1);
    library[0].slug = "p";
    library[0].title = "Pattern";
    library[0].quotedMinutes = 10;
    library[0].quotedMinutesHigh = 10;
    library[0].quotedDollars = 2;
    PhaseView phase;
    phase.patterns = {"p"};
    SidePanel panel;
    const auto quoted = [&] {
        panel.setView({}, phase, library);
        return seenOn(panel).value(seenOn(panel).indexOf("Pattern") + 1);
    };
    EXPECT_TRUE(quoted().startsWith(q(formatMinutes(10)))) << quoted().toStdString();
    EXPECT_EQ(quoted().count("10"), 1);
    library[0].quotedMinutesHigh = 12;
    EXPECT_TRUE(quoted().contains(q(formatMinutes(12))));
    library[0].quotedMinutes.reset();
    EXPECT_TRUE(quoted().startsWith("$2.00")) << "without minutes there is no range of them";
    library[0].quotedDollars.reset();
    EXPECT_FALSE(quoted().contains(QRegularExpression("[0-9]"))) << quoted().toStdString();
}

TEST(EditDetails, ACommitIsOfferedWhereTheFileIsInARepositoryAndNothingIsDecided)
{
    SessionView view;
    view.sourceChange.emplace();
    view.sourceChange->file = "/src/a.cu";
    view.sourceChange->summary = "+1 line";
    view.sourceChange->git = true;
    EditCard card;
    card.show();
    const auto* commits = card.findChild<QCheckBox*>("editGit");
    card.setEdit(view, {});
    EXPECT_TRUE(commits->isVisible());
    EXPECT_FALSE(commits->isChecked()) << "nobody chose it";
    EXPECT_EQ(card.findChild<QLabel*>("editState")->text(), "+1 line") << "nothing was committed yet";
    view.git = true;
    card.setEdit(view, {});
    EXPECT_TRUE(commits->isChecked());
    card.setBusy("measuring");
    EXPECT_FALSE(commits->isEnabled());
    view.finished = true;
    card.setEdit(view, {});
    EXPECT_FALSE(commits->isVisible());
    view.finished = false;
    view.sourceChange->git = false;
    card.setEdit(view, {});
    EXPECT_FALSE(commits->isVisible());
    EXPECT_TRUE(inEdit(SessionView()) == false);
    NextAction take;
    take.action = SessionAction::takeEdit;
    view.next = {NextAction(), take};
    EXPECT_TRUE(inEdit(view));
}

TEST(FormDetails, WhatWasTypedStaysAndTheKindSaysWhatItIsFor)
{
    NewSessionCard card;
    card.setKernels(std::make_shared<const Catalog>(std::move(*Catalog::loadEmbedded())));
    card.setKinds();
    auto* baseline = card.findChild<QLineEdit*>("answer-baseline");
    SessionPreview preview;
    preview.answers = {{"baseline", "", "first"}, {"tools", "", "CUPTI"}};
    card.setPreview(preview);
    baseline->setText("mine");
    preview.answers = {{"baseline", "", "second"}, {"tools", "", "NVML"}};
    card.setPreview(preview);
    EXPECT_EQ(baseline->text(), "mine");
    EXPECT_EQ(baseline->placeholderText(), "first") << "it is not shown now";
    EXPECT_EQ(card.findChild<QLineEdit*>("answer-tools")->placeholderText(), "NVML");
    EXPECT_EQ(card.findChild<QLineEdit*>("answer-tools")->toolTip(), "NVML");
    auto* kinds = card.findChild<QComboBox*>("sessionKind");
    QStringList words;
    for (int i = 0; i < kinds->count(); ++i) {
        kinds->setCurrentIndex(i);
        EXPECT_TRUE(seenOn(card).contains(kinds->itemData(i, Qt::ToolTipRole).toString())) << i;
        words << kinds->itemData(i, Qt::ToolTipRole).toString();
    }
    EXPECT_EQ(words.removeDuplicates(), 0);
    EXPECT_EQ(card.draft()->answers, (std::map<std::string, std::string>{{"baseline", "mine"}}));
}

class DatabaseDetails : public OwnDatabase {};

TEST_F(DatabaseDetails, AStageThatThereIsNotLeavesTheCurrentOne)
{
    NewSession request;
    request.name = "A";
    request.objective = "objective";
    request.kernel = "transpose";
    const auto session = context->engine()->sessions.create(request);
    ASSERT_TRUE(session) << session.error().message;
    SessionPage page(*context);
    page.resize(1280, 800);
    page.show();
    const auto checked = [&](const char* stage) {
        page.open(q(session->header.id.text) + QLatin1String(stage));
        page.refresh();
        EXPECT_TRUE(waitForJobs());
        settleWidgets();
        QStringList names;
        for (const QToolButton* button : page.findChildren<QToolButton*>("stage"))
            if (button->isChecked())
                names << button->accessibleName();
        return names;
    };
    const QStringList current = checked("");
    ASSERT_EQ(current.size(), 1);
    EXPECT_TRUE(current[0].contains("current")) << current[0].toStdString();
    EXPECT_EQ(checked("#no-such-stage"), current);
    EXPECT_NE(checked("#document"), current);
    EXPECT_EQ(checked(""), current) << "another visit begins with the current one";
}

TEST_F(DatabaseDetails, TheChosenKernelStaysWhenTheKernelsAreReadAgain)
{
    SpaceInputs inputs(*context);
    auto* kernel = inputs.findChild<QComboBox*>("kernel");
    ASSERT_GE(kernel->count(), 2);
    kernel->setCurrentIndex(kernel->count() - 1);
    const QString chosen = inputs.kernelName();
    const QSignalSpy requested(&inputs, &SpaceInputs::requested);
    emit context->kernelsChanged({});
    EXPECT_EQ(inputs.kernelName(), chosen);
    EXPECT_GE(requested.count(), 1) << "its space may be another one";
    ASSERT_TRUE(inputs.subject());
    EXPECT_EQ(q(inputs.subject()->family + "/" + inputs.subject()->variant), chosen);
    EXPECT_TRUE(inputs.hasKernel());
    const auto* problem = inputs.findChild<QComboBox*>("problem");
    EXPECT_EQ(problem->itemData(0, Qt::ToolTipRole).toString(), spaceProblem(utf8(problem->itemText(0))));
}

TEST_F(DatabaseDetails, EditableFilesAreNamedFromTheProjectsFolder)
{
    RunRecord run = countedRun("now", 1000);
    run.program = ProgramFacts{{"./scale"}, "scale(float*)", 100, 24'000, 0.25, {}, 0};
    const QDir project(q(folder.path().string()));
    ASSERT_TRUE(project.mkpath("src"));
    QFile file(project.filePath("src/kernel.cu"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.close();
    TargetDialog dialog(*context, run, nullptr);
    dialog.show();
    dialog.findChild<QLineEdit*>("targetFolder")->setText(project.path());
    auto* files = dialog.findChild<QPlainTextEdit*>("targetEdit");
    QPushButton* add = nullptr;
    for (auto* button : dialog.findChildren<QPushButton*>())
        if (button->y() >= files->y() && button->y() < files->y() + files->height() && button->parentWidget() == files->parentWidget())
            add = button;
    ASSERT_NE(add, nullptr);
    QTimer::singleShot(0, &dialog, [&] {
        for (QWidget* top : QApplication::topLevelWidgets())
            if (auto* chooser = qobject_cast<QFileDialog*>(top); chooser && chooser->isVisible()) {
                chooser->findChild<QLineEdit*>("fileNameEdit")->setText(file.fileName());
                static_cast<QDialog*>(chooser)->accept();
            }
    });
    add->click();
    EXPECT_EQ(files->toPlainText().trimmed(), "src/kernel.cu");
}

} // namespace
} // namespace kl::ui
