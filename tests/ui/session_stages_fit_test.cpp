// SPDX-License-Identifier: MIT
// Every stage of the recorded sessions, with its evidence and gates: no text is cut and nothing scrolls sideways.
#include "tests/ui/support/clipped_texts.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <QCoreApplication>
#include <gtest/gtest.h>

#include <QToolButton>

namespace kl::ui {
namespace {

TEST(SessionStages, FitTheWindow)
{
    auto context = AppContext::open(":sample:", DeviceSpec::sample());
    ASSERT_TRUE(context) << context.error().message;
    MainWindow window(**context);
    window.show();
    const auto sessions = (*context)->engine()->store->sessions();
    ASSERT_TRUE(sessions);
    int seen = 0;
    for (const auto& session : *sessions) {
        window.showPage("session", q(session.id.text));
        ASSERT_TRUE(waitForJobs());
        const auto count = window.page("session")->findChildren<QToolButton*>(QStringLiteral("stage")).size();
        for (qsizetype stage = 0; stage < count; ++stage) {
            auto* button = window.page("session")->findChildren<QToolButton*>(QStringLiteral("stage")).value(stage);
            if (!button || !button->isEnabled())
                continue;
            button->click();
            ASSERT_TRUE(waitForJobs());
            ++seen;
            for (const QSize& size : {QSize(1280, 800), QSize(960, 600)}) {
                window.resize(size);
                for (int turn = 0; turn < 10; ++turn)
                    QCoreApplication::processEvents();
                for (const QString& text : findClipped(window))
                    ADD_FAILURE() << session.name << " stage " << stage << " at " << size.width() << ": " << text.toStdString();
            }
        }
    }
    EXPECT_GT(seen, 60);
}

} // namespace
} // namespace kl::ui
