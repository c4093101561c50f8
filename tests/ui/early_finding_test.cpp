// SPDX-License-Identifier: MIT
// A profile on a GPU shows what it has found before its counters are read, and then its finding.
#include "core/base/ids.h"
#include "profiler/protocol/message_codec.h"
#include "ui/pages/kernels_page.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <QTemporaryDir>
#include <QTest>

namespace kl::ui {
namespace {

/// Answers a profile in two parts, the second once the file "go" is there.
constexpr const char* kWorker = R"sh(#!/bin/sh
cd "$(dirname "$0")"
echo '{"event":"hello","protocol":1,"version":"test","devices":[{"uuid":"GPU-1","name":"Test GPU","cc_major":9}],"unavailable":null}'
while read -r line; do
    id=${line#*\"id\":}; id=${id%%,*}
    case "$line" in
    *'"verb":"shutdown"'*) exit 0 ;;
    *'"verb":"profile"'*)
        echo "{\"event\":\"partial\",\"id\":$id,\"body\":$(cat part.json)}"
        until [ -e go ]; do sleep 0.01; done
        echo "{\"event\":\"result\",\"id\":$id,\"body\":$(cat answer.json)}" ;;
    *) echo "{\"event\":\"result\",\"id\":$id,\"body\":{}}" ;;
    esac
done
)sh";

class EarlyFinding : public testing::Test {
protected:
    void SetUp() override
    {
        ASSERT_TRUE(folder.isValid());
        write("worker.sh", kWorker);
        ASSERT_TRUE(QFile::setPermissions(folder.filePath("worker.sh"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        RunAnswer answer;
        answer.device.name = "Test GPU";
        answer.device.uuid = "GPU-1";
        answer.correctness.result = CorrectnessResult::correct;
        answer.timing.emplace();
        answer.timing->gpu = {5000, 4900, 5100, 100};
        answer.launches.push_back({"transpose_naive", 1024, 256, 32, 0, 4096});
        write("part.json", QByteArray::fromStdString(encode(toJsonMessage(answer))));
        answer.metrics.emplace();
        answer.metrics->tier = 2;
        write("answer.json", QByteArray::fromStdString(encode(toJsonMessage(answer))));
        qputenv("KERNELLOOP_WORKER", folder.filePath("worker.sh").toUtf8());
    }
    void TearDown() override { before.isEmpty() ? qunsetenv("KERNELLOOP_WORKER") : qputenv("KERNELLOOP_WORKER", before); }

    void write(const QString& name, const QByteArray& text) const
    {
        QFile file(folder.filePath(name));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(text);
    }

    const QByteArray before = qgetenv("KERNELLOOP_WORKER");
    QTemporaryDir folder;
};

TEST_F(EarlyFinding, IsShownWhileCountersAreRead)
{
    const auto opened = AppContext::open(utf8(folder.filePath("own.db")), DeviceSpec::local());
    ASSERT_TRUE(opened) << opened.error().message;
    MainWindow window(**opened);
    window.show();
    ASSERT_TRUE(waitForJobs());
    const auto* messages = window.findChild<MessageBar*>();
    ASSERT_TRUE(messages);
    const int present = messages->count();
    (*opened)->navigate(QStringLiteral("kernels"), QStringLiteral("transpose/naive"));
    auto* page = window.findChild<KernelsPage*>();
    ASSERT_TRUE(page);
    ASSERT_TRUE(QTest::qWaitFor([] { return JobMonitor::instance().active() == 0; }, 60000));
    page->measure(true);
    EXPECT_TRUE(QTest::qWaitFor([&] { return messages->count() == present + 1; }, 60000));
    EXPECT_EQ(JobMonitor::instance().active(), 1); // the profile goes on
    write("go", "");
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(messages->count(), present + 2);
}

} // namespace
} // namespace kl::ui
