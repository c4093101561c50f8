// SPDX-License-Identifier: MIT
// The choice of a run's baseline on the Kernels page.
#include "ui/pages/kernels_page.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QTemporaryDir>
#include <QTest>

namespace kl::ui {
namespace {

class BaselineBox : public testing::Test {
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
        QObject::connect(context.get(), &AppContext::messagePosted, [this](const Message& message) { posted.push_back(message); });
        page = qobject_cast<KernelsPage*>(window->page("kernels"));
        ASSERT_TRUE(page);
        box = page->findChild<QComboBox*>("baseline");
        ASSERT_TRUE(box);
    }
    void TearDown() override { waitForJobs(); }

    QTemporaryDir folder;
    std::unique_ptr<AppContext> context;
    std::unique_ptr<MainWindow> window;
    KernelsPage* page = nullptr;
    QComboBox* box = nullptr;
    std::vector<Message> posted;
};

TEST_F(BaselineBox, OffersWhatAFamilyHas)
{
    page->open("attention/fused");
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(box->isVisibleTo(page));
    EXPECT_EQ(box->count(), 9); // its own, seven by name, all
    EXPECT_GE(box->findData("sdpa-flash"), 0);
    EXPECT_EQ(box->currentData().toString(), "") << "the default baseline";
    page->open("transpose/naive");
    ASSERT_TRUE(waitForJobs());
    EXPECT_FALSE(box->isVisibleTo(page));
}

TEST_F(BaselineBox, ARunAsksForTheChosenOne)
{
    page->open("attention/hopper-short");
    ASSERT_TRUE(waitForJobs());
    box->setCurrentIndex(box->findData("cudnn"));
    page->measure(false);
    ASSERT_TRUE(waitForJobs());
    ASSERT_FALSE(posted.empty());
    if (posted.back().level == MessageLevel::error)
        GTEST_SKIP() << "this baseline was not recorded: " << utf8(posted.back().why);
    EXPECT_TRUE(posted.back().what.contains("attention/hopper-short")) << utf8(posted.back().what);
    const Result<std::vector<RunSummary>> runs = context->store().runs({});
    ASSERT_TRUE(runs && !runs->empty());
    const Result<RunRecord> run = context->store().run(runs->front().id);
    ASSERT_TRUE(run);
    ASSERT_EQ(run->baselines.size(), 1u);
    EXPECT_EQ(run->baselines.front().id, "cudnn");
}

} // namespace
} // namespace kl::ui
