// SPDX-License-Identifier: MIT
// The program of the window, started with options: what ends by itself, what it leaves behind, and its exit status.
#include "core/model/kernel_code.h"
#include "tests/support/build_folder.h"
#include "tests/support/fake_program.h"
#include "tests/support/store_support.h"
#include "ui/context/remembered.h"
#include "ui/pages/page.h"
#include "ui/tour/tour_steps.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QImage>
#include <QProcess>
#include <QRegularExpression>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace kl::ui {
namespace {

struct ProgramEnd {
    int code = -1;
    QString out;
    QString errors;
};

/// Starts build/bin/kernelloop in a folder of its own, with settings and data of its own.
class StartedProgram : public testing::Test {
protected:
    void SetUp() override
    {
        environment_ = QProcessEnvironment::systemEnvironment();
        environment_.remove("KERNELLOOP_DB");
        environment_.insert("QT_QPA_PLATFORM", "offscreen");
        for (const char* variable : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"})
            environment_.insert(variable, file(variable));
    }
    QString file(const QString& name) const { return folder_.filePath(name); }
    QByteArray bytes(const QString& name) const
    {
        QFile in(file(name));
        return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
    }
    void write(const QString& name, const QByteArray& content) const { support::writeBytes(utf8(file(name)), content.toStdString()); }
    void start(QProcess& program, const QStringList& arguments) const
    {
        program.setProcessEnvironment(environment_);
        program.setWorkingDirectory(folder_.path());
        program.start(QString::fromStdString(test::buildFolder() + "/bin/kernelloop"), arguments);
    }
    ProgramEnd ended(const QStringList& arguments) const
    {
        QProcess program;
        start(program, arguments);
        EXPECT_TRUE(program.waitForFinished(110'000)) << program.errorString().toStdString();
        return {program.exitCode(), QString::fromUtf8(program.readAllStandardOutput()), QString::fromUtf8(program.readAllStandardError())};
    }
    int code(const QStringList& arguments) const { return ended(arguments).code; }
    /// Starts it, and ends it as a window manager would once `ready`; what it has printed as errors.
    QString windowUntil(const QStringList& arguments, const std::function<bool(const QString& errors)>& ready) const
    {
        QProcess program;
        QString errors;
        start(program, arguments);
        EXPECT_TRUE(QTest::qWaitFor(
            [&] {
                errors += QString::fromUtf8(program.readAllStandardError());
                return ready(errors);
            },
            60'000));
        program.terminate();
        EXPECT_TRUE(program.waitForFinished(60'000)) << program.errorString().toStdString();
        EXPECT_EQ(program.exitCode(), exitCode(ErrorCode::interrupted));
        return errors;
    }
    /// A worker without a GPU that leaves a file "started".
    void useWorker()
    {
        write("worker.sh", "#!/bin/sh\necho started > \"$(dirname \"$0\")/started\"\n"
                           "echo '{\"event\":\"hello\",\"protocol\":1,\"version\":\"test\",\"devices\":[],\"unavailable\":\"none\"}'\n"
                           "while read -r line; do case \"$line\" in *shutdown*) exit 0 ;; esac; done\n");
        EXPECT_TRUE(QFile::setPermissions(file("worker.sh"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        environment_.insert("KERNELLOOP_WORKER", file("worker.sh"));
    }
    /// What the window remembers.
    QString settingsFile() const { return file("XDG_CONFIG_HOME/kernelloop/kernelloop.conf"); }
    QVariant remembered(const char* key) const
    {
        return QSettings(settingsFile(), QSettings::IniFormat).value(QLatin1String("window/") + QLatin1String(key));
    }
    void remember(const QString& database, const QString& device) const
    {
        QSettings settings(settingsFile(), QSettings::IniFormat);
        settings.setValue("window/database", database);
        settings.setValue("window/databases", QStringList{database});
        settings.setValue("window/device", device);
    }
    QImage picture(const QString& name) const { return QImage(file(name)); }
    /// Of the whole picture, 0 to 255.
    int lightness(const QString& name) const
    {
        return picture(name).scaled(1, 1, Qt::IgnoreAspectRatio, Qt::SmoothTransformation).pixelColor(0, 0).lightness();
    }
    QStringList filesIn(const QString& name, const QString& pattern = "*.png") const
    {
        return QDir(file(name)).entryList({pattern}, QDir::Files, QDir::Name);
    }
    /// The only session of a database.
    SessionHeader onlySession(const QString& name) const
    {
        const auto store = support::openStore(utf8(file(name)));
        const auto sessions = store->sessions();
        EXPECT_TRUE(sessions && sessions->size() == 1);
        return sessions && !sessions->empty() ? sessions->front() : SessionHeader{};
    }

    QTemporaryDir folder_;
    QProcessEnvironment environment_;
};

const QSize kShotSize(1280, 800);

/// The figure at the beginning of the last line that ends with this folder; -1 if there is none.
qsizetype countPictures(const QString& out, const QString& folder)
{
    qsizetype pictures = -1;
    for (const QString& line : out.split('\n'))
        if (line.endsWith(u' ' + folder))
            if (const auto found = QRegularExpression("^([0-9]+) ").match(line); found.hasMatch())
                pictures = found.captured(1).toLongLong();
    return pictures;
}

TEST_F(StartedProgram, ADriveWalksASessionAndLeavesItsReportAndPictures)
{
    QDir(folder_.path()).mkdir("drive");
    for (const char* old : {"drive/drive.db", "drive/drive.db-wal", "drive/drive.db-shm"})
        write(old, "of another drive");
    const ProgramEnd end = ended({"--drive", "drive"});
    ASSERT_EQ(end.code, 0) << end.errors.toStdString();
    const QStringList actions{"check-environment", "verify-smallest", "measure-baseline", "profile",
                              "choose-fix",        "verify-suite",    "evaluate",         "keep",
                              "document",          "finish"};
    QStringList pictures;
    for (int i = 0; i < actions.size(); ++i)
        pictures << QStringLiteral("step-%1-%2.png").arg(i + 1, 2, 10, QLatin1Char('0')).arg(actions[i]);
    EXPECT_EQ(filesIn("drive", "step-*.png"), pictures);
    const QStringList lines = end.out.split('\n');
    for (int i = 0; i < actions.size(); ++i)
        EXPECT_TRUE(lines.value(i).startsWith(QStringLiteral("%1. ").arg(i + 1))) << end.out.toStdString();
    EXPECT_EQ(filesIn("drive", "stage-*.png").size(), 6);
    EXPECT_TRUE(bytes("drive/report.html").startsWith("<!DOCTYPE html>"));
    EXPECT_TRUE(bytes("drive/report.pdf").startsWith("%PDF-"));
    EXPECT_TRUE(end.out.contains(": done, kept; "));
    EXPECT_TRUE(onlySession("drive/drive.db").kernel.starts_with("transpose"));

    qsizetype expected = 0;
    for (const PageEntry& page : pageEntries())
        for (const QSize size : {kShotSize, QSize(1920, 1080), QSize(2560, 1440)}) {
            const QString light = QStringLiteral("drive/%1-light-%2.png").arg(page.id).arg(size.width());
            const QString dark = QStringLiteral("drive/%1-dark-%2.png").arg(page.id).arg(size.width());
            EXPECT_EQ(picture(light).size(), size) << light.toStdString();
            EXPECT_EQ(picture(dark).size(), size) << dark.toStdString();
            EXPECT_GT(lightness(light), 200) << light.toStdString();
            EXPECT_LT(lightness(dark), 100) << dark.toStdString();
            expected += 2;
        }
    EXPECT_EQ(filesIn("drive", "*-light-*.png").size() + filesIn("drive", "*-dark-*.png").size(), expected);
    EXPECT_EQ(countPictures(end.out, file("drive")), expected) << end.out.toStdString();
    EXPECT_NE(bytes("drive/home-light-1280.png"), bytes("drive/history-light-1280.png")) << "each page its own";
    EXPECT_FALSE(QFile::exists(settingsFile())) << "it remembers nothing";
}

TEST_F(StartedProgram, PicturesOfTheReadmeAreOfOneSizeInTheirThemes)
{
    const ProgramEnd end = ended({"--shots", "readme", "--set", "readme"});
    ASSERT_EQ(end.code, 0) << end.errors.toStdString();
    EXPECT_EQ(filesIn("readme"), (QStringList{"compare-light.png", "diagnose-dark.png", "diagnose-light.png", "history-light.png",
                                              "home-light.png", "kernels-light.png", "memory-dark.png", "memory-light.png",
                                              "search-light.png", "session-dark.png", "session-light.png"}));
    QSet<QByteArray> different;
    for (const QString& name : filesIn("readme")) {
        EXPECT_EQ(picture("readme/" + name).size(), kShotSize) << name.toStdString();
        EXPECT_EQ(lightness("readme/" + name) > 150, name.endsWith("-light.png")) << name.toStdString();
        different << bytes("readme/" + name);
    }
    EXPECT_EQ(different.size(), filesIn("readme").size()) << "the memory chart is further down its page";
    EXPECT_EQ(countPictures(end.out, file("readme")), 11) << end.out.toStdString();
}

TEST_F(StartedProgram, WhatIsLiveIsWalkedByTheReturnKey)
{
    const ProgramEnd end = ended({"--shots", "live", "--set", "live", "--theme", "dark"});
    ASSERT_EQ(end.code, 0) << end.out.toStdString();
    EXPECT_EQ(filesIn("live"), (QStringList{"live-baseline.png", "live-duration.png", "live-keyboard.png", "live-sass.png"}));
    QSet<QByteArray> different;
    for (const QString& name : filesIn("live")) {
        EXPECT_EQ(picture("live/" + name).size(), kShotSize) << name.toStdString();
        EXPECT_GT(lightness("live/" + name), 150) << name.toStdString();
        EXPECT_TRUE(end.out.contains("picture: " + name)) << name.toStdString();
        different << bytes("live/" + name);
    }
    EXPECT_EQ(different.size(), 4);
    EXPECT_TRUE(end.out.contains(QRegularExpression("session: done after \\d+ ")));
    EXPECT_FALSE(end.out.contains("failed"));
}

/// A project whose program is a script: it leaves what the injected library would have left, with the times that transpose.cu names.
class TargetProject : public StartedProgram {
protected:
    void SetUp() override
    {
        StartedProgram::SetUp();
        QDir(folder_.path()).mkpath("data");
        write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.20)\nproject(fake NONE)\nadd_custom_target(kernel ALL COMMAND "
                                "${CMAKE_COMMAND} -E copy ${CMAKE_SOURCE_DIR}/transpose.cu kernel)\n");
        write("transpose.cu", "time=8000\n");
        write("edit.cu", "time=4000\n");
        write(".gitignore", "build\n");
        write("inject.so", "not loaded by programs without CUDA");
        write("run.sh", "if [ \"$3\" = check ] || [ -z \"$KLOOP_INJECT_SPOOL\" ]; then exit 0; fi\n"
                        "ns=8000\nif [ -f build/kernel ]; then ns=$(sed -n 's/^time=//p' build/kernel); fi\n"
                        "kind=times\nif grep -q '\"counters\":true' \"$KLOOP_INJECT_SPOOL\"/config.json; then kind=counts; fi\n"
                        "cp data/$kind-$ns \"$KLOOP_INJECT_SPOOL\"/1-1.trace\n");
        for (const int ns : {8000, 4000})
            for (const bool counted : {false, true})
                write(QStringLiteral("data/%1-%2").arg(counted ? "counts" : "times").arg(ns), trace(ns, counted));
        write(
            "worker.sh",
            "#!/bin/sh\necho '{\"event\":\"hello\",\"protocol\":1,\"version\":\"test\",\"devices\":[{\"uuid\":\"GPU-1\",\"name\":\"NVIDIA "
            "H200\"}],\"unavailable\":null}'\nwhile read -r line; do\nid=${line#*\\\"id\\\":}; id=${id%%,*}\ncase \"$line\" "
            "in\n*shutdown*) exit "
            "0 ;;\n*'\"verb\":\"env\"'*) echo "
            "\"{\\\"event\\\":\\\"result\\\",\\\"id\\\":$id,\\\"body\\\":{\\\"checks\\\":[{\\\"id\\\":\\\"gpu\\\",\\\"requirement\\\":"
            "\\\"required\\\",\\\"result\\\":\\\"pass\\\"}]}}\" ;;\n"
            "*) echo \"{\\\"event\\\":\\\"result\\\",\\\"id\\\":$id,\\\"body\\\":{}}\" ;;\nesac\ndone\n");
        ASSERT_TRUE(QFile::setPermissions(file("worker.sh"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        environment_.insert("KERNELLOOP_WORKER", file("worker.sh"));
        environment_.insert("KERNELLOOP_INJECT", file("inject.so"));
        environment_.insert("KERNELLOOP_SANITIZER", file("no-such-tool")); // a real one finds no CUDA in a script
        for (const char* name : {"GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"})
            environment_.insert(name, "t@example.com");
        git({"init", "-q", "-b", "main"});
        git({"add", "CMakeLists.txt", "transpose.cu", "run.sh", ".gitignore"});
        git({"commit", "-q", "-m", "first"});
    }
    static QByteArray trace(int ns, bool counted)
    {
        QByteArray text = QByteArray::fromStdString(test::FakeProgram::trace(ns, counted, "GPU-1"));
        return text.replace("_Z10column_sumPKfPfii", "_Z9transposePKfPfii").replace("_Z5rivalPf", "_Z8copy_allPf");
    }
    QString git(const QStringList& words) const
    {
        QProcess program;
        program.setProcessEnvironment(environment_);
        program.setWorkingDirectory(folder_.path());
        program.start("git", words);
        EXPECT_TRUE(program.waitForFinished() && program.exitCode() == 0) << words.join(' ').toStdString();
        return QString::fromUtf8(program.readAllStandardOutput());
    }
};

TEST_F(TargetProject, AKernelIsTakenFromItsProfileToAKeptCommit)
{
    if (QStandardPaths::findExecutable("cmake").isEmpty())
        GTEST_SKIP() << "the project is built by CMake, which is not there";
    const ProgramEnd end =
        ended({"--on", "local", "--shots", "pictures", "--set", "target", "--program", "sh run.sh 4096 4096", "--edit", file("edit.cu")});
    ASSERT_EQ(end.code, 0) << end.out.toStdString() << end.errors.toStdString();
    QStringList pictures{"program", "kernels", "form", "new", "consent", "end"};
    const QStringList actions{"check-environment", "verify-smallest", "measure-baseline", "profile", "choose-fix", "take-edit",
                              "verify-suite",      "check-memory",    "evaluate",         "keep",    "document",   "finish"};
    for (int i = 0; i < actions.size(); ++i)
        pictures << QStringLiteral("%1-%2").arg(i + 1, 2, 10, QLatin1Char('0')).arg(actions[i]);
    for (QString& name : pictures)
        name = QStringLiteral("target-%1.png").arg(name);
    pictures.sort();
    EXPECT_EQ(filesIn("pictures"), pictures);
    EXPECT_EQ(picture("pictures/target-end.png").size(), kShotSize);
    EXPECT_EQ(bytes("transpose.cu"), bytes("edit.cu"));
    const QString commit = git({"log", "-1", "--format=%H", "--name-only"});
    EXPECT_TRUE(commit.endsWith("\ntranspose.cu\n")) << "the edit and only it";
    EXPECT_TRUE(end.out.contains("N: done, kept, commit " + commit.left(40))) << end.out.toStdString();
    const QByteArray project = bytes("kernelloop.json");
    EXPECT_TRUE(project.contains("M=33,N=65")) << "what was typed into the form";
    EXPECT_TRUE(project.contains("copy_all"));
}

TEST_F(StartedProgram, TheTourHasAPictureOfEachStep)
{
    const ProgramEnd end = ended({"--shots", "tour", "--set", "tour", "--theme", "dark"});
    ASSERT_EQ(end.code, 0) << end.errors.toStdString();
    QStringList names;
    for (std::size_t step = 1; step <= tourSteps().size(); ++step)
        names << QStringLiteral("tour-%1.png").arg(step);
    EXPECT_EQ(filesIn("tour"), names);
    QSet<QByteArray> different;
    for (const QString& name : names) {
        EXPECT_EQ(picture("tour/" + name).size(), kShotSize);
        EXPECT_LT(lightness("tour/" + name), 100) << "the theme that was asked for";
        different << bytes("tour/" + name);
    }
    EXPECT_EQ(different.size(), names.size());
    EXPECT_FALSE(QFile::exists(settingsFile())) << "one's own tour goes on where it was left";
}

TEST_F(StartedProgram, WhatCannotBeDrivenOrDrawnIsItsExitStatus)
{
    write("file", "not a folder");
    const int unwritten = exitCode(ErrorCode::badInput);
    EXPECT_EQ(code({"--shots", "file/x"}), unwritten);
    EXPECT_EQ(code({"--shots", "file/x", "--set", "tour"}), unwritten);
    EXPECT_EQ(code({"--drive", "file/x", "--db", "a.db"}), unwritten);
    const ProgramEnd refused = ended({"--drive", "drive", "--db", ":sample:"});
    EXPECT_EQ(refused.code, 1) << "no session is opened there";
    EXPECT_FALSE(refused.errors.isEmpty());
    EXPECT_EQ(filesIn("drive"), QStringList());
    EXPECT_EQ(code({"--shots", "readme", "--set", "readme", "--db", ":sample:"}), 1);
    const ProgramEnd live = ended({"--shots", "live", "--set", "live", "--db", ":sample:"});
    EXPECT_EQ(live.code, 1);
    EXPECT_TRUE(live.out.contains("failed: transpose/naive "));
    const ProgramEnd target = ended({"--shots", "target", "--set", "target", "--program", "./a.out 1 2", "--edit", "x"});
    EXPECT_EQ(target.code, 1) << "the recording profiles no program";
    EXPECT_EQ(filesIn("target"), (QStringList{"target-failed.png", "target-program.png"}));
    for (const QString& name : filesIn("target"))
        EXPECT_TRUE(target.out.contains("picture: " + file("target/" + name))) << target.out.toStdString();
}

TEST_F(StartedProgram, TimesArePrintedSlowestFirst)
{
    const ProgramEnd startTime = ended({"--start-time"});
    EXPECT_EQ(startTime.code, 0);
    EXPECT_TRUE(QRegularExpression("^painted \\d+ ms \\(.* \\d+ ms\\), filled \\d+ ms \\(\\d+ ms\\)\n$").match(startTime.out).hasMatch())
        << startTime.out.toStdString();
    EXPECT_TRUE(ended({"--start-time", "--set", "tour"}).out.startsWith("painted ")) << "a set is one of pictures";
    const ProgramEnd pages = ended({"--page-times"});
    EXPECT_EQ(pages.code, 0);
    const QStringList lines = pages.out.split('\n', Qt::SkipEmptyParts);
    ASSERT_EQ(lines.size(), 21) << pages.out.toStdString();
    const QRegularExpression busy("busy (\\d+) ms");
    for (const int first : {0, 10})
        for (int i = first; i < first + 9; ++i)
            EXPECT_GE(busy.match(lines[i]).captured(1).toInt(), busy.match(lines[i + 1]).captured(1).toInt()) << lines[i].toStdString();
    for (int i = 0; i < 20; ++i)
        EXPECT_EQ(lines[i].contains(" ahead"), i < 10) << lines[i].toStdString();
    const int memory = QRegularExpression("(\\d+) MiB$").match(lines.back()).captured(1).toInt();
    EXPECT_GT(memory, 10) << lines.back().toStdString();
    EXPECT_LT(memory, 100'000) << lines.back().toStdString();
}

TEST_F(StartedProgram, ScrollingNeedsARunWithMachineCode)
{
    const ProgramEnd without = ended({"--scroll-times", "--db", "empty.db"});
    EXPECT_EQ(without.code, 0);
    EXPECT_EQ(without.out.split('\n', Qt::SkipEmptyParts).size(), 1);
    EXPECT_FALSE(without.out.contains("100000"));
    const ProgramEnd scrolled = ended({"--scroll-times", "--db", ":sample:"});
    EXPECT_EQ(scrolled.code, 0);
    const QStringList lines = scrolled.out.split('\n', Qt::SkipEmptyParts);
    ASSERT_EQ(lines.size(), 3);
    static const QRegularExpression times(QStringLiteral("([0-9.]+) ms, ([0-9.]+) ms"));
    double typical = 0, most = 0;
    for (const QString& line : lines) {
        EXPECT_TRUE(line.startsWith("100000 ")) << line.toStdString();
        const QRegularExpressionMatch found = times.match(line);
        ASSERT_TRUE(found.hasMatch()) << line.toStdString();
        typical += found.captured(1).toDouble();
        most += found.captured(2).toDouble();
    }
    EXPECT_GT(most, typical) << "of 200 frames one is slower than the median";
}

TEST_F(StartedProgram, TheNewestProfileWithMachineCodeIsScrolled)
{
    {
        const auto store = support::openStore(utf8(file("own.db")));
        RunRecord coded = support::profiledRun("aaaa0001", "naive", "2026-01-01T00:00:00.000Z", 1000);
        KernelCode code;
        code.language = CodeLanguage::sass;
        code.functions = {"naive"};
        for (int i = 0; i < 3; ++i)
            code.instructions.push_back({.offset = 16 * i, .text = "ret"});
        coded.sourceProfile.emplace();
        coded.sourceProfile->code = SharedCode(std::move(code));
        ASSERT_TRUE(store->saveRun(coded).ok());
        ASSERT_TRUE(store->saveRun(support::profiledRun("aaaa0002", "naive", "2026-01-02T00:00:00.000Z", 1000)).ok());
        ASSERT_TRUE(store->saveRun(support::timedRun("aaaa0003", "naive", "2026-01-03T00:00:00.000Z", 1000)).ok());
    }
    const ProgramEnd end = ended({"--scroll-times", "--db", "own.db"});
    EXPECT_EQ(end.code, 0);
    EXPECT_EQ(end.out.count("100000 "), 3) << end.out.toStdString();
}

TEST_F(StartedProgram, AReportThatCannotBeWrittenIsTheExitStatusOfADrive)
{
    QDir(folder_.path()).mkpath("drive/report.html");
    const ProgramEnd end = ended({"--drive", "drive"});
    EXPECT_NE(end.code, 0);
    EXPECT_TRUE(end.errors.contains("report.html")) << end.errors.toStdString();
    EXPECT_TRUE(bytes("drive/report.pdf").startsWith("%PDF-")) << "the other one is written all the same";
}

TEST_F(StartedProgram, APageIsPrintedToPdf)
{
    write("page.html", "<html><body>page</body></html>");
    EXPECT_EQ(code({"--print-pdf", "page.html", "page.pdf"}), 0);
    EXPECT_TRUE(bytes("page.pdf").startsWith("%PDF-"));
    for (const QStringList& files : {QStringList{}, {"page.html"}, {"page.html", "a.pdf", "b.pdf"}})
        EXPECT_EQ(code(QStringList{"--print-pdf"} + files), exitCode(ErrorCode::usage)) << files.size();
    const ProgramEnd missing = ended({"--print-pdf", "none.html", "a.pdf"});
    EXPECT_EQ(missing.code, exitCode(ErrorCode::badInput));
    EXPECT_TRUE(missing.errors.contains("none.html"));
    EXPECT_EQ(code({"--print-pdf", "page.html", "none/a.pdf"}), exitCode(ErrorCode::badInput));
    EXPECT_FALSE(QFile::exists(file("a.pdf")));
    QDir(folder_.path()).mkdir("folder.pdf");
    EXPECT_EQ(code({"--print-pdf", "page.html", "folder.pdf"}), exitCode(ErrorCode::badInput)) << "where a folder is, nothing is printed";
}

TEST_F(StartedProgram, WithoutADisplayOnlyWhatNeedsNoneStarts)
{
    for (const char* variable : {"QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"})
        environment_.remove(variable);
    const ProgramEnd window = ended({});
    EXPECT_EQ(window.code, exitCode(ErrorCode::environment));
    EXPECT_FALSE(window.errors.isEmpty());
    EXPECT_EQ(code({"--page", "nosuch"}), exitCode(ErrorCode::environment));
    for (const char* option : {"--help", "-h", "--version", "-v"})
        EXPECT_EQ(code({option}), 0) << option;
    EXPECT_EQ(code({"--start-time"}), 0);
    EXPECT_EQ(code({"--print-pdf"}), exitCode(ErrorCode::usage));
    for (const QStringList& draws :
         {QStringList{"--shots", "x"}, {"--drive", "x"}, {"--page-times"}, {"--scroll-times"}, {"-platform", "offscreen"}})
        EXPECT_EQ(code(draws + QStringList{"--page", "nosuch"}), exitCode(ErrorCode::usage)) << draws[0].toStdString();
    for (const char* joined : {"--shots=x", "--drive=x"})
        EXPECT_EQ(code({joined, "--page=nosuch"}), exitCode(ErrorCode::usage)) << joined;
    EXPECT_EQ(code({"--page=nosuch", "--shots", "x"}), exitCode(ErrorCode::usage)) << "wherever it is";
    EXPECT_EQ(code({"--theme=dark"}), exitCode(ErrorCode::environment)) << "no other option starts with theirs";
    EXPECT_EQ(code({"--platform=offscreen"}), exitCode(ErrorCode::environment)) << "which Qt does not know joined";
    for (const char* display : {"DISPLAY", "WAYLAND_DISPLAY"}) {
        environment_.insert(display, "no-such-display");
        EXPECT_NE(ended({}).errors, window.errors) << "Qt says what is wrong with " << display;
        environment_.remove(display);
    }
}

TEST_F(StartedProgram, TheDatabaseIsTheOneThatIsNamed)
{
    const QStringList draw{"--start-time"};
    EXPECT_EQ(code(draw), 0);
    EXPECT_EQ(filesIn(".", "*"), QStringList()) << "the sample needs no file";
    environment_.insert("KERNELLOOP_DB", file("variable.db"));
    EXPECT_EQ(code(draw), 0);
    EXPECT_EQ(filesIn(".", "*.db"), QStringList{"variable.db"});
    EXPECT_EQ(code(draw + QStringList{"--db", file("option.db")}), 0);
    EXPECT_EQ(filesIn(".", "*.db"), (QStringList{"option.db", "variable.db"}));
    ASSERT_TRUE(QFile::remove(file("variable.db")));
    EXPECT_EQ(code(draw + QStringList{"option.db"}), 0);
    EXPECT_EQ(filesIn(".", "*.db"), QStringList{"option.db"}) << "a file that is a database is the database";
    environment_.remove("KERNELLOOP_DB");
    write("damaged", "SQLite format 3" + QByteArray(1, '\0') + "and nothing of it");
    const ProgramEnd damaged = ended(draw + QStringList{"damaged"});
    EXPECT_EQ(damaged.code, exitCode(ErrorCode::badInput));
    EXPECT_TRUE(damaged.errors.contains(file("damaged"))) << damaged.errors.toStdString();
    write("report", "SQLite format 2" + QByteArray(1, '\0') + "and nothing of it");
    EXPECT_EQ(code(draw + QStringList{"report"}), 0) << "another file is a report to open";
}

TEST_F(StartedProgram, TheNextStartOpensWhatTheLastOneHad)
{
    windowUntil({"--db", "first.db", "--on", "local:7", "--page", "patterns"},
                [&](const QString&) { return remembered("device").toString() == "local:7"; });
    EXPECT_EQ(remembered("database").toString(), file("first.db")) << "by its whole path";
    EXPECT_EQ(remembered("databases").toStringList(), QStringList{file("first.db")});
    EXPECT_EQ(remembered("page").toString(), "patterns");
    useWorker();
    remember(file("second.db"), "local");
    windowUntil({}, [&](const QString&) { return QFile::exists(file("started")); });
    EXPECT_TRUE(QFile::exists(file("second.db")));
    EXPECT_EQ(remembered("database").toString(), file("second.db"));
    remember(file("third.db"), "no device");
    windowUntil({"--db", ":sample:"}, [&](const QString&) { return remembered("device").toString() == "sample"; });
    EXPECT_EQ(remembered("database").toString(), ":sample:");
    EXPECT_FALSE(QFile::exists(file("third.db")));
}

TEST_F(StartedProgram, WhatDrawsIsNotAskedWhatIsRemembered)
{
    write("damaged.db", "this is not a database, but it is long enough to be taken for one by its name");
    remember(file("damaged.db"), "local");
    EXPECT_EQ(code({"--start-time"}), 0);
    EXPECT_EQ(remembered("database").toString(), file("damaged.db"));
    EXPECT_EQ(remembered("device").toString(), "local");
    EXPECT_EQ(code({"--start-time", "--db", "other.db", "--on", "sample"}), 0);
    EXPECT_EQ(remembered("database").toString(), file("damaged.db"));
    EXPECT_EQ(remembered("device").toString(), "local");
}

TEST_F(StartedProgram, ADatabaseThatCannotBeOpenedIsForgotten)
{
    write("damaged.db", "this is not a database, but it is long enough to be taken for one by its name");
    remember(file("damaged.db"), "sample");
    const QString errors = windowUntil({}, [&](const QString& stated) { return stated.contains("damaged.db") && stated.count('\n') >= 2; });
    EXPECT_TRUE(errors.contains(file("damaged.db")));
    EXPECT_EQ(remembered("database").toString(), "");
    EXPECT_EQ(remembered("databases").toStringList(), QStringList());
}

TEST_F(StartedProgram, TheWorkerOfTheDeviceIsStarted)
{
    useWorker();
    EXPECT_EQ(code({"--start-time", "--on", "sample"}), 0);
    EXPECT_EQ(code({"--start-time"}), 0);
    EXPECT_FALSE(QFile::exists(file("started")));
    EXPECT_EQ(code({"--start-time", "--on", "local"}), 0);
    EXPECT_TRUE(QFile::exists(file("started")));
}

} // namespace
} // namespace kl::ui
