// SPDX-License-Identifier: MIT
#include "ui/context/python_choice.h"

#include <QSettings>

namespace kl::ui {
namespace {

constexpr const char* kVariable = "KLOOP_PYTHON"; // core/base/python_call.h
const QString kKey = QStringLiteral("python/interpreter");

} // namespace

QString pythonChoice()
{
    return qEnvironmentVariable(kVariable, QSettings().value(kKey).toString());
}

void setPythonChoice(const QString& interpreter)
{
    QSettings().setValue(kKey, interpreter);
    if (interpreter.isEmpty())
        qunsetenv(kVariable);
    else
        qputenv(kVariable, interpreter.toUtf8());
}

void applyPythonChoice()
{
    if (const QString kept = QSettings().value(kKey).toString(); !kept.isEmpty() && !qEnvironmentVariableIsSet(kVariable))
        qputenv(kVariable, kept.toUtf8());
}

} // namespace kl::ui
