// SPDX-License-Identifier: MIT
#include "ui/pages/calculate_page.h"

#include "ui/pages/calculate/launch_calculator.h"
#include "ui/pages/calculate/memory_calculator.h"
#include "ui/pages/calculate/occupancy_calculator.h"
#include "ui/pages/calculate/smem_calculator.h"
#include "ui/style/theme.h"
#include "ui/widgets/reflow.h"
#include "ui/widgets/tab_room.h"

#include <QGridLayout>
#include <QLabel>
#include <QStackedWidget>
#include <QTabWidget>
#include <QVBoxLayout>

namespace kl::ui {
namespace {

constexpr QSize kAllAtOnce(2000, 1100); ///< of a page that has room for all calculators

} // namespace

CalculatePage::CalculatePage(AppContext& context, QWidget* parent) : Page(context, tr("Calculate"), parent)
{
    auto* whole = new QVBoxLayout;
    stack_ = new QStackedWidget(makeScrollingBody(this, whole)->widget());
    whole->addWidget(stack_);
    tabs_ = new QTabWidget(stack_);
    tabs_->setDocumentMode(true);
    auto* all = new QWidget(stack_);
    grid_ = new QGridLayout(all);
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setSpacing(kGapPage);
    add(new SmemCalculator(tabRoom(*tabs_)), "shared-memory", tr("Shared memory"));
    add(new OccupancyCalculator(tabRoom(*tabs_)), "occupancy", tr("Occupancy"));
    add(new MemoryCalculator(tabRoom(*tabs_)), "memory", tr("Memory tiers"));
    add(new LaunchCalculator(tabRoom(*tabs_)), "launches", tr("Launches"));
    stack_->addWidget(tabs_);
    stack_->addWidget(all);
}

void CalculatePage::add(QWidget* calculator, const char* id, const QString& title)
{
    constexpr int kColumns = 2;
    calculator->setObjectName(QString::fromLatin1(id));
    new Reflow(qobject_cast<QBoxLayout*>(calculator->layout()), this);
    tabs_->addTab(calculator, title);
    auto* place = new QWidget(grid_->parentWidget());
    auto* column = new QVBoxLayout(place);
    column->setContentsMargins(0, 0, 0, 0);
    QLabel* heading = makeLabel(title, TextRole::card, place);
    heading->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    column->addWidget(heading);
    const int at = static_cast<int>(calculators_.size());
    grid_->addWidget(place, at / kColumns, at % kColumns);
    grid_->setRowStretch(at / kColumns, 1);
    grid_->setColumnStretch(at % kColumns, 1);
    calculators_.push_back({calculator, title, place});
}

void CalculatePage::arrange(bool wide)
{
    if (wide == wide_)
        return;
    wide_ = wide;
    for (const Calculator& one : calculators_) {
        if (wide)
            one.place->layout()->addWidget(one.widget); // its label keeps its height
        else
            tabs_->addTab(one.widget, one.title);
        if (wide)
            one.widget->show(); // a tab that is not current is hidden
    }
    const auto count = [](bool shown) { return shown ? QSizePolicy::Preferred : QSizePolicy::Ignored; };
    stack_->widget(0)->setSizePolicy(count(!wide), count(!wide)); // what is not shown needs no room
    stack_->widget(1)->setSizePolicy(count(wide), count(wide));
    stack_->setCurrentIndex(wide ? 1 : 0);
    tabs_->setCurrentIndex(0);
}

void CalculatePage::resizeEvent(QResizeEvent* event)
{
    arrange(width() >= kAllAtOnce.width() && height() >= kAllAtOnce.height());
    Page::resizeEvent(event);
}

void CalculatePage::open(const QString& argument)
{
    for (int i = 0; i < tabs_->count(); ++i)
        if (tabs_->widget(i)->objectName() == argument)
            tabs_->setCurrentIndex(i);
}

} // namespace kl::ui
