// SPDX-License-Identifier: MIT
#pragma once

#include <QSyntaxHighlighter>

namespace kl::ui {

/// Keywords, CUDA words, numbers, comments and preprocessor lines of CUDA C++, in the theme's colors.
class CodeColors : public QSyntaxHighlighter {
    Q_OBJECT
public:
    explicit CodeColors(QTextDocument* document);
    void reload(); ///< after a theme switch

protected:
    void highlightBlock(const QString& text) override;

private:
    QTextCharFormat keyword_, cuda_, number_, comment_, directive_;
};

} // namespace kl::ui
