// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/decimal_mark.h"

#include <QLocale>

namespace kl::ui {

/// The window as a desktop in this language has it, until the end of the scope.
class InLanguage {
public:
    explicit InLanguage(QLocale::Language language)
    {
        QLocale::setDefault(QLocale(language));
        useDecimalMark(localeDecimalMark());
    }
    ~InLanguage()
    {
        QLocale::setDefault(before_);
        useDecimalMark(mark_);
    }
    InLanguage(const InLanguage&) = delete;
    InLanguage& operator=(const InLanguage&) = delete;

private:
    QLocale before_;
    QChar mark_ = decimalMark();
};

struct InGerman : InLanguage {
    InGerman() : InLanguage(QLocale::German) {}
};

} // namespace kl::ui
