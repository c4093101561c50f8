// SPDX-License-Identifier: MIT
#include "ui/pages/report_button.h"

#include "ui/context/app_context.h"
#include "ui/pages/session/report_export.h"
#include "ui/widgets/file_choice.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/saved_message.h"

#include <QFileInfo>
#include <QPushButton>

namespace kl::ui {

void saveReport(AppContext& context, QWidget* parent, const QString& name, const std::function<Result<Report>()>& make)
{
    const Result<Report> report = make();
    if (!report) {
        context.post(report.error(), QObject::tr("Could not create the report"));
        return;
    }
    const QString formats = QObject::tr("HTML (*.html);;PDF (*.pdf);;Markdown (*.md);;JSON (*.json);;CSV (*.csv)");
    QString chosen;
    QString file = chooseNewFile(parent, QObject::tr("Save Report"), name, formats, QStringLiteral("saved-reports"), &chosen);
    if (file.isEmpty())
        return;
    if (QFileInfo(file).suffix().isEmpty())
        file += QLatin1Char('.') + chosen.section(QStringLiteral("*."), 1).chopped(1);
    if (const Status saved = exportReport(*report, file); !saved)
        context.post(saved.error(), QObject::tr("Could not save the report"));
    else
        context.post(makeSavedMessage(QObject::tr("Saved report as %1").arg(file), file));
}

QPushButton* makeReportButton(AppContext& context, QWidget* page, const QString& text, const QString& name,
                              std::function<Result<Report>()> make)
{
    QPushButton* button = makeButton(text, false, page);
    button->setObjectName(QStringLiteral("saveReport"));
    QObject::connect(button, &QPushButton::clicked, page,
                     [&context, page, name, make = std::move(make)] { saveReport(context, page, name, make); });
    return button;
}

} // namespace kl::ui
