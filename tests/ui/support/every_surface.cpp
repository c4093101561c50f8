// SPDX-License-Identifier: MIT
#include "tests/ui/support/every_surface.h"

#include "ui/pages/home/new_kernel_dialog.h"
#include "ui/pages/home/program_dialog.h"
#include "ui/pages/shared/cu_dialog.h"
#include "ui/pages/shared/kernel_table.h"
#include "ui/pages/shared/run_picker.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"
#include "ui/window/find_bar.h"
#include "ui/window/preferences/prices_dialog.h"
#include "ui/window/preferences/thresholds_dialog.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTest>

namespace kl::ui {
namespace {

/// The profile that tells most on Diagnose: transpose/naive on its first size; empty in a build without a recording.
QString tellingRun(const Store& store)
{
    RunQuery query;
    query.kernel = "transpose/naive";
    query.profilesOnly = true;
    const auto runs = store.runs(query);
    return runs && !runs->empty() ? q(runs->front().id.text) : QString();
}

void settle()
{
    EXPECT_TRUE(waitForJobs());
    for (int turn = 0; turn < 3; ++turn)
        QCoreApplication::processEvents();
}

/// The page with each tab that it shows, those inside other tabs included.
void visitTabs(const QString& name, QWidget& page, const Look& look)
{
    const auto all = page.findChildren<QTabWidget*>();
    QTabWidget* tabs = nullptr;
    for (QTabWidget* one : all)
        if (one->isVisible() && !one->property("visited").toBool()) {
            tabs = one;
            break;
        }
    if (!tabs)
        return look(name, page);
    tabs->setProperty("visited", true);
    for (int i = 0; i < tabs->count(); ++i) {
        tabs->setCurrentIndex(i);
        settle();
        visitTabs(name + QStringLiteral(" / ") + QString::number(i + 1), page, look);
    }
    tabs->setCurrentIndex(0);
    tabs->setProperty("visited", false);
}

} // namespace

void visitPages(AppContext& context, MainWindow& window, const Look& look)
{
    const QString run = tellingRun(context.store());
    for (const PageEntry& entry : window.entries()) {
        const QString argument = entry.id == QStringLiteral("diagnose")  ? run
                                 : entry.id == QStringLiteral("kernels") ? QStringLiteral("transpose/naive")
                                 : entry.id == QStringLiteral("search")  ? QStringLiteral("attention/fused")
                                                                         : QString();
        window.showPage(entry.id, argument);
        settle();
        visitTabs(entry.id, *window.page(entry.id), look);
    }
    window.showPage(QStringLiteral("session"), QStringLiteral("new"));
    settle();
    look(QStringLiteral("session new"), *window.page(QStringLiteral("session")));
}

void visitDialogs(AppContext& context, MainWindow& window, const Look& look)
{
    for (const char* action : {"preferences", "bisect", "calibrate", "export-runs", "help", "shortcuts", "about"}) {
        window.findChild<QAction*>(QLatin1String(action))->trigger();
        settle();
        for (QDialog* dialog : window.findChildren<QDialog*>())
            if (dialog->isVisible()) {
                look(QStringLiteral("dialog ") + QLatin1String(action), *dialog);
                delete dialog;
            }
    }
    const auto shown = [&](const char* name, QDialog& dialog) {
        dialog.show();
        settle();
        look(QStringLiteral("dialog ") + QLatin1String(name), dialog);
        dialog.close();
    };
    NewKernelDialog newKernel(&window);
    shown("new kernel", newKernel);
    ProgramDialog program(context, &window);
    shown("program", program);
    ThresholdsDialog thresholds(context, &window);
    shown("thresholds", thresholds);
    thresholds.findChild<QTabWidget*>(QStringLiteral("thresholdTabs"))->setCurrentIndex(1);
    shown("thresholds of gates", thresholds);
    PricesDialog prices(context, &window);
    shown("prices", prices);
    CuDialog cu(QString::fromUtf8(KL_SOURCE_DIR "/kernels/families/copy/copy.cu"), &window);
    shown("cu", cu);

    window.showPage(QStringLiteral("history"));
    settle();
    window.findChild<QAction*>(QStringLiteral("find-in-page"))->trigger();
    settle();
    look(QStringLiteral("find in page"), *window.findChild<FindBar*>());
    window.findChild<FindBar*>()->close();
    window.findChild<QAction*>(QStringLiteral("find-anything"))->trigger();
    settle();
    auto* finder = window.findChild<QLineEdit*>(QStringLiteral("finderText"));
    look(QStringLiteral("find anything"), *finder->parentWidget());
    QTest::keyClick(finder, Qt::Key_Escape);
    window.perform(WindowAction::tour);
    for (QPushButton* next = window.findChild<QPushButton*>(QStringLiteral("tourNext")); next->isVisible(); next->click()) {
        settle();
        look(QStringLiteral("tour"), *next->parentWidget());
    }
    context.post({MessageLevel::error,
                  QStringLiteral("The file could not be read"),
                  QStringLiteral("It is damaged."),
                  QStringLiteral("Choose another."),
                  {{QStringLiteral("Choose"), [] {}}}});
    settle();
    look(QStringLiteral("message"), *window.messages());
    window.messages()->clear();
    window.showPage(QStringLiteral("diagnose"));
    settle();
    auto* picker = window.findChild<RunPicker*>(QStringLiteral("profilePicker"));
    picker->click();
    settle();
    look(QStringLiteral("run picker"), *picker->table()->window());
    picker->table()->window()->hide();
}

} // namespace kl::ui
