// SPDX-License-Identifier: MIT
// What the context menu of a table of runs does with them; a picker over a database with more runs than it shows.
#include "tests/support/synthetic_history.h"
#include "ui/context/app_context.h"
#include "ui/context/baselines.h"
#include "ui/pages/shared/kernel_table.h"
#include "ui/pages/shared/run_actions.h"
#include "ui/pages/shared/run_picker.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QWidget>

namespace kl::ui {
namespace {

class RunMenu : public testing::Test {
protected:
    void fill(std::int64_t runs)
    {
        auto opened = AppContext::open(utf8(folder.filePath("own.db")), DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        ASSERT_TRUE(support::writeSynthetic(*context->engine()->store, {runs, 0, 0, 1}));
        const auto newest = context->store().runs({.limit = 3});
        ASSERT_TRUE(newest);
        for (const RunSummary& run : *newest)
            ids.push_back(run.id);
        parent.show();
    }
    void TearDown() override
    {
        waitForJobs();
        for (const RunId& id : Baselines::instance().of(context->location()))
            Baselines::instance().pin(context->location(), id, false);
    }
    void trigger(const char* action, const std::vector<RunId>& runs)
    {
        QMenu menu;
        addRunActions(menu, *context, runs, &parent, [this] { ++changes; });
        auto* found = menu.findChild<QAction*>(action);
        ASSERT_TRUE(found && found->isEnabled()) << action;
        found->trigger();
    }
    void answer(const QString& text) const
    {
        auto* dialog = parent.findChild<QInputDialog*>();
        ASSERT_TRUE(dialog);
        dialog->setTextValue(text);
        dialog->accept();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }

    QTemporaryDir folder;
    QWidget parent;
    std::unique_ptr<AppContext> context;
    std::vector<RunId> ids;
    int changes = 0;
};

TEST_F(RunMenu, RenamesTagsPinsAndDeletes)
{
    fill(5);
    trigger("renameRun", {ids[0]});
    answer("first");
    EXPECT_EQ(context->store().summary(ids[0])->name, "first");
    trigger("tagRuns", {ids[0], ids[1]});
    answer("keep slow");
    EXPECT_EQ(context->store().summary(ids[1])->tags, "keep slow");
    trigger("tagRuns", {ids[1]});
    answer("keep");
    EXPECT_EQ(context->store().summary(ids[1])->tags, "keep");
    trigger("pinRun", {ids[2]});
    EXPECT_TRUE(Baselines::instance().isPinned(context->location(), ids[2]));
    trigger("deleteRuns", {ids[0], ids[1]});
    auto* box = parent.findChild<QMessageBox*>("confirmDeletion");
    ASSERT_TRUE(box);
    QTest::mouseClick(box->findChild<QPushButton*>("confirmDelete"), Qt::LeftButton);
    EXPECT_EQ(context->store().runs({})->size(), 3U);
    EXPECT_EQ(changes, 4);
}

TEST_F(RunMenu, EvidenceOfASessionIsNotOfferedForDeletion)
{
    fill(3);
    SessionHeader header{SessionId{"s"}, "N", "optimize", "", "synthetic-01", Source::live, "2026-01-01T00:00:00.000Z", "{}"};
    ASSERT_TRUE(context->engine()->store->createSession(header, {1, header.createdAt, "opened", "{\"run\":\"" + ids[0].text + "\"}"}));
    trigger("deleteRuns", {ids[0]});
    auto* box = parent.findChild<QMessageBox*>("confirmDeletion");
    ASSERT_TRUE(box);
    EXPECT_FALSE(box->findChild<QPushButton*>("confirmDelete"));
    EXPECT_TRUE(box->informativeText().contains("N"));
    box->reject();
}

TEST_F(RunMenu, ASessionIsRenamedTaggedAndDeleted)
{
    fill(0);
    SessionHeader header{SessionId{"s"}, "N", "optimize", "", "transpose", Source::live, "2026-01-01T00:00:00.000Z", "{}"};
    ASSERT_TRUE(context->engine()->store->createSession(header, {1, header.createdAt, "opened", "{}"}));
    QMenu menu;
    addSessionActions(menu, *context, header.id, &parent, [this] { ++changes; });
    menu.findChild<QAction*>("renameSession")->trigger();
    answer("first");
    EXPECT_EQ(context->store().session(header.id)->name, "first");
    menu.findChild<QAction*>("tagSession")->trigger();
    answer("paper");
    EXPECT_EQ(context->store().tags("session:s")->size(), 1U);
    menu.findChild<QAction*>("deleteSession")->trigger();
    QTest::mouseClick(parent.findChild<QMessageBox*>("confirmDeletion")->findChild<QPushButton*>("confirmDelete"), Qt::LeftButton);
    EXPECT_TRUE(context->store().sessions()->empty());
    EXPECT_EQ(changes, 3);
}

TEST_F(RunMenu, APickerShowsTheNewestAndItsFilterFindsTheOldest)
{
    fill(1100);
    ASSERT_TRUE(context->engine()->store->nameRun(context->store().runs({.limit = 2000})->back().id, "needle"));
    RunPicker picker(*context, false, &parent);
    picker.open();
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(picker.table()->rows().size(), 1000U);
    picker.table()->filterField()->setText("needle");
    ASSERT_TRUE(QTest::qWaitFor([&] { return picker.table()->rows().size() == 1; }, 10000));
    ASSERT_TRUE(waitForJobs());
    const RunId found = picker.table()->rows()[0].id;
    ASSERT_TRUE(context->engine()->store->setTag("run:" + found.text, "odd", true));
    picker.table()->filterField()->setText("#odd needle");
    ASSERT_TRUE(QTest::qWaitFor([&] { return picker.table()->rows().size() == 1 && picker.table()->rows()[0].id == found; }, 10000));
    ASSERT_TRUE(waitForJobs());
    picker.table()->filterField()->setText("#odd nothing");
    ASSERT_TRUE(QTest::qWaitFor([&] { return picker.table()->rows().empty(); }, 10000)) << "each word is looked for";
    ASSERT_TRUE(waitForJobs());
}

} // namespace
} // namespace kl::ui
