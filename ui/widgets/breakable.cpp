// SPDX-License-Identifier: MIT
#include "ui/widgets/breakable.h"

#include "ui/style/text_label.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QRegularExpression>

namespace kl::ui {
namespace {

constexpr QChar kBreak(0x200b); // zero width space

/// QLabel would also copy the zero-width characters.
class BreakableLabel : public TextLabel {
public:
    BreakableLabel(const QString& text, QWidget* parent) : TextLabel(text, parent)
    {
        setContextMenuPolicy(Qt::ActionsContextMenu);
        auto* copy = new QAction(QObject::tr("Copy"), this);
        connect(copy, &QAction::triggered, this, [this] { copyTo(QClipboard::Clipboard); });
        addAction(copy);
    }

protected:
    void mouseReleaseEvent(QMouseEvent* event) override
    {
        QLabel::mouseReleaseEvent(event);
        if (hasSelectedText() && QApplication::clipboard()->supportsSelection())
            copyTo(QClipboard::Selection);
    }

private:
    /// The selection, or the whole text.
    void copyTo(QClipboard::Mode mode) { QApplication::clipboard()->setText(unbroken(hasSelectedText() ? selectedText() : text()), mode); }
};

} // namespace

QString breakable(QString text)
{
    static const QRegularExpression joint(QStringLiteral("([_/:=,<]|\\.(?!\\d))(?=[^\\s_])"));
    static const QRegularExpression rest(QStringLiteral("([^\\s\\x{200b}]{16})(?=[^\\s\\x{200b}])")); // as wide as half a narrow card
    text.replace(joint, QStringLiteral("\\1") + kBreak);
    return text.replace(rest, QStringLiteral("\\1") + kBreak);
}

QString unbroken(QString text)
{
    return text.remove(kBreak);
}

QLabel* makeBreakableLabel(const QString& text, TextRole role, QWidget* parent)
{
    auto* label = new BreakableLabel(breakable(text), parent);
    label->setWordWrap(true);
    if (role == TextRole::caption)
        setTextToken(label, Token::muted);
    label->setFont(makeFont(role));
    return label;
}

} // namespace kl::ui
