// SPDX-License-Identifier: MIT
// The Kernels page with kernels of the user's own: added, saved in an editor, broken, fixed, removed.
#include "kernels/starter.h"
#include "ui/pages/kernels/kernel_list.h"
#include "ui/pages/kernels/own_kernels_bar.h"
#include "ui/pages/kernels_page.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <gtest/gtest.h>

#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

namespace kl::ui {
namespace {

class OwnKernels : public testing::Test {
protected:
    void SetUp() override
    {
        ASSERT_TRUE(folder.isValid());
        auto opened = AppContext::open(utf8(folder.filePath("test.db")), DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        window = std::make_unique<MainWindow>(*context);
        window->show();
        window->showPage("kernels");
        ASSERT_TRUE(waitForJobs());
        QObject::connect(context.get(), &AppContext::messagePosted,
                         [this](const Message& message) { posted << message.what + message.why; });
        const Result<std::string> written = writeStarter("copy", "mine", utf8(folder.filePath("mine")));
        ASSERT_TRUE(written) << written.error().message;
        descriptor = q(*written);
    }
    void TearDown() override { waitForJobs(); }

    template <class Widget> Widget* find(const char* name = nullptr) const
    {
        return window->page("kernels")->findChild<Widget*>(name ? QString::fromLatin1(name) : QString());
    }
    QTreeWidgetItem* item(const QString& text) const
    {
        const auto found = find<QTreeWidget>()->findItems(text, Qt::MatchStartsWith | Qt::MatchRecursive);
        return found.isEmpty() ? nullptr : found.front();
    }
    /// The list's entry of the added family; null without one.
    QTreeWidgetItem* family() const
    {
        QTreeWidgetItem* variant = item("plain");
        return variant && variant->data(0, Qt::UserRole) == "mine/plain" ? variant->parent() : nullptr;
    }
    /// Whether an entry tells that a descriptor cannot be read.
    bool broken() const
    {
        const auto* list = find<QTreeWidget>();
        return list->topLevelItemCount() > 0 && !list->topLevelItem(0)->data(0, kBrokenRole).toString().isEmpty();
    }
    void add() const
    {
        find<OwnKernelsBar>()->add(descriptor);
        waitForJobs();
    }
    void save(const QString& name, const QByteArray& from, const QByteArray& to) const
    {
        QFile old(folder.filePath("mine/" + name));
        ASSERT_TRUE(old.open(QIODevice::ReadOnly));
        QByteArray text = old.readAll();
        ASSERT_TRUE(text.contains(from));
        QFile fresh(folder.filePath("mine/new")); // as editors do: a new file takes the old one's place
        ASSERT_TRUE(fresh.open(QIODevice::WriteOnly));
        fresh.write(text.replace(from, to));
        fresh.close();
        old.close();
        ASSERT_TRUE(old.remove());
        ASSERT_TRUE(fresh.rename(old.fileName()));
    }

    QTemporaryDir folder;
    std::unique_ptr<AppContext> context;
    std::unique_ptr<MainWindow> window;
    QStringList posted;
    QString descriptor;
};

TEST_F(OwnKernels, AddedOnesStandBesideOursAndGoAgain)
{
    EXPECT_FALSE(find<QCheckBox>("checkAtSave")->isVisible());
    add();
    ASSERT_TRUE(family());
    find<QTreeWidget>()->setCurrentItem(item("plain"));
    waitForJobs();
    EXPECT_TRUE(find<CodeView>()->toPlainText().contains("copy_plain"));
    EXPECT_TRUE(find<QCheckBox>("checkAtSave")->isVisible());
    QTest::mouseClick(find<QPushButton>("removeKernel"), Qt::LeftButton);
    waitForJobs();
    EXPECT_FALSE(family());
    EXPECT_TRUE(QFile::exists(descriptor));
    EXPECT_TRUE(posted.isEmpty()) << posted.join('\n').toStdString();
}

TEST_F(OwnKernels, ASaveIsShownAndCheckedAgain)
{
    add();
    window->page("kernels")->open("mine/plain");
    save("kernel.cu", "// One float", "// Saved: one float");
    ASSERT_TRUE(QTest::qWaitFor([&] { return find<CodeView>()->toPlainText().startsWith("// Saved"); }, 60000));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !posted.isEmpty(); }, 60000));
    EXPECT_TRUE(posted.front().contains("mine/plain")) << posted.front().toStdString(); // the recording has no run of it
    find<QCheckBox>("checkAtSave")->setChecked(false);
    posted.clear();
    save("kernel.cu", "// Saved", "// Again");
    ASSERT_TRUE(QTest::qWaitFor([&] { return find<CodeView>()->toPlainText().startsWith("// Again"); }, 60000));
    waitForJobs();
    EXPECT_TRUE(posted.isEmpty());
}

TEST_F(OwnKernels, ABrokenDescriptorSaysWhereAndComesBack)
{
    add();
    find<QCheckBox>("checkAtSave")->setChecked(false);
    window->page("kernels")->open("mine/plain");
    save("kernel.json", "\"grid\"", "\"gird\"");
    ASSERT_TRUE(QTest::qWaitFor([&] { return broken(); }, 60000));
    waitForJobs();
    bool reported = false;
    for (const QLabel* label : window->page("kernels")->findChildren<QLabel*>())
        reported = reported || label->text().contains("kernel.json:22:44: variants[0].launches[0].gird");
    EXPECT_TRUE(reported);
    EXPECT_FALSE(find<QPushButton>("run")->isEnabled());
    EXPECT_TRUE(item("Copy")); // ours is still there
    save("kernel.json", "\"gird\"", "\"grid\"");
    ASSERT_TRUE(QTest::qWaitFor([&] { return family(); }, 60000));
    waitForJobs();
    EXPECT_FALSE(broken());
    EXPECT_TRUE(find<CodeView>()->toPlainText().contains("copy_plain"));
}

TEST_F(OwnKernels, WhatCannotBeAddedIsReported)
{
    save("kernel.json", "\"id\": \"mine\"", "\"id\": \"transpose\"");
    add();
    ASSERT_EQ(posted.size(), 1);
    EXPECT_TRUE(posted.front().contains("transpose")) << posted.front().toStdString();
    EXPECT_FALSE(family());
}

TEST_F(OwnKernels, AnotherProgramsRegistrationIsNoticed)
{
    const auto store = Store::open(utf8(folder.filePath("test.db")));
    ASSERT_TRUE(store);
    ASSERT_TRUE(registerKernel(**store, utf8(descriptor)));
    context->pollData();
    EXPECT_TRUE(family());
}

TEST(OwnKernelsOfTheSample, CannotBeAdded)
{
    auto context = AppContext::open(":sample:", DeviceSpec::sample());
    ASSERT_TRUE(context);
    OwnKernelsBar bar(**context, nullptr);
    EXPECT_FALSE(bar.findChild<QPushButton*>("addKernel")->isEnabled());
}

TEST_F(OwnKernels, TheCompiledCodeIsThatOfTheSavedFile)
{
    add();
    find<QCheckBox>("checkAtSave")->setChecked(false);
    window->page("kernels")->open("mine/plain");
    const auto* code = find<CodeView>("compiledCode");
    ASSERT_TRUE(code);
    EXPECT_TRUE(code->toPlainText().contains("copy_plain"));
    save("kernel.cu", "// One float", "// Saved: one float");
    EXPECT_TRUE(QTest::qWaitFor([&] { return code->toPlainText().startsWith("// Saved"); }, 20000))
        << code->toPlainText().left(60).toStdString();
    waitForJobs();
}

} // namespace
} // namespace kl::ui
