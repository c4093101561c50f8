// SPDX-License-Identifier: MIT
#include "ui/widgets/theme_menu.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QMenu>
#include <QSettings>
#include <QToolButton>

namespace kl::ui {
namespace {

constexpr const char* kThemeKey = "theme";

struct ThemeWord {
    ThemeChoice choice;
    const char* word; ///< as --theme has it
    const char* text;
};
constexpr ThemeWord kThemeWords[] = {
    {ThemeChoice::light, "light", "Light"}, {ThemeChoice::dark, "dark", "Dark"}, {ThemeChoice::automatic, "auto", "Match system"}};

} // namespace

QToolButton* makeThemeMenu(QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setObjectName(QStringLiteral("themeMenu"));
    button->setToolTip(QCoreApplication::translate("ThemeMenu", "Theme"));
    button->setAccessibleName(button->toolTip());
    button->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(button);
    auto* group = new QActionGroup(menu);
    for (const ThemeWord& one : kThemeWords) {
        QAction* action = menu->addAction(QCoreApplication::translate("ThemeMenu", one.text));
        action->setCheckable(true);
        action->setObjectName(QString::fromLatin1(one.word));
        group->addAction(action);
        QObject::connect(action, &QAction::triggered, menu, [one] { chooseTheme(one.choice); });
        QObject::connect(menu, &QMenu::aboutToShow, action,
                         [action, one] { action->setChecked(Theme::instance().choice() == one.choice); });
    }
    button->setMenu(menu);
    const auto draw = [button] { button->setIcon(icon(QStringLiteral("theme"), Token::muted)); };
    QObject::connect(&Theme::instance(), &Theme::changed, button, draw);
    draw();
    return button;
}

std::vector<std::pair<ThemeChoice, QString>> themeChoices()
{
    std::vector<std::pair<ThemeChoice, QString>> choices;
    for (const ThemeWord& one : kThemeWords)
        choices.emplace_back(one.choice, QCoreApplication::translate("ThemeMenu", one.text));
    return choices;
}

void chooseTheme(ThemeChoice choice)
{
    for (const ThemeWord& one : kThemeWords)
        if (one.choice == choice)
            QSettings().setValue(QString::fromLatin1(kThemeKey), QString::fromLatin1(one.word));
    Theme::instance().choose(choice);
}

ThemeChoice loadTheme()
{
    return themeChoiceFrom(QSettings().value(QString::fromLatin1(kThemeKey)).toString());
}

} // namespace kl::ui
