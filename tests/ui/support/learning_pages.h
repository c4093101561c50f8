// SPDX-License-Identifier: MIT
#pragma once

#include "ui/context/app_context.h"
#include "ui/jobs/job.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

namespace kl::ui {

/// A window on a database of one's own, with one session on the recording.
class LearningPages : public testing::Test {
protected:
    void SetUp() override
    {
        auto opened = AppContext::open(utf8(dir.filePath("own.db")), DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        NewSession request;
        request.name = "N+6";
        request.objective = "Coalesce the stores";
        request.kernel = "transpose";
        const auto session = context->engine()->sessions.create(request);
        ASSERT_TRUE(session) << session.error().message;
        id = session->header.id;
        context->setCurrentSession(id, "N+6", "transpose");
        window = std::make_unique<MainWindow>(*context);
        window->resize(1280, 800);
        window->show();
        ASSERT_TRUE(waitForJobs());
    }
    Page* page(const QString& name)
    {
        window->showPage(name);
        EXPECT_TRUE(waitForJobs());
        return window->page(name);
    }
    void click(Page* on, const char* name)
    {
        auto* button = on->findChild<QPushButton*>(name);
        ASSERT_NE(button, nullptr) << name;
        ASSERT_TRUE(button->isEnabled()) << name;
        QTest::mouseClick(button, Qt::LeftButton);
        ASSERT_TRUE(waitForJobs());
    }
    static bool says(Page* on, const QString& words)
    {
        for (const QLabel* label : on->findChildren<QLabel*>())
            if (label->isVisibleTo(on) && label->text().contains(words))
                return true;
        return false;
    }

    QTemporaryDir dir;
    std::unique_ptr<AppContext> context;
    std::unique_ptr<MainWindow> window;
    SessionId id;
};

} // namespace kl::ui
