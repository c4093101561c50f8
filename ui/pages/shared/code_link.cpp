// SPDX-License-Identifier: MIT
#include "ui/pages/shared/code_link.h"

#include "ui/pages/shared/code_pair.h"
#include "ui/style/theme.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QPushButton>
#include <QVBoxLayout>

namespace kl::ui {

void addCodeLink(QVBoxLayout* column, const FixCode& code, const QString& shows, const QString& hides, const char* name, QWidget* parent)
{
    QPushButton* link = makeLinkButton(shows, parent);
    link->setObjectName(QString::fromLatin1(name));
    auto* pair = new CodePair(parent);
    pair->hide();
    QObject::connect(link, &QPushButton::clicked, pair, [=] {
        const bool show = pair->isHidden();
        if (show)
            pair->setCode(exact(code.before), exact(code.after), q(code.note));
        pair->setVisible(show);
        link->setText(show ? hides : shows);
    });
    column->addWidget(link, 0, Qt::AlignLeft);
    column->addWidget(pair);
}

} // namespace kl::ui
