// SPDX-License-Identifier: MIT
// What the pages share, without a window: signals of the context, runs that were opened, the python of baselines, doors of steps, reports.
#include "kernels/starter.h"
#include "sessions/patterns/pattern_library.h"
#include "sessions/session/events.h"
#include "tests/support/real_reports.h"
#include "tests/support/set_variable.h"
#include "tests/support/snapshot.h"
#include "tests/support/store_support.h"
#include "ui/context/app_context.h"
#include "ui/context/baselines.h"
#include "ui/context/kernel_watcher.h"
#include "ui/context/opened_device.h"
#include "ui/context/python_choice.h"
#include "ui/context/remembered.h"
#include "ui/context/step_doors.h"
#include "ui/import/opened_runs.h"
#include "ui/import/report_opener.h"
#include "ui/jobs/in_turns.h"
#include "ui/jobs/job.h"
#include "ui/style/theme.h"
#include "ui/tour/tour_card.h"
#include "ui/tour/tour_steps.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>

namespace kl::ui {
namespace {

std::unique_ptr<AppContext> openContext(const std::string& location)
{
    auto opened = AppContext::open(location, DeviceSpec::sample());
    EXPECT_TRUE(opened) << opened.error().message;
    return opened ? std::move(*opened) : nullptr;
}

TEST(Contexts, TellOfASessionThatIsAnother)
{
    const auto context = openContext(":memory:");
    const QSignalSpy changed(context.get(), &AppContext::currentSessionChanged);
    context->setCurrentSession({"a"}, "A", "transpose");
    EXPECT_EQ(context->sessionText(), q("A · transpose"));
    EXPECT_EQ(changed.count(), 1);
    context->setCurrentSession({"a"}, "A", "transpose");
    EXPECT_EQ(changed.count(), 1) << "the same";
    context->setCurrentSession({"a"}, "B", {});
    EXPECT_EQ(context->sessionText(), "B");
    EXPECT_EQ(changed.count(), 2) << "renamed";
    context->setCurrentSession({"b"}, "B", {});
    EXPECT_EQ(changed.count(), 3) << "another one of the same name";
    context->setCurrentSession({}, "B", "transpose");
    EXPECT_TRUE(context->sessionText().isEmpty());
    EXPECT_EQ(changed.count(), 4);
}

TEST(Contexts, TellOfWhatOthersWriteOnce)
{
    const support::TempDir folder;
    const auto context = openContext((folder / "a.db").string());
    QSignalSpy changed(context.get(), &AppContext::dataChanged);
    context->pollData();
    EXPECT_EQ(changed.count(), 0);
    ASSERT_TRUE(support::openStore((folder / "a.db").string())->saveRun(support::timedRun("r", "naive", "2026-03-01T09:00:00.000Z", 5)));
    context->pollData();
    EXPECT_EQ(changed.count(), 1);
    context->pollData();
    EXPECT_EQ(changed.count(), 1);
}

TEST(Contexts, AnotherDatabaseIsToldOfOnceItIsOpen)
{
    const support::TempDir folder;
    const auto context = openContext((folder / "a.db").string());
    context->setCurrentSession({"a"}, "A", "transpose");
    QStringList reported;
    const auto note = [&](const char* what) { reported << QString::fromLatin1(what) + ' ' + context->location().section('/', -1); };
    QObject::connect(context.get(), &AppContext::databaseSwitched, context.get(), [&] { note("switched"); });
    QObject::connect(context.get(), &AppContext::kernelsChanged, context.get(), [&](const QStringList&) { note("kernels"); });
    QObject::connect(context.get(), &AppContext::currentSessionChanged, context.get(), [&] { note("session"); });
    QObject::connect(context.get(), &AppContext::dataChanged, context.get(), [&] { note("data"); });
    support::writeBytes(folder / "broken.db", std::string(5000, 'x'));
    EXPECT_FALSE(context->switchTo((folder / "broken.db").string()));
    EXPECT_TRUE(reported.isEmpty());
    EXPECT_EQ(context->sessionText(), q("A · transpose")) << "all is as it was";
    ASSERT_TRUE(context->switchTo((folder / "b.db").string()));
    EXPECT_EQ(reported, (QStringList{"switched b.db", "kernels b.db", "session b.db", "data b.db"}));
    EXPECT_TRUE(context->sessionText().isEmpty());
    EXPECT_FALSE(context->store().patterns()->empty()) << "a new one has the shipped patterns";
    EXPECT_TRUE(context->writeReason().isEmpty());
    ASSERT_TRUE(context->switchTo(":sample:"));
    EXPECT_TRUE(context->isSample());
    EXPECT_FALSE(context->writeReason().isEmpty());
    EXPECT_EQ(context->explainUnmeasurable(), context->writeReason()) << "the database's reason comes first";
}

TEST(Contexts, RunsThatWereOpenedStayAndAreReplacedByTheirId)
{
    const auto context = openContext(":memory:");
    const auto run = [](const char* id, double ns) { return support::timedRun(id, "naive", "2026-03-01T09:00:00.000Z", ns); };
    context->keepOpened({run("a", 1), run("b", 2)});
    context->keepOpened({run("c", 3), run("a", 4)});
    std::vector<std::pair<std::string, double>> kept;
    for (const RunRecord& one : *context->openedRuns())
        kept.emplace_back(one.id.text, one.timing->gpu.median);
    EXPECT_EQ(kept, (std::vector<std::pair<std::string, double>>{{"c", 3}, {"a", 4}, {"b", 2}})) << "the newest first, each once";
    const Result<RunRecord> held = findOpenedOrStored(context->store(), *context->openedRuns(), {"b"});
    ASSERT_TRUE(held);
    EXPECT_EQ(held->timing->gpu.median, 2);
    EXPECT_FALSE(findOpenedOrStored(context->store(), *context->openedRuns(), {"d"}));
    ASSERT_TRUE(context->engine()->store->saveRun(run("d", 5)));
    EXPECT_TRUE(findOpenedOrStored(context->store(), *context->openedRuns(), {"d"}));
}

TEST(Contexts, ADeviceIsNamedByWhereItIs)
{
    const auto context = openContext(":memory:");
    const QString recorded = context->deviceName();
    EXPECT_TRUE(recorded.startsWith("H200 (") && recorded.endsWith(')')) << recorded.toStdString();
    EXPECT_TRUE(context->deviceReason().isEmpty());
    EXPECT_TRUE(context->explainUnmeasurable().isEmpty());
    const auto waiting = makeAwaitedDevice(DeviceSpec::local());
    ASSERT_TRUE(waiting->hello().unavailable);
    const Result<Json> answer = waiting->ask(Verb::run, {}, {});
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::environment);
    EXPECT_EQ(answer.error().message, *waiting->hello().unavailable);
    QSignalSpy switched(context.get(), &AppContext::deviceSwitched);
    context->useDevice(DeviceSpec::local("GPU-00000000"));
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(switched.count(), 1);
    EXPECT_FALSE(context->deviceName().isEmpty());
    EXPECT_FALSE(context->deviceName().contains('(') || context->deviceName().contains("H200")) << context->deviceName().toStdString();
    EXPECT_EQ(context->explainUnmeasurable(), context->deviceReason());
    EXPECT_FALSE(context->deviceReason().isEmpty());
}

TEST(Contexts, SnapshotOfNamesOfDevices)
{
    const auto context = openContext(":memory:");
    QString text = "sample | " + context->deviceName() + u'\n';
    context->useDevice(DeviceSpec::local("GPU-00000000"));
    ASSERT_TRUE(waitForJobs());
    text += "no such GPU | " + context->deviceName() + u'\n';
    test::expectSnapshot("ui/device-names.txt", utf8(text));
}

TEST(Contexts, ASavedKernelIsReadAgain)
{
    const support::TempDir folder;
    const auto context = openContext((folder / "a.db").string());
    const auto descriptor = writeStarter("copy", "mine", (folder / "mine").string());
    ASSERT_TRUE(descriptor) << descriptor.error().message;
    QStringList saved;
    QObject::connect(context.get(), &AppContext::kernelsChanged, context.get(), [&](const QStringList& kernels) { saved << kernels; });
    ASSERT_TRUE(context->addKernel(*descriptor));
    EXPECT_TRUE(context->catalog().family("mine"));
    EXPECT_TRUE(saved.isEmpty()) << "it is new, not saved";
    support::writeBytes(*descriptor, support::readBytes(*descriptor) + "\n\n");
    EXPECT_TRUE(QTest::qWaitFor([&] { return !saved.isEmpty(); }, 60000));
    EXPECT_EQ(saved, QStringList{"mine"});
    ASSERT_TRUE(context->removeKernel("mine"));
    EXPECT_FALSE(context->catalog().family("mine"));
    EXPECT_FALSE(context->removeKernel("mine"));
    EXPECT_FALSE(context->addKernel((folder / "none.json").string()));
}

TEST(OpenedRuns, AreListedByTheirOwnFields)
{
    const RunRecord run = support::profiledRun("id", "naive", "2026-03-01T09:00:00.000Z", 400);
    const RunSummary summary = summarizeRun(run);
    EXPECT_EQ(summary.id.text, "id");
    EXPECT_EQ(summary.kernel, "transpose/naive");
    EXPECT_EQ(summary.problem, "M=64,N=64");
    EXPECT_EQ(summary.device, "NVIDIA H200");
    EXPECT_EQ(summary.source, Source::live);
    EXPECT_EQ(summary.startedAt, "2026-03-01T09:00:00.000Z");
    EXPECT_EQ(summary.gpuNs, 400.0);
    EXPECT_EQ(summary.classId, "uncoalesced");
    EXPECT_EQ(summary.priority, "P0");
    RunRecord bare = run;
    bare.timing.reset();
    bare.diagnosis.reset();
    EXPECT_FALSE(summarizeRun(bare).gpuNs);
    EXPECT_TRUE(summarizeRun(bare).classId.empty());
}

TEST(OpenedRuns, AForeignKernelHasItsOwnNameCutInItsMiddle)
{
    RunRecord run = support::timedRun("id", "naive", "2026-03-01T09:00:00.000Z", 400);
    EXPECT_EQ(displayKernel(run), "transpose/naive");
    EXPECT_TRUE(fullKernel(run).empty());
    run.program.emplace().kernel = "void ns::norm<float>(float*)";
    EXPECT_EQ(displayKernel(run), "norm<float>");
    run.imported.emplace();
    EXPECT_EQ(fullKernel(run), "void ns::norm<float>(float*)") << "a report that does not name it";
    run.imported->kernel = "gemm(int)";
    EXPECT_EQ(fullKernel(run), "gemm(int)");
    run.imported->kernel = std::string(60, 'a');
    EXPECT_EQ(displayKernel(run), std::string(60, 'a'));
    run.imported->kernel = std::string(50, 'a') + std::string(50, 'b');
    EXPECT_EQ(exact(displayKernel(run)), QString(40, 'a') + QChar(0x2026) + QString(19, 'b'));
}

TEST(PythonChoice, IsKeptAndGivesWayToTheEnvironment)
{
    const support::SetVariable variable("KLOOP_PYTHON", nullptr);
    QSettings().remove("python");
    applyPythonChoice();
    EXPECT_FALSE(qEnvironmentVariableIsSet("KLOOP_PYTHON")) << "nothing was chosen";
    EXPECT_TRUE(pythonChoice().isEmpty());
    setPythonChoice("/opt/python");
    EXPECT_EQ(qEnvironmentVariable("KLOOP_PYTHON"), "/opt/python");
    EXPECT_EQ(pythonChoice(), "/opt/python");
    qunsetenv("KLOOP_PYTHON");
    EXPECT_EQ(pythonChoice(), "/opt/python") << "as after a restart";
    applyPythonChoice();
    EXPECT_EQ(qEnvironmentVariable("KLOOP_PYTHON"), "/opt/python");
    qputenv("KLOOP_PYTHON", "/usr/bin/python3");
    applyPythonChoice();
    EXPECT_EQ(qEnvironmentVariable("KLOOP_PYTHON"), "/usr/bin/python3") << "the environment decides";
    setPythonChoice({});
    EXPECT_FALSE(qEnvironmentVariableIsSet("KLOOP_PYTHON"));
    EXPECT_TRUE(pythonChoice().isEmpty());
    QSettings().remove("python");
}

TEST(DoorsOfSteps, LeadToWhatTheStepIsAbout)
{
    const auto led = [](StepId id, std::initializer_list<std::pair<StepArgument, const char*>> arguments) {
        NextStep step{id, {}, {}};
        for (const auto& [argument, value] : arguments)
            step.set(argument, value);
        const auto door = findDoor(step);
        return door ? door->page + ' ' + door->argument : QString();
    };
    using A = StepArgument;
    EXPECT_EQ(led(StepId::run, {{A::kernel, "transpose/naive"}}), "kernels transpose/naive");
    EXPECT_EQ(led(StepId::profile, {{A::kernel, "copy/vector"}, {A::session, "s"}}), "kernels copy/vector");
    EXPECT_EQ(led(StepId::searchSpace, {{A::kernel, "a/b"}}), "search a/b");
    EXPECT_EQ(led(StepId::showSession, {{A::session, "s"}}), "session s");
    EXPECT_EQ(led(StepId::newSession, {}), "session new");
    EXPECT_EQ(led(StepId::listSessions, {}), "session list");
    EXPECT_EQ(led(StepId::sharedMemory, {}), "calculate shared-memory");
    EXPECT_EQ(led(StepId::listCosts, {}), "history money");
    EXPECT_EQ(led(StepId::checkEnvironment, {}), "environment ");
    EXPECT_EQ(led(StepId::listPatterns, {}), "patterns ");
    EXPECT_EQ(led(StepId::profileWithNcu, {}), "") << "there is no page for it";
}

TEST(Pins, AreOfTheirDatabaseAndTellOfChanges)
{
    QSettings().remove("baselines");
    Baselines& baselines = Baselines::instance();
    QSignalSpy changed(&baselines, &Baselines::changed);
    baselines.pin("/a.db", {"one"}, true);
    EXPECT_EQ(changed.count(), 1);
    baselines.pin("/a.db", {"one"}, true);
    EXPECT_EQ(changed.count(), 1) << "it is already";
    EXPECT_TRUE(baselines.isPinned("/a.db", {"one"}));
    EXPECT_FALSE(baselines.isPinned("/b.db", {"one"}));
    EXPECT_FALSE(baselines.isPinned("/a.db", {"two"}));
    baselines.pin("/a.db", {"two"}, true);
    EXPECT_EQ(baselines.of("/a.db"), (std::vector<RunId>{{"one"}, {"two"}}));
    baselines.pin("/a.db", {"one"}, false);
    EXPECT_EQ(baselines.of("/a.db"), std::vector<RunId>{{"two"}});
    EXPECT_EQ(changed.count(), 3);
    baselines.pin("/a.db", {"one"}, false);
    EXPECT_EQ(changed.count(), 3);
    EXPECT_NE(Baselines::colorAt(0), Baselines::colorAt(1));
    QSettings().remove("baselines");
}

TEST(InTurns, APartThatIsReplacedIsNotDone)
{
    BackgroundJob job;
    QStringList done;
    const auto slow = [&](const char* name) {
        return [&done, name] {
            done << QString::fromLatin1(name);
            QTest::qSleep(12); // more than a turn
        };
    };
    doInTurns(job, {slow("a"), slow("b"), slow("c")});
    EXPECT_EQ(done, QStringList{"a"}) << "one turn at once";
    doInTurns(job, {slow("d"), slow("e")});
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(done, (QStringList{"a", "d", "e"}));
}

TEST(ReportOpeners, StoreWhatIsNewAndLeadToTheFirstKernel)
{
    const support::TempDir folder;
    const auto context = openContext((folder / "a.db").string());
    QWidget window;
    ReportOpener opener(*context, &window);
    support::writeBytes(folder / "three.ncu-rep", test::ncuData("three_kernels.ncu-rep"));
    support::writeBytes(folder / "broken.ncu-rep", "no report");
    QSignalSpy requested(context.get(), &AppContext::navigationRequested), posted(context.get(), &AppContext::messagePosted);
    const auto open = [&](const QStringList& names) {
        QStringList paths;
        for (const QString& name : names)
            paths << q((folder / utf8(name)).string());
        context->openReports(paths);
        EXPECT_TRUE(waitForJobs());
    };
    open({"broken.ncu-rep"});
    ASSERT_EQ(posted.count(), 1);
    EXPECT_EQ(posted[0][0].value<Message>().level, MessageLevel::error);
    EXPECT_EQ(requested.count(), 0);
    open({"three.ncu-rep"});
    const auto runs = *context->store().runs({});
    ASSERT_EQ(runs.size(), 3U);
    ASSERT_EQ(requested.count(), 1);
    EXPECT_EQ(requested[0][0].toString(), "diagnose");
    const QString first = requested[0][1].toString();
    EXPECT_TRUE(first.startsWith("report:"));
    EXPECT_TRUE(std::ranges::any_of(runs, [&](const RunSummary& run) { return "report:" + q(run.id.text) == first; }));
    ASSERT_EQ(posted.count(), 2);
    EXPECT_EQ(posted[1][0].value<Message>().level, MessageLevel::success);
    EXPECT_TRUE(posted[1][0].value<Message>().what.contains('3'));
    EXPECT_TRUE(posted[1][0].value<Message>().why.startsWith("3 "));
    EXPECT_TRUE(context->openedRuns()->empty()) << "they are in the database";
    open({"three.ncu-rep", "broken.ncu-rep"});
    EXPECT_EQ(context->store().runs({})->size(), 3U) << "each once";
    ASSERT_EQ(posted.count(), 4) << "the error and what was opened";
    EXPECT_TRUE(posted[3][0].value<Message>().why.startsWith("0 ")) << "nothing new";
}

TEST(TourCards, SayWhereTheyAreAndAskForTheirStep)
{
    TourCard card(nullptr);
    int back = 0, next = 0, left = 0;
    QObject::connect(&card, &TourCard::backRequested, &card, [&] { ++back; });
    QObject::connect(&card, &TourCard::nextRequested, &card, [&] { ++next; });
    QObject::connect(&card, &TourCard::leaveRequested, &card, [&] { ++left; });
    card.setStep(0, 3, "title", "text");
    card.show();
    auto* backButton = card.findChild<QPushButton*>("tourBack");
    auto* nextButton = card.findChild<QPushButton*>("tourNext");
    EXPECT_FALSE(backButton->isEnabled());
    EXPECT_EQ(card.accessibleName(), "Step 1 of 3: title");
    EXPECT_TRUE(nextButton->accessibleDescription().endsWith("text"));
    const QString words = nextButton->text();
    card.setStep(1, 3, "other", "text");
    EXPECT_TRUE(backButton->isEnabled());
    EXPECT_EQ(nextButton->text(), words);
    card.setStep(2, 3, "last", "text");
    EXPECT_NE(nextButton->text(), words) << "it ends";
    backButton->click();
    nextButton->click();
    nextButton->click();
    card.findChild<QPushButton*>("tourLeave")->click();
    EXPECT_EQ(back, 1);
    EXPECT_EQ(next, 2);
    EXPECT_EQ(left, 1);
    QTest::keyClick(&card, Qt::Key_A);
    EXPECT_EQ(left, 1);
    QTest::keyClick(&card, Qt::Key_Escape);
    EXPECT_EQ(left, 2) << "once";
}

TEST(TourSubjects, OfADatabaseWithoutSessionsAreTheKnownPair)
{
    const auto store = support::openStore(":memory:");
    EXPECT_EQ(findTourSubject(TourSubject::nothing, *store), "");
    EXPECT_EQ(findTourSubject(TourSubject::profile, *store), "");
    EXPECT_EQ(findTourSubject(TourSubject::comparison, *store), "");
    EXPECT_EQ(findTourSubject(TourSubject::session, *store), "new");
    const auto save = [&](const char* id, const char* variant, double ns, const char* device, std::int64_t rows) {
        RunRecord run = support::profiledRun(id, variant, "2026-03-01T09:00:00.000Z", ns);
        run.device.name = device;
        run.device.uuid = device;
        run.problem["M"] = rows;
        ASSERT_TRUE(store->saveRun(run));
    };
    save("small-naive", "naive", 10, "NVIDIA H200", 64);
    save("small-tiled", "tiled", 5, "NVIDIA H200", 64);
    save("large-naive", "naive", 1000, "NVIDIA H200", 4096);
    save("elsewhere-tiled", "tiled", 900, "NVIDIA L4", 4096);
    save("large-tiled", "tiled", 300, "NVIDIA H200", 4096);
    save("other", "padded", 2000, "NVIDIA H200", 4096);
    EXPECT_EQ(findTourSubject(TourSubject::profile, *store), "large-naive") << "before the change, on the largest size";
    EXPECT_EQ(findTourSubject(TourSubject::comparison, *store), "runs:large-naive,large-tiled");
    EXPECT_EQ(findTourSubject(TourSubject::session, *store), "new");
}

TEST(TourSubjects, OfTheSampleAreThoseOfTheSessionThatGainedMost)
{
    const auto context = openContext(":sample:");
    ASSERT_TRUE(context);
    const Store& store = context->store();
    const QString session = findTourSubject(TourSubject::session, store);
    const ComparisonId comparison{utf8(findTourSubject(TourSubject::comparison, store))};
    const auto most = store.ratio(comparison);
    ASSERT_TRUE(most && *most);
    int kept = 0;
    const std::vector<SessionHeader> sessions = *store.sessions();
    for (const SessionHeader& header : sessions) {
        const Result<std::vector<SessionEvent>> events = store.events(header.id);
        const Result<SessionFacts> facts = events ? foldEvents(*events) : Result<SessionFacts>(events.error());
        if (!facts || !facts->finished || !facts->kept || facts->comparison.empty() || !facts->runs.contains(Evidence::profile))
            continue;
        const auto ratio = store.ratio(facts->comparison);
        ASSERT_TRUE(ratio && *ratio);
        ++kept;
        EXPECT_LE((*ratio)->value, (*most)->value) << header.name;
        if (facts->comparison == comparison) {
            EXPECT_EQ(session, q(header.id.text) + "#evaluate");
            EXPECT_EQ(findTourSubject(TourSubject::profile, store), q(facts->runs.at(Evidence::profile).text));
        }
    }
    EXPECT_GT(kept, 1);
}

} // namespace
} // namespace kl::ui
