// SPDX-License-Identifier: MIT
#include "ui/pages/kernels/kernel_list.h"

#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QLineEdit>
#include <QTreeWidget>

namespace kl::ui {
namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("KernelsPage", text);
}

class VariantItem final : public QTreeWidgetItem {
public:
    using QTreeWidgetItem::QTreeWidgetItem;
    QVariant data(int column, int role) const override
    {
        if (role == Qt::ForegroundRole && QTreeWidgetItem::data(column, kBestRole).toBool())
            return QBrush(color(Token::better));
        return QTreeWidgetItem::data(column, role);
    }
};

QTreeWidgetItem* addTopItem(QTreeWidget& list, const QString& text, const QString& toolTip)
{
    auto* top = new QTreeWidgetItem(&list, {text});
    QFont font = makeFont(TextRole::body);
    font.setWeight(QFont::DemiBold);
    top->setFont(0, font);
    top->setToolTip(0, toolTip);
    top->setFirstColumnSpanned(true);
    return top;
}

/// A family with its variants; the user's own families by id.
void addFamily(QTreeWidget& list, const KernelFamily& family)
{
    const QString name = family.origin.empty() ? q(family.title.empty() ? family.id : family.title) : tr("%1 (yours)").arg(q(family.id));
    QTreeWidgetItem* top = addTopItem(list, name, q(family.origin.empty() ? family.title : family.origin.descriptor));
    for (const Variant& variant : family.variants) {
        auto* item = new VariantItem(top, {q(variant.id)});
        item->setData(0, Qt::UserRole, q(family.id + "/" + variant.id));
        item->setToolTip(0, variant.expected ? tr("%1, expected bottleneck: %2").arg(q(variant.title), q(*variant.expected))
                                             : q(variant.title));
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    }
}

bool matches(const QTreeWidgetItem& item, const QString& text)
{
    for (int column = 0; column < item.columnCount(); ++column)
        if (item.text(column).contains(text, Qt::CaseInsensitive))
            return true;
    return item.toolTip(0).contains(text, Qt::CaseInsensitive) || item.data(0, Qt::UserRole).toString().contains(text, Qt::CaseInsensitive);
}

} // namespace

void fillKernels(QTreeWidget& list, const Catalog& catalog, const std::vector<BrokenKernel>& broken)
{
    list.clear();
    for (const BrokenKernel& kernel : broken) {
        const QString path = q(kernel.path);
        addTopItem(list, tr("%1 cannot be read").arg(QFileInfo(path).dir().dirName()), path)->setData(0, kBrokenRole, path);
    }
    for (const bool own : {true, false})
        for (const KernelFamily& family : catalog.families())
            if (family.origin.empty() != own)
                addFamily(list, family);
    list.expandAll(); // at once: each measures all rows
}

void filterKernels(QTreeWidget& list, const QString& text)
{
    for (int i = 0; i < list.topLevelItemCount(); ++i) {
        QTreeWidgetItem* top = list.topLevelItem(i);
        const bool whole = text.isEmpty() || matches(*top, text);
        bool some = whole;
        for (int k = 0; k < top->childCount(); ++k) {
            const bool shown = whole || matches(*top->child(k), text);
            top->child(k)->setHidden(!shown);
            some = some || shown;
        }
        top->setHidden(!some);
    }
}

QLineEdit* makeKernelFilter(QTreeWidget& list, QWidget* parent)
{
    auto* filter = new QLineEdit(parent);
    filter->setObjectName(QStringLiteral("kernelFilter"));
    filter->setPlaceholderText(tr("Filter by kernel or bottleneck"));
    filter->setAccessibleName(filter->placeholderText());
    filter->setClearButtonEnabled(true);
    QObject::connect(filter, &QLineEdit::textChanged, &list, [&list](const QString& text) { filterKernels(list, text.trimmed()); });
    return filter;
}

} // namespace kl::ui
