// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include <vector>

namespace kl::ui {

class AppContext;

/// A page of the offline help.
struct HelpPage {
    QString id; ///< "faq": what a link help:faq leads to
    QString title;
    QString text; ///< Markdown; for `html`, HTML in the subset that Qt's rich text draws
    bool html = false;
};

/// All pages, in the order of the list: start, roles, questions, the quick reference, what prevents which mistake, links. The method's own
/// tables are made from the program's data, so that they agree with it.
std::vector<HelpPage> helpPages(const AppContext& context);

/// The mistakes that are counted, what each cost in the sample's session N, and the gate or rule that prevents it. Markdown.
QString preventionPage();

} // namespace kl::ui
