// SPDX-License-Identifier: MIT
#include "ui/style/theme.h"

#include <QFile>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

namespace kl::ui {

namespace {

QPixmap drawn(QByteArray svg, const QColor& ink, int size)
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
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray svg = file.readAll();
    QIcon result;
    for (const int size : {16, 20, 24, 32, 48, 64}) {
        result.addPixmap(drawn(svg, color(token), size), QIcon::Normal);
        result.addPixmap(drawn(svg, color(Token::muted), size), QIcon::Disabled);
    }
    return result;
}

} // namespace kl::ui
