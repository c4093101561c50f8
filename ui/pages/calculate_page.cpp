// SPDX-License-Identifier: MIT
#include "ui/pages/calculate_page.h"

#include "ui/pages/calculate/launch_calculator.h"
#include "ui/pages/calculate/memory_calculator.h"
#include "ui/pages/calculate/occupancy_calculator.h"
#include "ui/pages/calculate/smem_calculator.h"

#include <QTabWidget>
#include <QVBoxLayout>

namespace kl::ui {

CalculatePage::CalculatePage(AppContext& context) : Page(context, tr("Calculate"))
{
    tabs_ = new QTabWidget(this);
    tabs_->setDocumentMode(true);
    const auto add = [this](QWidget* calculator, const char* id, const QString& title) {
        calculator->setObjectName(QString::fromLatin1(id));
        tabs_->addTab(calculator, title);
    };
    add(new SmemCalculator(tabs_), "shared-memory", tr("Shared memory"));
    add(new OccupancyCalculator(tabs_), "occupancy", tr("Occupancy"));
    add(new MemoryCalculator(tabs_), "memory", tr("Memory tiers"));
    add(new LaunchCalculator(tabs_), "launches", tr("Launches"));
    auto* whole = new QVBoxLayout;
    whole->addWidget(tabs_);
    makeScrollingBody(this, whole);
}

void CalculatePage::open(const QString& argument)
{
    for (int i = 0; i < tabs_->count(); ++i)
        if (tabs_->widget(i)->objectName() == argument)
            tabs_->setCurrentIndex(i);
}

} // namespace kl::ui
