// SPDX-License-Identifier: MIT
#include "app/kernelloop/opening.h"

#include "ui/context/remembered.h"
#include "ui/widgets/file_choice.h"
#include "ui/widgets/text.h"

#include <QMessageBox>
#include <QObject>
#include <QPushButton>
#include <QTextStream>

namespace kl::ui {
namespace {

const QString kSampleLocation = QStringLiteral(":sample:");

/// Another database to try; empty when the user gives up.
QString askForAnother(const QString& location, const Error& error)
{
    QMessageBox box(QMessageBox::Warning, QStringLiteral("KernelLoop"), QObject::tr("%1 could not be opened.").arg(location));
    box.setInformativeText(q(error.message) + (error.hint.empty() ? QString() : QStringLiteral("\n\n") + q(error.hint)));
    QPushButton* another = box.addButton(QObject::tr("Open another database…"), QMessageBox::ActionRole);
    QPushButton* sample = box.addButton(QObject::tr("Open the sample"), QMessageBox::AcceptRole);
    box.addButton(QObject::tr("Quit"), QMessageBox::RejectRole);
    box.exec();
    if (box.clickedButton() == sample)
        return kSampleLocation;
    if (box.clickedButton() == another)
        return chooseFile(nullptr, QObject::tr("Open Database"), QObject::tr("Databases (*.db);;All files (*)"),
                          QStringLiteral("databases"));
    return {};
}

DeviceSpec chooseDevice(const StartOptions& options, const Remembered& before)
{
    if (options.device)
        return *options.device;
    const Result<DeviceSpec> last = parseDeviceSpec(utf8(before.device));
    return last && !before.device.isEmpty() ? *last : DeviceSpec::sample();
}

} // namespace

Result<std::unique_ptr<AppContext>> openPlace(const StartOptions& options)
{
    const Remembered before = options.draws() ? Remembered{} : loadRemembered();
    QString location = !options.database.isEmpty() ? options.database : !before.database.isEmpty() ? before.database : kSampleLocation;
    const DeviceSpec device = chooseDevice(options, before);
    for (;;) {
        Result<std::unique_ptr<AppContext>> context = AppContext::open(utf8(location), device);
        if (options.draws())
            return context;
        if (context) {
            rememberPlace((*context)->location(), q(toText(device)));
            return context;
        }
        QTextStream(stderr) << q(context.error().message) << '\n' << q(context.error().hint) << Qt::endl;
        forgetDatabase(location);
        location = askForAnother(location, context.error());
        if (location.isEmpty())
            return context.error();
    }
}

} // namespace kl::ui
