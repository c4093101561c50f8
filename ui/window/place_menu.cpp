// SPDX-License-Identifier: MIT
#include "ui/window/place_menu.h"

#include "sessions/hosts/host_list.h"
#include "sessions/shipped/sample_store.h"
#include "ui/context/remembered.h"
#include "ui/style/theme.h"
#include "ui/widgets/file_choice.h"
#include "ui/widgets/text.h"
#include "ui/window/preferences/prices_dialog.h"

#include <QDir>
#include <QFileInfo>
#include <QMenu>

namespace kl::ui {
namespace {

QString withoutVendor(const std::string& name)
{
    return q(name).remove(QStringLiteral("NVIDIA "));
}

} // namespace

QString databaseName(const QString& location)
{
    if (location == QLatin1String(kSampleLocation))
        return PlaceMenu::tr("sample database");
    if (location == QLatin1String(kDocumentsLocation))
        return PlaceMenu::tr("sample database, October 2025 documents");
    return location == q(Store::defaultLocation()) ? PlaceMenu::tr("my database") : QFileInfo(location).fileName();
}

PlaceMenu::PlaceMenu(AppContext& context, QWidget* parent) : QToolButton(parent), context_(context), menu_(new QMenu(this))
{
    setObjectName(QStringLiteral("placeMenu"));
    setPopupMode(QToolButton::InstantPopup);
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setMenu(menu_);
    connect(menu_, &QMenu::aboutToShow, this, &PlaceMenu::fill);
    connect(&context_, &AppContext::databaseSwitched, this, &PlaceMenu::showPlace);
    connect(&context_, &AppContext::deviceSwitched, this, &PlaceMenu::showPlace);
    connect(&context_, &AppContext::databaseDamaged, this, &PlaceMenu::showDamage);
    const auto draw = [this] { setIcon(kl::ui::icon(QStringLiteral("database"), Token::muted)); };
    connect(&Theme::instance(), &Theme::changed, this, draw);
    draw();
    showPlace();
}

QString PlaceMenu::describe() const
{
    return context_.deviceName() + QStringLiteral(" · ") + databaseName(context_.location());
}

void PlaceMenu::showPlace()
{
    setText(describe() + QStringLiteral("  ▾"));
    setAccessibleName(tr("Device and database: %1").arg(describe()));
    setToolTip(tr("Device: %1\nDatabase: %2").arg(context_.deviceName(), context_.location()) +
               (context_.deviceReason().isEmpty() ? QString() : u'\n' + context_.deviceReason()));
}

void PlaceMenu::showDamage(const Error& error)
{
    forgetDatabase(context_.location());
    Message message = makeMessage(error);
    message.buttons = {{tr("Open another database…"), [this] { chooseDatabase(); }},
                       {tr("Open the sample"), [this] { openDatabase(QString::fromLatin1(kSampleLocation)); }}};
    context_.post(message);
}

void PlaceMenu::addDevice(const QString& text, const DeviceSpec& device)
{
    auto* action = new QAction(escapeMnemonics(text), menu_);
    action->setObjectName(QStringLiteral("device-") + q(toText(device)));
    action->setCheckable(true);
    action->setChecked(device == context_.device());
    connect(action, &QAction::triggered, this, [this, device] {
        rememberPlace(context_.location(), q(toText(device)));
        context_.useDevice(device);
    });
    menu_->insertAction(searching_, action);
}

void PlaceMenu::addDatabase(const QString& text, const QString& location)
{
    QAction* action = menu_->addAction(escapeMnemonics(text));
    action->setObjectName(QStringLiteral("database-") + location);
    action->setToolTip(location);
    action->setCheckable(true);
    action->setChecked(location == context_.location());
    connect(action, &QAction::triggered, this, [this, location] { openDatabase(location); });
}

void PlaceMenu::fill()
{
    menu_->clear();
    menu_->setToolTipsVisible(true);
    menu_->addSection(tr("Measure on"));
    searching_ = menu_->addAction(tr("Looking for GPUs…"));
    searching_->setEnabled(false);
    addDevice(tr("Recorded sample (no GPU needed)"), DeviceSpec::sample());
    addHosts();
    menu_->addAction(tr("Hosts and prices…"), this, [this] { showOver(new PricesDialog(context_, window())); })
        ->setObjectName(QStringLiteral("hostsOpen"));
    menu_->addAction(tr("Check environment…"), this, [this] { context_.navigate(QStringLiteral("environment")); })
        ->setObjectName(QStringLiteral("checkMachine"));
    menu_->addSection(tr("Database"));
    const QString own = q(Store::defaultLocation());
    addDatabase(tr("My database"), own);
    addDatabase(tr("Sample (read-only)"), QString::fromLatin1(kSampleLocation));
    addDatabase(tr("Sample with the documents' history (read-only)"), QString::fromLatin1(kDocumentsLocation));
    for (const QString& recent : loadRemembered().databases)
        if (recent != own && QFileInfo::exists(recent))
            addDatabase(QDir::toNativeSeparators(recent).replace(QDir::homePath(), QStringLiteral("~")), recent);
    menu_->addAction(tr("Open database…"), this, &PlaceMenu::chooseDatabase)->setObjectName(QStringLiteral("chooseDatabase"));
    context_.findGpus([this](const std::vector<DeviceInfo>& gpus) { fillGpus(gpus); });
}

/// Those of the list, and what is measured on now.
void PlaceMenu::addHosts()
{
    if (const Result<std::vector<KnownHost>> hosts = HostList().list())
        for (const KnownHost& host : *hosts) {
            const QString gpus = q(gpusText(host));
            addDevice(gpus.isEmpty() ? q(host.host) : tr("%1 (%2)").arg(q(host.host), withoutVendor(gpusText(host))),
                      makeHostDevice(host.host));
        }
    const QString present = q(toText(context_.device()));
    if (!listDeviceHosts(context_.device()).empty() && !menu_->findChild<QAction*>(QStringLiteral("device-") + present))
        addDevice(present, context_.device());
}

void PlaceMenu::fillGpus(const std::vector<DeviceInfo>& gpus)
{
    if (!searching_)
        return;
    for (const DeviceInfo& gpu : gpus)
        addDevice(gpus.size() == 1 ? withoutVendor(gpu.name) : tr("%1 (%2)").arg(withoutVendor(gpu.name), q(gpu.uuid).left(12)),
                  gpus.size() == 1 ? DeviceSpec::local() : DeviceSpec::local(gpu.uuid));
    searching_->setText(tr("No GPU found on this machine"));
    searching_->setVisible(gpus.empty());
}

void PlaceMenu::chooseDatabase()
{
    const QString path = chooseFile(window(), tr("Open Database"), tr("Databases (*.db);;All files (*)"), QStringLiteral("databases"));
    if (!path.isEmpty())
        openDatabase(path);
}

void PlaceMenu::openDatabase(const QString& location)
{
    if (const Status switched = context_.switchTo(utf8(location)); !switched) {
        if (!isSampleLocation(utf8(location)))
            forgetDatabase(location);
        return context_.post(switched.error(), tr("%1 could not be opened").arg(databaseName(location)));
    }
    rememberPlace(location, q(toText(context_.device())));
}

} // namespace kl::ui
