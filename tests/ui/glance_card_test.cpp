// SPDX-License-Identifier: MIT
// The first screen of Diagnose: finding, roofline, memory, stalls and source, in a small window as in a large one.
#include "ui/charts/chart_card.h"
#include "ui/pages/diagnose/memory_card.h"
#include "ui/pages/diagnose/stalls_card.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>

namespace kl::ui {
namespace {

constexpr const char* kPlaces[] = {"roofline", "memory", "stalls", "source"};

class Glance : public testing::Test {
protected:
    void SetUp() override
    {
        auto opened = AppContext::open(":sample:", DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        window = std::make_unique<MainWindow>(*context);
        window->show();
        RunQuery query;
        query.kernel = "transpose/naive";
        query.profilesOnly = true;
        const auto runs = context->engine()->store->runs(query);
        ASSERT_TRUE(runs && !runs->empty());
        window->showPage("diagnose", q(runs->front().id.text));
        ASSERT_TRUE(waitForJobs());
        page = window->page("diagnose");
    }
    template <class W> W* part(const QString& name) const { return page->findChild<W*>(name); }

    std::unique_ptr<AppContext> context;
    std::unique_ptr<MainWindow> window;
    Page* page = nullptr;
};

TEST_F(Glance, TheWholeDiagnosisIsOnTheFirstScreen)
{
    for (const QSize& size : {QSize(1280, 800), QSize(2560, 1440)}) {
        window->resize(size);
        for (int turn = 0; turn < 10; ++turn)
            QCoreApplication::processEvents();
        for (const char* place : kPlaces) {
            const auto* text = part<QLabel>(QStringLiteral("glanceText-") + place);
            EXPECT_FALSE(text->text().isEmpty()) << place;
            EXPECT_LE(text->mapTo(window.get(), QPoint(0, text->height())).y(), size.height()) << place;
        }
    }
    EXPECT_EQ(part<QLabel>("glanceText-memory")->text(), page->findChild<MemoryCard*>()->title());
    EXPECT_EQ(part<QLabel>("glanceText-stalls")->text(), page->findChild<StallsCard*>()->title());
}

TEST_F(Glance, ItsButtonsLeadToTheCharts)
{
    window->resize(1280, 800);
    for (int turn = 0; turn < 10; ++turn)
        QCoreApplication::processEvents();
    QTest::mouseClick(part<QPushButton>("glance-stalls"), Qt::LeftButton);
    const auto* stalls = page->findChild<StallsCard*>();
    const int top = stalls->mapTo(window.get(), QPoint()).y();
    EXPECT_GE(top, 0);
    EXPECT_LT(top, 400);
}

} // namespace
} // namespace kl::ui
