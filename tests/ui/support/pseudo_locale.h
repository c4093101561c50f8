// SPDX-License-Identifier: MIT
#pragma once

#include <QTranslator>

namespace kl::ui {

/// Translates every text into itself, 40 % longer: of each five letters two are doubled. Place markers, mnemonics and tags stay.
class PseudoLocale : public QTranslator {
    Q_OBJECT
public:
    using QTranslator::QTranslator;
    bool isEmpty() const override { return false; }
    QString translate(const char* context, const char* source, const char* disambiguation, int n) const override;
};

/// The same for any text.
QString lengthened(const QString& text);

} // namespace kl::ui
