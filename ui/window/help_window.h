// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "ui/widgets/dialog.h"
#include "ui/window/help_pages.h"

class QListWidget;
class QPrinter;
class QTextBrowser;
class QUrl;

namespace kl::ui {

/// The offline help: a list of pages and the page. Links between pages stay in it; links to vendors open in the browser. A page can be
/// printed or saved as PDF, HTML or Markdown.
class HelpWindow : public Dialog {
    Q_OBJECT
public:
    HelpWindow(AppContext& context, QWidget* parent);

    /// Unknown ids are ignored.
    void showPage(const QString& id);
    const std::vector<HelpPage>& pages() const { return pages_; }
    /// Writes the page that is shown: as PDF, Markdown or HTML, by the file's suffix. Errors: writePdf's, writeFile's.
    Status savePage(const QString& file) const;

private:
    void follow(const QUrl& link);
    void print();
    void save();
    void printTo(QPrinter& printer) const;
    QString pageHtml() const;
    const HelpPage& current() const;

    AppContext& context_;
    std::vector<HelpPage> pages_;
    QListWidget* list_;
    QTextBrowser* text_;
};

} // namespace kl::ui
