// SPDX-License-Identifier: MIT
// A newcomer with a .cu file: from the start of the window to the diagnosis in at most eight clicks, without typing.
#include "profiler/protocol/message_codec.h"
#include "sessions/measure/requests.h"
#include "tests/support/set_variable.h"
#include "ui/pages/shared/cu_dialog.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"
#include "ui/window/title_line.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <QApplication>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <deque>

namespace kl::ui {
namespace {

/// Answers a profile with the file profile.json beside it.
constexpr const char* kWorker = R"(#!/bin/sh
echo '{"event":"hello","protocol":1,"version":"test","devices":[{"uuid":"GPU-fake","name":"NVIDIA H200","cc_major":9,"sm_count":132}],"unavailable":null}'
while read -r line; do
    id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9][0-9]*\).*/\1/p')
    case "$line" in
    *'"verb":"shutdown"'*) exit 0 ;;
    *'"verb":"profile"'*) printf '{"event":"result","id":%s,"body":' "$id"; cat "$(dirname "$0")/profile.json"; echo '}' ;;
    *) echo "{\"event\":\"error\",\"id\":$id,\"code\":\"environment\",\"message\":\"not here\",\"hint\":\"\",\"where\":\"\",\"detail\":\"\"}" ;;
    esac
done
)";

/// A real answer: that of a recorded profile.
std::string recordedAnswer()
{
    auto sample = AppContext::open(":sample:", DeviceSpec::sample());
    if (!sample)
        return {};
    const Engine& engine = *(*sample)->engine();
    RunQuery query;
    query.kernel = "transpose/naive";
    query.profilesOnly = true;
    const auto runs = engine.store->runs(query);
    if (!runs || runs->empty())
        return {};
    const auto request =
        profileRequest(*engine.catalog, {"transpose", "naive", {}}, *parseParams(runs->front().problem), {}, toChip(*engine.collector));
    const Result<Json> body = request ? engine.collector->ask(Verb::profile, toJsonMessage(*request), {}) : Result<Json>(request.error());
    return body ? body->dump() : std::string();
}

class FirstDiagnosis : public testing::Test {
protected:
    void SetUp() override
    {
        set("KERNELLOOP_WORKER", write("worker.sh", kWorker));
        set("XDG_DATA_HOME", folder.filePath("data"));
        set("XDG_STATE_HOME", folder.filePath("state"));
        const std::string answer = recordedAnswer();
        ASSERT_FALSE(answer.empty());
        write("profile.json", QByteArray::fromStdString(answer));
        auto opened = AppContext::open(utf8(folder.filePath("own.db")), DeviceSpec::local());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        window = std::make_unique<MainWindow>(*context);
        window->show();
        ASSERT_TRUE(waitForJobs());
    }
    void TearDown() override
    {
        waitForJobs();
        window.reset();
        context.reset();
    }
    void set(const char* name, const QString& value) { variables.emplace_back(name, value.toUtf8().constData()); }
    QString write(const QString& name, const QByteArray& text) const
    {
        QFile file(folder.filePath(name));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return file.fileName();
    }
    void click(const QWidget& inside, const char* name)
    {
        auto* button = inside.findChild<QPushButton*>(QString::fromLatin1(name));
        ASSERT_TRUE(button && button->isVisible() && button->isEnabled()) << name;
        ++clicks;
        QTest::mouseClick(button, Qt::LeftButton);
        ASSERT_TRUE(waitForJobs());
    }

    QTemporaryDir folder;
    std::deque<support::SetVariable> variables; ///< until the window is gone
    std::unique_ptr<AppContext> context;
    std::unique_ptr<MainWindow> window;
    int clicks = 0;
};

TEST_F(FirstDiagnosis, OfACuFileIsAtMostEightClicksAway)
{
    EXPECT_TRUE(window->titleLine()->describe().contains("H200")) << "the GPU of this machine, without an option";
    const QString source =
        write("scale.cu", "extern \"C\" __global__ void scale(float* out, const float* in, float a, int n)\n"
                          "{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n)\n        out[i] = a * in[i];\n}\n");
    QTimer choosing;
    QObject::connect(&choosing, &QTimer::timeout, [&] {
        auto* files = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        if (!files)
            return;
        choosing.stop();
        clicks += 2; // the file, and Open
        files->findChild<QLineEdit*>("fileNameEdit")->setText(source);
        static_cast<QDialog*>(files)->accept();
    });
    choosing.start(20);
    click(*window->page("home"), "newKernelDoor");
    click(*window, "fromSource");
    auto* form = window->findChild<CuDialog*>();
    ASSERT_TRUE(form && form->isVisible());
    click(*form, "cuWrite");
    ASSERT_EQ(window->currentPage(), "kernels");
    click(*window->page("kernels"), "profile");
    QPushButton* diagnose = nullptr;
    for (QPushButton* button : window->messages()->findChildren<QPushButton*>())
        if (button->isVisible() && button->text() == "Diagnose")
            diagnose = button;
    ASSERT_TRUE(diagnose);
    ++clicks;
    QTest::mouseClick(diagnose, Qt::LeftButton);
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(window->currentPage(), "diagnose");
    EXPECT_LE(clicks, 8);
    const auto runs = context->engine()->store->runs({});
    ASSERT_TRUE(runs && runs->size() == 1U);
    EXPECT_TRUE(runs->front().kernel.starts_with("scale/"));
    EXPECT_FALSE(runs->front().classId.empty());
    EXPECT_TRUE(window->findChild<QPushButton*>("profilePicker")->text().startsWith("scale"));
}

} // namespace
} // namespace kl::ui
