// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose/help_line.h"

#include "ui/style/theme.h"

#include <QLabel>

namespace kl::ui {

QLabel* makeHelpLine(QWidget* parent)
{
    QLabel* line = makeLabel({}, TextRole::caption, parent);
    line->setWordWrap(true);
    line->hide();
    return line;
}

void showHelp(QLabel* line, const QString& text)
{
    line->setText(text);
    line->setVisible(!text.isEmpty());
}

} // namespace kl::ui
