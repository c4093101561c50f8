// SPDX-License-Identifier: MIT
// A kernel's reference script asks at the window before its first run: both buttons, a canceled job, and a yes that is remembered.
#include "kernels/starter.h"
#include "kernels/user_kernel.h"
#include "sessions/trust/trust_store.h"
#include "ui/jobs/consent_desk.h"
#include "ui/widgets/consent_card.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

namespace kl::ui {
namespace {

constexpr const char* kWorker = R"(#!/bin/sh
echo '{"event":"hello","protocol":1,"version":"test","devices":[{"uuid":"GPU-1","name":"Test GPU"}],"unavailable":null}'
while read -r line; do
    id=${line#*\"id\":}; id=${id%%,*}
    case "$line" in
    *'"verb":"shutdown"'*) exit 0 ;;
    *) echo "{\"event\":\"result\",\"id\":$id,\"body\":{}}" ;;
    esac
done
)";

class ConsentAtTheWindow : public testing::Test {
protected:
    void SetUp() override
    {
        ASSERT_TRUE(folder.isValid());
        write("worker.sh", kWorker);
        ASSERT_TRUE(QFile::setPermissions(folder.filePath("worker.sh"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        qputenv("KERNELLOOP_WORKER", folder.filePath("worker.sh").toUtf8());
        qputenv("XDG_DATA_HOME", folder.filePath("data").toUtf8());
        auto opened = AppContext::open(utf8(folder.filePath("own.db")), DeviceSpec::local());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        window = std::make_unique<MainWindow>(*context);
        window->show();
        const Result<std::string> written = writeStarter("elementwise", "mine", utf8(folder.filePath("mine")));
        ASSERT_TRUE(written) << written.error().message;
        QFile descriptor(folder.filePath("mine/kernel.json"));
        ASSERT_TRUE(descriptor.open(QIODevice::ReadOnly));
        QByteArray text = descriptor.readAll();
        const qsizetype reference = text.indexOf("\"reference\"");
        const qsizetype open = text.indexOf('{', reference);
        const qsizetype close = text.indexOf('}', open);
        ASSERT_GT(open, 0);
        text.replace(open, close - open + 1, R"({"python": "reference.py", "output": "y"})");
        write("mine/kernel.json", text);
        write("mine/reference.py", "print('<b>1</b>')\n");
        const Status added = context->addKernel(utf8(folder.filePath("mine/kernel.json")));
        ASSERT_TRUE(added) << added.error().message;
        ASSERT_TRUE(waitForJobs());
    }
    void TearDown() override
    {
        window.reset();
        waitForJobs();
        context.reset();
        before.isEmpty() ? qunsetenv("KERNELLOOP_WORKER") : qputenv("KERNELLOOP_WORKER", before);
        data.isEmpty() ? qunsetenv("XDG_DATA_HOME") : qputenv("XDG_DATA_HOME", data);
    }
    void write(const QString& name, const QByteArray& text) const
    {
        QFile file(folder.filePath(name));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    /// Runs the kernel in the job, as every page does.
    void begin()
    {
        answer.reset();
        context->run(
            job, QStringLiteral("Running"),
            [](Engine& engine, const Job& handle) {
                return engine.bench.run({"mine", "plain", {}}, {}, false, handle);
            },
            [this](Result<RunRecord> record) { answer = std::move(record); });
    }
    ConsentCard* card() const { return window->findChild<ConsentCard*>(); }
    bool requested() const
    {
        return QTest::qWaitFor([this] { return card()->isVisible(); }, 60000);
    }
    void click(const char* name) const
    {
        QTest::mouseClick(card()->findChild<QPushButton*>(QString::fromLatin1(name)), Qt::LeftButton);
        ASSERT_TRUE(waitForJobs());
        EXPECT_TRUE(QTest::qWaitFor([this] { return !card()->isVisible(); }, 60000));
    }

    const QByteArray before = qgetenv("KERNELLOOP_WORKER");
    const QByteArray data = qgetenv("XDG_DATA_HOME");
    QTemporaryDir folder;
    std::unique_ptr<AppContext> context;
    std::unique_ptr<MainWindow> window;
    BackgroundJob job;
    std::optional<Result<RunRecord>> answer;
};

TEST_F(ConsentAtTheWindow, ANoRefusesAndAYesIsRemembered)
{
    EXPECT_FALSE(card()->isVisible());
    begin();
    ASSERT_TRUE(requested());
    QStringList shown;
    for (const QLabel* label : card()->findChildren<QLabel*>())
        shown << label->text();
    EXPECT_TRUE(shown.contains(folder.filePath("mine/reference.py"))) << utf8(shown.join('|'));
    EXPECT_TRUE(shown.contains(QStringLiteral("python3 reference.py"))) << utf8(shown.join('|'));
    click("consentRefuse");
    ASSERT_TRUE(answer);
    ASSERT_FALSE(*answer);
    EXPECT_EQ(answer->error().code, ErrorCode::needsConsent);
    EXPECT_TRUE(TrustStore().list()->empty());

    begin();
    ASSERT_TRUE(requested());
    click("consentRun");
    ASSERT_TRUE(answer);
    EXPECT_TRUE(*answer) << answer->error().message;
    EXPECT_EQ(TrustStore().list()->size(), 1U);

    begin();
    ASSERT_TRUE(waitForJobs());
    ASSERT_TRUE(answer);
    EXPECT_TRUE(*answer) << answer->error().message;
}

TEST_F(ConsentAtTheWindow, ACanceledJobAsksNoMore)
{
    begin();
    ASSERT_TRUE(requested());
    job.cancel();
    ASSERT_TRUE(waitForJobs());
    ASSERT_TRUE(answer);
    ASSERT_FALSE(*answer);
    EXPECT_EQ(answer->error().code, ErrorCode::interrupted);
    EXPECT_TRUE(QTest::qWaitFor([this] { return !card()->isVisible(); }, 60000));
    ConsentDesk::instance().answer(true); // nothing is asked
    EXPECT_TRUE(TrustStore().list()->empty());
}

} // namespace
} // namespace kl::ui
