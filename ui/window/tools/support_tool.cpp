// SPDX-License-Identifier: MIT
#include "ui/window/tools/support_tool.h"

#include "core/base/try.h"
#include "core/base/write_file.h"
#include "ui/style/theme.h"
#include "ui/widgets/decimal_mark.h"
#include "ui/widgets/saved_message.h"
#include "ui/widgets/text.h"

#include <QApplication>
#include <QDateTime>
#include <QDir>
#include <QScreen>
#include <QSettings>
#include <QStandardPaths>
#include <QStyle>

#include <map>

namespace kl::ui {
namespace {

constexpr std::size_t kMostMessages = 50;

std::string levelWord(MessageLevel level)
{
    switch (level) {
    case MessageLevel::info: return "info";
    case MessageLevel::success: return "success";
    case MessageLevel::warning: return "warning";
    case MessageLevel::error: break;
    }
    return "error";
}

/// How many settings there are of each kind: their names hold those of databases and tables, their values folders.
SupportSection describeWindowSettings()
{
    std::map<QString, int> counts;
    for (const QString& key : QSettings().allKeys())
        ++counts[key.section(u'/', 0, 0)];
    SupportSection section{"Settings of the window"};
    for (const auto& [kind, count] : counts)
        section.rows.emplace_back(utf8(kind), std::to_string(count));
    return section;
}

} // namespace

SupportTool::SupportTool(AppContext& context, QWidget* window) : QObject(window), context_(context), window_(window)
{
    connect(&context_, &AppContext::messagePosted, this, [this](const Message& message) {
        messages_.push_back(utf8(QDateTime::currentDateTimeUtc().toString(Qt::ISODate)) + ' ' + levelWord(message.level) + ": " +
                            utf8(withPoints(message.what + u' ' + message.why)));
        if (messages_.size() > kMostMessages)
            messages_.pop_front();
    });
}

std::vector<SupportSection> SupportTool::describeWindow() const
{
    SupportSection section{"Window"};
    section.rows = {{"Qt", qVersion()},
                    {"platform", utf8(QGuiApplication::platformName())},
                    {"theme", Theme::instance().scheme() == Scheme::dark ? "dark" : "light"},
                    {"locale", utf8(QLocale().name())},
                    {"size", std::to_string(window_->width()) + " x " + std::to_string(window_->height())},
                    {"windows", std::to_string(QApplication::topLevelWidgets().size())},
                    {"device", utf8(context_.deviceName())},
                    {"reason", utf8(withPoints(context_.deviceReason()))}};
    for (const QScreen* screen : QGuiApplication::screens())
        section.rows.emplace_back("screen", std::to_string(screen->size().width()) + " x " + std::to_string(screen->size().height()) +
                                                ", scale " + utf8(QString::number(screen->devicePixelRatio())));
    SupportSection messages{"Messages of the window"};
    for (const std::string& message : messages_)
        messages.text += message + '\n';
    return {section, describeWindowSettings(), messages};
}

void SupportTool::save()
{
    QString folder = QStandardPaths::writableLocation(QStandardPaths::DownloadLocation);
    if (!QDir(folder).exists())
        folder = QDir::homePath();
    saveTo(folder + u'/' + q(supportFileName()));
}

void SupportTool::saveTo(const QString& file)
{
    job_.start(
        tr("Gathering a support bundle"),
        [engine = context_.engine(), more = describeWindow(), target = utf8(file),
         program = utf8(QStringLiteral("kernelloop ") + QCoreApplication::applicationVersion())](const Job&) {
            const SupportBundle bundle = gatherSupport({.program = program,
                                                        .store = engine->store.get(),
                                                        .storeError = {},
                                                        .catalog = engine->catalog.get(),
                                                        .broken = engine->kernels->broken,
                                                        .more = more});
            return writeFile(target, bundle.text());
        },
        [this, file](const Status& written) {
            if (!written)
                return context_.post(written.error(), tr("Could not save the support bundle"));
            Message message = makeSavedMessage(tr("Saved the support bundle as %1").arg(file), file);
            message.next = tr("Read it before you send it.");
            context_.post(message);
        });
}

} // namespace kl::ui
