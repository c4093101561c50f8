// SPDX-License-Identifier: MIT
// What the pages share: which session is the current one, and which files of the user's kernels are watched.
#include "ui/context/app_context.h"
#include "ui/context/kernel_watcher.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace kl::ui {
namespace {

TEST(AppContext, AnotherDatabaseHasNoCurrentSessionYet)
{
    const QTemporaryDir folder;
    const Result<std::unique_ptr<AppContext>> context = AppContext::open(utf8(folder.filePath("one.db")), DeviceSpec::sample());
    ASSERT_TRUE(context) << context.error().message;
    (*context)->setCurrentSession({"a-session"}, "N", "transpose");
    ASSERT_EQ((*context)->currentSession().text, "a-session");
    ASSERT_TRUE((*context)->switchTo(utf8(folder.filePath("two.db"))));
    EXPECT_TRUE((*context)->currentSession().empty());
}

TEST(KernelWatcher, DataFilesAreFilesOfTheKernelToo)
{
    const QTemporaryDir folder;
    ASSERT_TRUE(QDir(folder.path()).mkdir("data"));
    const auto write = [&](const QString& name, const QByteArray& text) {
        QFile file(folder.filePath(name)); // in place: no entry of a folder changes
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
    };
    for (const char* name : {"kernel.json", "kernel.cu", "data/x.npy"})
        ASSERT_TRUE(write(name, "first"));
    KernelFamily family;
    family.id = "mine";
    family.origin = {utf8(folder.filePath("kernel.json")), {utf8(folder.filePath("kernel.cu"))}, {utf8(folder.filePath("data/x.npy"))}};
    KernelWatcher watcher;
    QStringList saved;
    QObject::connect(&watcher, &KernelWatcher::saved, [&](const QStringList& kernels) { saved << kernels; });
    watcher.watch(Catalog({family}), {});
    ASSERT_TRUE(write("data/x.npy", "a longer text"));
    EXPECT_TRUE(QTest::qWaitFor([&] { return !saved.isEmpty(); }, 60000));
    EXPECT_EQ(saved.value(0), "mine");
}

} // namespace
} // namespace kl::ui
