// SPDX-License-Identifier: MIT
#include "ui/style/tokens.h"

#include <array>
#include <cmath>

namespace kl::ui {

namespace {

struct Row {
    QRgb light;
    QRgb dark;
};

// One row per token, in the enum's order.
constexpr std::array<Row, kTokenCount> kTable{{
    {0xF5F7FA, 0x12161C}, {0xFFFFFF, 0x1A2028}, {0xEEF2F7, 0x232B36}, {0xD5DCE6, 0x36414F}, {0x17202B, 0xE7ECF2},
    {0x556273, 0x9FADBD}, {0x0B5CAD, 0x5AA9F0}, {0x00669E, 0x56B4E9}, {0xB84300, 0xFF8F52}, {0x5F6B7A, 0x9AA7B5},
    {0x7B3F98, 0xCF9BE6}, {0x7A5B00, 0xE0B93B}, {0x0072B2, 0x56B4E9}, {0xD55E00, 0xFF8F52}, {0x009E73, 0x2FD1A1},
    {0xAA4499, 0xE38BC9}, {0x332288, 0xA99CF0}, {0x117733, 0x9BD770}, {0x882255, 0xF2A3B3}, {0x666666, 0xB8C2CC},
}};

double channel(double value)
{
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& c)
{
    return 0.2126 * channel(c.redF()) + 0.7152 * channel(c.greenF()) + 0.0722 * channel(c.blueF());
}

} // namespace

QColor tokenColor(Scheme scheme, Token token)
{
    const Row& row = kTable[static_cast<std::size_t>(token)];
    return QColor::fromRgb(scheme == Scheme::light ? row.light : row.dark);
}

Token seriesToken(int index)
{
    const int wrapped = ((index % kSeriesCount) + kSeriesCount) % kSeriesCount;
    return static_cast<Token>(static_cast<int>(Token::series1) + wrapped);
}

double contrastRatio(const QColor& a, const QColor& b)
{
    const double la = luminance(a);
    const double lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

} // namespace kl::ui
