// SPDX-License-Identifier: MIT
#include "ui/window/tools/database_tools.h"

#include "ui/widgets/file_choice.h"
#include "ui/widgets/saved_message.h"
#include "ui/widgets/text.h"

#include <QFileInfo>

namespace kl::ui {

DatabaseTools::DatabaseTools(AppContext& context, QWidget* window) : QObject(window), context_(context), window_(window) {}

void DatabaseTools::check()
{
    job_.start(
        tr("Checking the database"), [engine = context_.engine()](const Job&) { return engine->store->check(); },
        [this, location = context_.location()](const Result<std::vector<std::string>>& problems) {
            if (!problems)
                return context_.post(problems.error(), tr("Could not check the database"));
            QStringList list;
            for (const std::string& problem : *problems)
                list << q(problem);
            context_.post(list.isEmpty() ? Message{MessageLevel::success, tr("The database is intact"), location, {}}
                                         : Message{MessageLevel::error, tr("The database is damaged"), list.join(u'\n'),
                                                   tr("Open a backup, and keep this file.")});
        });
}

void DatabaseTools::backUp()
{
    const QString name = QFileInfo(context_.location()).completeBaseName() + QStringLiteral("-backup.db");
    const QString file = chooseNewFile(window_, tr("Back Up Database"), name, tr("Databases (*.db)"), QStringLiteral("databases"));
    if (!file.isEmpty())
        backUpTo(file);
}

void DatabaseTools::backUpTo(const QString& file)
{
    job_.start(
        tr("Backing up"), [engine = context_.engine(), target = utf8(file)](const Job&) { return engine->store->backup(target); },
        [this, file](const Status& copied) {
            if (!copied)
                context_.post(copied.error(), tr("Could not back up the database"));
            else
                context_.post(makeSavedMessage(tr("Backed up as %1").arg(file), file));
        });
}

} // namespace kl::ui
