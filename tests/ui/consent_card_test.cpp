// SPDX-License-Identifier: MIT
// The question whether a command from a file may run: what it shows, who answers, one after the other.
#include "core/base/shell_line.h"
#include "profiler/client/consent.h"
#include "ui/jobs/consent_desk.h"
#include "ui/jobs/job.h"
#include "ui/widgets/consent_card.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QPushButton>
#include <QTest>

#include <algorithm>
#include <optional>

namespace kl::ui {
namespace {

FileCommand askedCommand(const char* file)
{
    FileCommand command;
    command.file = file;
    command.command = {"python3", "two words.py"};
    command.folder = "/work/folder";
    command.hash = "0123abcd";
    return command;
}

/// Asks on another thread, as a worker's job does.
class Asker {
public:
    void ask(const FileCommand& command)
    {
        job.start(
            "asking", [command](const Job& handle) { return ConsentDesk::instance().ask(command, handle); },
            [this](const Result<bool>& given) { answer = given; });
    }
    BackgroundJob job;
    std::optional<Result<bool>> answer;
};

/// Labels of the rows, each with its value.
QStringList readRows(const ConsentCard& card)
{
    QStringList texts;
    for (const QLabel* label : card.findChildren<QLabel*>())
        if (!label->accessibleName().isEmpty())
            texts << label->accessibleName();
    return texts;
}

bool isAsking(const ConsentCard& card)
{
    return QTest::qWaitFor([&] { return !card.isHidden(); }, 60000);
}

TEST(ConsentCards, ShowWhatWouldRunWhere)
{
    ConsentCard card;
    EXPECT_TRUE(card.isHidden());
    Asker asker;
    FileCommand command = askedCommand("/work/folder/kernelloop.json");
    command.files = {"build.sh"};
    command.afterwards = "the program itself";
    asker.ask(command);
    ASSERT_TRUE(isAsking(card));
    QStringList rows = readRows(card);
    ASSERT_EQ(rows.size(), 6) << rows.join('|').toStdString();
    EXPECT_TRUE(rows[0].endsWith(" /work/folder/kernelloop.json"));
    EXPECT_TRUE(rows[1].endsWith(" python3 'two words.py'")) << rows[1].toStdString();
    EXPECT_TRUE(rows[2].endsWith(q(filesText(command))));
    EXPECT_TRUE(rows[3].endsWith(" /work/folder"));
    EXPECT_TRUE(rows[4].endsWith(" the program itself"));
    EXPECT_TRUE(rows[5].endsWith(" 0123abcd"));
    const QString ofAFile = card.title();
    card.findChild<QPushButton*>("consentRun")->click();
    EXPECT_TRUE(card.isHidden()) << "at once";
    ASSERT_TRUE(waitForJobs());
    ASSERT_TRUE(asker.answer && *asker.answer);
    EXPECT_TRUE(**asker.answer);
    command = askedCommand("/work/reference.py");
    command.folder.clear();
    asker.ask(command);
    ASSERT_TRUE(isAsking(card));
    rows = readRows(card);
    ASSERT_EQ(rows.size(), 4) << "nothing of the question before: " << rows.join('|').toStdString();
    EXPECT_FALSE(rows[2].endsWith(" ")) << "a private folder, in words";
    EXPECT_NE(card.title(), ofAFile);
    const QString ofAScript = card.title();
    card.findChild<QPushButton*>("consentRefuse")->click();
    ASSERT_TRUE(waitForJobs());
    EXPECT_FALSE(**asker.answer);
    command.changedSince = "2026-03-01T09:00:00.000Z";
    asker.ask(command);
    ASSERT_TRUE(isAsking(card));
    EXPECT_NE(card.title(), ofAScript);
    EXPECT_TRUE(card.title().contains("2026-03-01"));
    EXPECT_FALSE(card.title().contains("09:00"));
    card.findChild<QPushButton*>("consentRefuse")->click();
    ASSERT_TRUE(waitForJobs());
    command.question = "A program is to run on gpu7:";
    asker.ask(command);
    ASSERT_TRUE(isAsking(card));
    EXPECT_TRUE(card.title().startsWith("A program is to run on gpu7.")) << card.title().toStdString();
    asker.job.cancel();
    ASSERT_TRUE(waitForJobs());
    ASSERT_FALSE(*asker.answer);
    EXPECT_EQ(asker.answer->error().code, ErrorCode::interrupted);
    EXPECT_EQ(asker.answer->error().where, "/work/reference.py");
}

TEST(ConsentCards, OneQuestionAtATime)
{
    ConsentCard card;
    Asker first, second;
    first.ask(askedCommand("/first"));
    ASSERT_TRUE(isAsking(card));
    second.ask(askedCommand("/second"));
    QTest::qWait(20);
    EXPECT_EQ(ConsentDesk::instance().question()->file, "/first");
    ConsentDesk::instance().answer(true);
    EXPECT_FALSE(ConsentDesk::instance().question() && ConsentDesk::instance().question()->file == "/first");
    ASSERT_TRUE(
        QTest::qWaitFor([] { return ConsentDesk::instance().question() && ConsentDesk::instance().question()->file == "/second"; }, 60000));
    ASSERT_TRUE(isAsking(card));
    ConsentDesk::instance().answer(false);
    ConsentDesk::instance().answer(true);
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(**first.answer);
    EXPECT_FALSE(**second.answer) << "the first answer counts";
}

TEST(ConsentCards, WithoutAWindowNothingIsAllowed)
{
    Asker asker;
    asker.ask(askedCommand("/file"));
    ASSERT_TRUE(waitForJobs());
    ASSERT_TRUE(asker.answer && *asker.answer);
    EXPECT_FALSE(**asker.answer);
}

TEST(ConsentCards, WhatCannotBePrintedIsMadeVisible)
{
    ConsentCard card;
    Asker asker;
    FileCommand command = askedCommand("/work/\x1b[2Kfile.json");
    command.command = {"sh", "-c", "rm x\rls"};
    command.folder = "/work/\x1b[1A";
    command.afterwards = "and\x08 more";
    command.question = "May it run\x1b[0m:";
    asker.ask(command);
    ASSERT_TRUE(isAsking(card));
    const QStringList rows = readRows(card);
    ASSERT_EQ(rows.size(), 5);
    EXPECT_TRUE(rows[0].endsWith(q(visibleText(command.file)))) << rows[0].toStdString();
    EXPECT_TRUE(rows[1].endsWith(q(visibleText(shellLine(command.command))))) << rows[1].toStdString();
    EXPECT_TRUE(rows[2].endsWith(q(visibleText(command.folder)))) << rows[2].toStdString();
    EXPECT_TRUE(rows[3].endsWith(q(visibleText(command.afterwards)))) << rows[3].toStdString();
    for (const QString& text : rows + QStringList{card.title()})
        EXPECT_TRUE(std::ranges::none_of(text, [](QChar letter) { return letter < u' '; })) << text.toStdString();
    card.findChild<QPushButton*>("consentRefuse")->click();
    ASSERT_TRUE(waitForJobs());
}

TEST(ConsentCards, AQuestionOfItsOwnComesBeforeWhatChanged)
{
    ConsentCard card;
    Asker asker;
    FileCommand command = askedCommand("/work/project.json");
    command.question = "Build the project on gpu7";
    command.changedSince = "2026-03-01T09:00:00.000Z";
    asker.ask(command);
    ASSERT_TRUE(isAsking(card));
    EXPECT_TRUE(card.title().startsWith("Build the project on gpu7. ")) << card.title().toStdString();
    EXPECT_FALSE(card.title().contains("2026"));
    for (const QLabel* label : card.findChildren<QLabel*>())
        if (!label->accessibleName().isEmpty()) {
            EXPECT_EQ(label->textFormat(), Qt::PlainText) << label->text().toStdString();
        }
    EXPECT_EQ(ConsentDesk::instance().question()->hash, "0123abcd");
    ConsentDesk::instance().answer(true);
    EXPECT_FALSE(ConsentDesk::instance().question()) << "it is answered";
    EXPECT_TRUE(card.isHidden());
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(**asker.answer);
}

TEST(ConsentCards, OfTwoWindowsTheOneThatIsLeftStillAsks)
{
    ConsentCard card;
    {
        const ConsentCard other;
    }
    Asker asker;
    asker.ask(askedCommand("/work/project.json"));
    ASSERT_TRUE(isAsking(card));
    card.findChild<QPushButton*>("consentRun")->click();
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(**asker.answer);
}

} // namespace
} // namespace kl::ui
