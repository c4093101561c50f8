// SPDX-License-Identifier: MIT
#include "ui/style/theme.h"

#include "ui/style/plain_labels.h"
#include "ui/style/style_sheet.h"
#include "ui/style/text_label.h"

#include <QApplication>
#include <QFontDatabase>
#include <QLabel>
#include <QPalette>
#include <QStyle>
#include <QStyleFactory>

#include <map>

// Resources of a static library are registered by hand, from outside any namespace.
static void registerResources()
{
    Q_INIT_RESOURCE(app);
}

namespace kl::ui {

namespace {

QPalette makePalette(Scheme scheme)
{
    const auto c = [scheme](Token token) { return tokenColor(scheme, token); };
    QPalette p;
    p.setColor(QPalette::Window, c(Token::bg));
    p.setColor(QPalette::WindowText, c(Token::text));
    p.setColor(QPalette::Base, c(Token::surface));
    p.setColor(QPalette::AlternateBase, c(Token::raised));
    p.setColor(QPalette::Text, c(Token::text));
    p.setColor(QPalette::PlaceholderText, c(Token::muted));
    p.setColor(QPalette::Button, c(Token::surface));
    p.setColor(QPalette::ButtonText, c(Token::text));
    p.setColor(QPalette::ToolTipBase, c(Token::raised));
    p.setColor(QPalette::ToolTipText, c(Token::text));
    p.setColor(QPalette::Highlight, c(Token::accent));
    p.setColor(QPalette::HighlightedText, c(Token::surface));
    p.setColor(QPalette::Link, c(Token::accent));
    p.setColor(QPalette::LinkVisited, c(Token::accent));
    p.setColor(QPalette::Light, c(Token::raised));
    p.setColor(QPalette::Midlight, c(Token::raised));
    p.setColor(QPalette::Mid, c(Token::border));
    p.setColor(QPalette::Dark, c(Token::border));
    p.setColor(QPalette::Shadow, c(Token::border));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, c(Token::muted));
    return p;
}

} // namespace

Theme& Theme::instance()
{
    static Theme theme;
    return theme;
}

void Theme::install(ThemeChoice choice)
{
    registerResources();
    qApp->installEventFilter(new PlainLabels(qApp)); // before any label is made
    system_ = qApp->palette().color(QPalette::Window).lightness() < 128 ? Scheme::dark : Scheme::light;
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication::setFont(makeFont(TextRole::body));
    choose(choice);
}

void Theme::choose(ThemeChoice choice)
{
    choice_ = choice;
    scheme_ = choice == ThemeChoice::automatic ? system_ : choice == ThemeChoice::dark ? Scheme::dark : Scheme::light;
    apply();
}

void Theme::apply()
{
    if (const QString sheet = styleSheet(scheme_); qApp->styleSheet() != sheet) {
        qApp->setStyleSheet({}); // one that takes the place of another styles each widget again for every widget that it is in
        QApplication::setPalette(makePalette(scheme_));
        qApp->setStyleSheet(sheet);
    }
    emit changed();
}

ThemeChoice themeChoiceFrom(const QString& word)
{
    return word == u"dark" ? ThemeChoice::dark : word == u"light" ? ThemeChoice::light : ThemeChoice::automatic;
}

QColor color(Token token)
{
    return tokenColor(Theme::instance().scheme(), token);
}

QFont makeFont(TextRole role)
{
    QFont font = role == TextRole::code ? QFontDatabase::systemFont(QFontDatabase::FixedFont)
                                        : QFontDatabase::systemFont(QFontDatabase::GeneralFont);
    switch (role) {
    case TextRole::page: font.setPixelSize(20); break;
    case TextRole::card: font.setPixelSize(15); break;
    case TextRole::figure: font.setPixelSize(28); break;
    case TextRole::caption: font.setPixelSize(12); break;
    default: font.setPixelSize(13);
    }
    if (role == TextRole::page || role == TextRole::card || role == TextRole::figure)
        font.setWeight(QFont::DemiBold);
    return font;
}

QLabel* makeLabel(const QString& text, TextRole role, QWidget* parent)
{
    auto* label = new TextLabel(text, parent);
    label->setTextFormat(Qt::PlainText); // a kernel's name may look like a tag: reduce<b>
    if (role == TextRole::caption)
        setTextToken(label, Token::muted);
    label->setFont(makeFont(role));
    return label;
}

void setTextToken(QLabel* label, Token token)
{
    const QString name = tokenName(token);
    if (label->property("token") == name)
        return;
    label->setProperty("token", name);
    label->style()->unpolish(label); // forgets which rules match
    if (label->testAttribute(Qt::WA_WState_Polished))
        label->style()->polish(label);
}

int assignSeries(const std::string& name)
{
    static std::map<std::string, int> given;
    return given.emplace(name, static_cast<int>(given.size())).first->second;
}

} // namespace kl::ui
