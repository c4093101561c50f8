// SPDX-License-Identifier: MIT
#include "ui/window/title_line.h"

#include "ui/style/theme.h"
#include "ui/widgets/theme_menu.h"
#include "ui/window/place_menu.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenuBar>
#include <QToolButton>

namespace kl::ui {
namespace {

constexpr int kHeight = 40;

} // namespace

TitleLine::TitleLine(AppContext& context, QWidget* parent)
    : QFrame(parent), context_(context), logo_(new QLabel(this)), menus_(new QMenuBar(this)), session_(makeLabel({}, TextRole::body, this)),
      place_(new PlaceMenu(context, this)), find_(new QToolButton(this))
{
    setObjectName(QStringLiteral("titleLine"));
    setFixedHeight(kHeight);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(kGapBetween, 0, kGapBetween, 0);
    row->setSpacing(kGapInside);
    menus_->setNativeMenuBar(false); // in this line, to take no line of its own
    menus_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setTextToken(session_, Token::muted);
    session_->setMinimumWidth(0);
    session_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    find_->setObjectName(QStringLiteral("find"));
    find_->setText(tr(" Find  Ctrl+K"));
    find_->setToolTip(tr("Find a page, action, setting, kernel, session, metric, or run (Ctrl+K)"));
    find_->setAccessibleName(tr("Find"));
    find_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    connect(find_, &QToolButton::clicked, this, &TitleLine::findRequested);
    row->addWidget(logo_);
    row->addWidget(menus_);
    row->addWidget(session_, 1);
    row->addWidget(place_);
    row->addWidget(find_);
    row->addWidget(makeThemeMenu(this));
    connect(&context_, &AppContext::currentSessionChanged, this, &TitleLine::showSession);
    connect(&Theme::instance(), &Theme::changed, this, &TitleLine::redrawIcons);
    redrawIcons();
    showSession();
}

QString TitleLine::describe() const
{
    return context_.sessionText().isEmpty() ? place_->describe() : context_.sessionText() + QStringLiteral(" · ") + place_->describe();
}

void TitleLine::showSession()
{
    session_->setText(context_.sessionText());
    session_->setToolTip(context_.sessionText());
}

void TitleLine::redrawIcons()
{
    logo_->setPixmap(icon(QStringLiteral("logo"), Token::accent).pixmap(20, 20));
    find_->setIcon(icon(QStringLiteral("search"), Token::muted));
}

} // namespace kl::ui
