// SPDX-License-Identifier: MIT
#include "ui/pages/shared/step_links.h"

#include "ui/context/app_context.h"
#include "ui/context/step_doors.h"
#include "ui/widgets/card.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QBoxLayout>
#include <QPushButton>

namespace kl::ui {

void showStepLinks(AppContext& context, const std::vector<NextStep>& steps, QBoxLayout* layout)
{
    clearLayout(layout);
    for (const NextStep& step : steps) {
        const std::optional<StepDoor> door = findDoor(step);
        if (!door)
            continue;
        QPushButton* link = makeLinkButton(door->text);
        link->setObjectName(QStringLiteral("step"));
        link->setProperty("step", QString::fromLatin1(findKind(step.id).word));
        QObject::connect(link, &QPushButton::clicked, &context, [&context, door = *door] { context.navigate(door.page, door.argument); });
        layout->addWidget(link, 0, Qt::AlignLeft);
    }
    layout->addStretch(1);
}

} // namespace kl::ui
