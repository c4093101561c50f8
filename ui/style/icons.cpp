// SPDX-License-Identifier: MIT
#include "ui/style/theme.h"

#include <QFile>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

#include <map>
#include <tuple>

namespace kl::ui {

namespace {

QPixmap drawIcon(QByteArray svg, const QColor& ink, int size)
{
    svg.replace("#000000", ink.name().toLatin1());
    QSvgRenderer renderer(svg);
    QPixmap pixmap(size, size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    renderer.render(&painter);
    return pixmap;
}

} // namespace

QIcon icon(const QString& name, Token token)
{
    static std::map<std::tuple<QString, QRgb, QRgb>, QIcon> drawnBefore;
    QIcon& result = drawnBefore[{name, color(token).rgba(), color(Token::muted).rgba()}];
    if (!result.isNull())
        return result;
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray svg = file.readAll();
    for (const int size : {16, 20, 24, 32, 48, 64}) {
        result.addPixmap(drawIcon(svg, color(token), size), QIcon::Normal);
        result.addPixmap(drawIcon(svg, color(Token::muted), size), QIcon::Disabled);
    }
    return result;
}

} // namespace kl::ui
