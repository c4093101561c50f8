// SPDX-License-Identifier: MIT
// Home in a small window.
#include "ui/context/app_context.h"
#include "ui/models/session_table_model.h"
#include "ui/widgets/data_table.h"
#include "ui/window/mainwindow.h"

#include <QCoreApplication>
#include <gtest/gtest.h>

namespace kl::ui {
namespace {

TEST(NarrowHome, TheObjectiveKeepsItsRoomAt960)
{
    auto context = AppContext::open(":sample:", DeviceSpec::sample());
    ASSERT_TRUE(context) << context.error().message;
    MainWindow window(**context);
    window.resize(960, 600);
    window.show();
    window.showPage("home");
    ASSERT_TRUE(waitForJobs());
    const auto* table = window.page("home")->findChild<DataTable*>();
    ASSERT_TRUE(table);
    EXPECT_GE(table->columnWidth(SessionTableModel::Objective), 130);
    EXPECT_TRUE(table->isColumnHidden(SessionTableModel::Cost));
    window.resize(1920, 1080);
    QCoreApplication::processEvents();
    EXPECT_FALSE(table->isColumnHidden(SessionTableModel::Gates)) << "there is room for it";
}

} // namespace
} // namespace kl::ui
