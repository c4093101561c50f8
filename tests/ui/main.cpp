// SPDX-License-Identifier: MIT
#include "ui/style/theme.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>

namespace {

/// A Qt warning fails the test it comes from. What the offscreen plugin does not support means nothing.
void failOnWarning(QtMsgType type, const QMessageLogContext&, const QString& text)
{
    if (type == QtDebugMsg || type == QtInfoMsg || text.contains(QStringLiteral("This plugin does not support")))
        return;
    ADD_FAILURE() << "Qt: " << text.toStdString();
}

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QStandardPaths::setTestModeEnabled(true);
    const QTemporaryDir settings; // table widths and the like: neither the user's nor those of a test beside or before this one
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
    testing::InitGoogleTest(&argc, argv);
    QApplication app(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("kernelloop-tests"));
    QCoreApplication::setApplicationName(QStringLiteral("kernelloop-tests"));
    kl::ui::Theme::instance().install(kl::ui::ThemeChoice::light);
    qInstallMessageHandler(failOnWarning);
    const int result = RUN_ALL_TESTS();
    qInstallMessageHandler(nullptr);
    return result;
}
