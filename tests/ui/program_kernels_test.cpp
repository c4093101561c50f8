// SPDX-License-Identifier: MIT
// The diagnosis of real programs' kernels, whose names are long: no text is cut and nothing scrolls sideways.
#include "tests/ui/support/clipped_texts.h"
#include "ui/models/kernel_row.h"
#include "ui/pages/shared/kernel_table.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <QCoreApplication>
#include <gtest/gtest.h>

#include <QScrollBar>
#include <QTreeView>

namespace kl::ui {
namespace {

TEST(ProgramKernels, FitTheWindow)
{
    auto context = AppContext::open(":sample:", DeviceSpec::sample());
    ASSERT_TRUE(context) << context.error().message;
    MainWindow window(**context);
    window.show();
    RunQuery query;
    query.profilesOnly = true;
    query.limit = 1000;
    const auto runs = (*context)->store().runs(query);
    ASSERT_TRUE(runs);
    int seen = 0;
    for (const RunSummary& run : *runs) {
        if (!run.kernel.starts_with("program/"))
            continue;
        ++seen;
        window.showPage("diagnose", q(run.id.text));
        ASSERT_TRUE(waitForJobs());
        for (const QSize& size : {QSize(1280, 800), QSize(960, 600)}) {
            window.resize(size);
            for (int turn = 0; turn < 10; ++turn)
                QCoreApplication::processEvents();
            for (const QString& text : findClipped(window))
                ADD_FAILURE() << run.id.text << " at " << size.width() << ": " << text.toStdString();
        }
    }
    EXPECT_GT(seen, 10);
}

TEST(ProgramKernels, TheirTableCutsWordsRatherThanFigures)
{
    auto context = AppContext::open(":sample:", DeviceSpec::sample());
    ASSERT_TRUE(context) << context.error().message;
    RunQuery query;
    query.profilesOnly = true;
    query.limit = 1000;
    const auto runs = (*context)->store().runs(query);
    ASSERT_TRUE(runs);
    std::vector<KernelRow> rows;
    for (const RunSummary& run : *runs)
        if (run.kernel.starts_with("program/"))
            if (const auto record = (*context)->store().run(run.id); record)
                rows.push_back(describeKernel(*record));
    std::erase_if(rows, [first = rows.back().origin](const KernelRow& row) { return row.origin != first; }); // one program's
    ASSERT_GT(rows.size(), 10U);
    KernelTable table(QStringLiteral("fits"));
    table.show();
    for (const int width : {1042, 722, 1042}) { // in windows of 1280 and 960
        table.resize(width, 180);
        table.setRows(rows);
        QCoreApplication::processEvents();
        EXPECT_EQ(table.view()->horizontalScrollBar()->maximum(), 0) << width;
        EXPECT_EQ(table.view()->isColumnHidden(KernelTreeModel::Calls), width < 1000);
        EXPECT_FALSE(table.view()->isColumnHidden(KernelTreeModel::Saved));
    }
}

} // namespace
} // namespace kl::ui
