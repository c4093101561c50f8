// SPDX-License-Identifier: MIT
#include "ui/window/help_pages.h"

#include "core/base/resource.h"
#include "sessions/learning/history_parts.h"
#include "sessions/report/report.h"
#include "ui/context/app_context.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>

namespace kl::ui {
namespace {

QString helpWords(const char* text)
{
    return QCoreApplication::translate("Help", text);
}

HelpPage loadHelpPage(const char* id, const QString& title)
{
    const Result<std::string_view> text = resource("resources/help/" + std::string(id) + ".md");
    return {QString::fromLatin1(id), title, text ? exact(*text) : q(text.error().message)};
}

/// A cell of a Markdown table.
QString cellText(const std::string& text)
{
    return exact(text).replace(u'|', QStringLiteral("\\|")).replace(u'\n', u' ');
}

} // namespace

QString preventionPage()
{
    QString text = helpWords("# What prevents which mistake\n\n"
                             "The mistakes of session N of the October 2025 documents. Each is recognized in the record of a session, "
                             "and a gate or a rule stops it.\n\n| Mistake | It cost | Prevented by |\n| --- | --- | --- |\n");
    if (const Result<SampleHistory> sample = loadEmbeddedSampleHistory())
        for (const MistakeKind& kind : sample->mistakes)
            text += QStringLiteral("| %1 | %2 | %3 |\n").arg(cellText(kind.text), cellText(kind.cost), cellText(kind.prevention));
    return text;
}

std::vector<HelpPage> helpPages(const AppContext& context)
{
    std::vector<HelpPage> pages{loadHelpPage("start", helpWords("How it works")), loadHelpPage("engineer", helpWords("For engineers")),
                                loadHelpPage("lead", helpWords("For leads")),
                                loadHelpPage("assistant", helpWords("For assistants and scripts")),
                                loadHelpPage("faq", helpWords("Questions and answers"))};
    const Result<Report> reference = kl::quickReference(context.tree());
    pages.push_back({QStringLiteral("quick-reference"), helpWords("Quick reference"),
                     reference ? exact(render(*reference, ReportFormat::print)) : q(reference.error().message), true});
    pages.push_back({QStringLiteral("prevention"), helpWords("What prevents which mistake"), preventionPage()});
    pages.push_back(loadHelpPage("links", helpWords("Documents of the vendors")));
    return pages;
}

} // namespace kl::ui
