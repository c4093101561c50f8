// SPDX-License-Identifier: MIT
#include "ui/pages/kernels/baseline_box.h"

#include "kernels/baseline_choice.h"
#include "ui/widgets/text.h"

#include <QComboBox>
#include <QCoreApplication>

namespace kl::ui {

void fillBaselines(QComboBox& box, const KernelFamily& family)
{
    const auto tr = [](const char* text) { return QCoreApplication::translate("KernelsPage", text); };
    box.clear();
    const std::vector<std::string> names = baselineNames(family);
    box.addItem(tr("Default baseline"), QString());
    for (const std::string& name : names)
        box.addItem(tr("Baseline: %1").arg(q(name)), q(name));
    box.addItem(tr("All baselines"), QStringLiteral("all"));
    box.setVisible(names.size() > 1);
}

std::vector<std::string> readBaselines(const QComboBox& box)
{
    const QString name = box.currentData().toString();
    return name.isEmpty() ? std::vector<std::string>() : std::vector<std::string>{utf8(name)};
}

} // namespace kl::ui
