// SPDX-License-Identifier: MIT
#pragma once

#include "ui/style/tokens.h"

#include <QFont>
#include <QIcon>
#include <QObject>

#include <string>

class QLabel;
class QWidget;

namespace kl::ui {

enum class ThemeChoice { automatic, light, dark };

/// The look of the application: palette, style sheet and fonts, switchable at run time. One per process, GUI thread only.
class Theme : public QObject {
    Q_OBJECT
public:
    static Theme& instance();

    /// Applies to the running application. Call once, after QApplication exists. `automatic` follows the lightness of the palette
    /// that the platform provides.
    void install(ThemeChoice choice);
    void choose(ThemeChoice choice);

    Scheme scheme() const { return scheme_; }
    ThemeChoice choice() const { return choice_; }

signals:
    /// Palette and style sheet are already updated; widgets that paint or draw icons themselves must follow.
    void changed();

private:
    Theme() = default;
    void apply();

    Scheme scheme_ = Scheme::light;
    Scheme system_ = Scheme::light;
    ThemeChoice choice_ = ThemeChoice::automatic;
};

/// "light", "dark", "auto"; anything else is automatic.
ThemeChoice themeChoiceFrom(const QString& word);

/// The token's color in the present scheme.
QColor color(Token token);

/// The role of a text on a page. Sizes are pixels: 20 semibold, 15 semibold, 13, 12, 28 semibold, 13 monospaced.
enum class TextRole { page, card, body, caption, figure, code };

QFont makeFont(TextRole role);

/// A label of a role; captions are muted. The style sheet gives the color, so that it follows the theme.
QLabel* makeLabel(const QString& text, TextRole role, QWidget* parent = nullptr);

/// Colors a label by token; follows theme switches.
void setTextToken(QLabel* label, Token token);

/// One of resources/icons ("home"), drawn in the token's color, muted when disabled. Rebuild it on Theme::changed.
QIcon icon(const QString& name, Token token = Token::text);

/// The series index of a kernel (address or family), the same everywhere; assigned in order of first use.
int assignSeries(const std::string& name);

} // namespace kl::ui
