// SPDX-License-Identifier: MIT
#include "tests/ui/support/pseudo_locale.h"

namespace kl::ui {

QString lengthened(const QString& text)
{
    QString out;
    int owed = 0; // fifths of a letter
    bool inTag = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        out += c;
        inTag = c == u'<' ? i + 1 < text.size() && (text[i + 1].isLetter() || text[i + 1] == u'/') : inTag && c != u'>';
        const bool marker = i > 0 && (text[i - 1] == u'%' || text[i - 1] == u'&');
        if (inTag || marker || !c.isLetter())
            continue;
        owed += 2;
        if (owed >= 5) {
            owed -= 5;
            out += c;
        }
    }
    return out;
}

QString PseudoLocale::translate(const char* /*context*/, const char* source, const char* /*disambiguation*/, int /*n*/) const
{
    return source == nullptr || *source == '\0' ? QString() : lengthened(QString::fromUtf8(source));
}

} // namespace kl::ui
