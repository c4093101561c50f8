// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace kl::ui {

/// Between a figure's whole part and its decimals, as the window shows it: a point until useDecimalMark() says otherwise. Figures get it
/// where text of the layers below becomes text of the window (q() in text.h): those layers write a point always.
QChar decimalMark();
/// For the whole window, on every thread.
void useDecimalMark(QChar mark);
/// A comma where the user's locale (QLocale()) has one, a point in any other.
QChar localeDecimalMark();

/// A text whose figures have the window's mark. A figure is known by the unit behind it ("1.27×", "8.13 µs", "77.8 %"), the sign
/// before it ("$0.37", "×2.3"), its exponent or a word before it ("at least 1.20"); versions (13.0, 580.159.04), addresses and tunables
/// (ALPHA=1.5) are none. Beside a decimal comma, narrow no-break spaces separate thousands: "1,270" is "1 270".
QString withMark(QString text);
/// A lone figure without a unit, which only its maker knows to be one: "0.84".
QString figureWithMark(QString figure);
/// The inverse of withMark(), for what other programs read.
QString withPoints(QString text);

/// While it lives, this thread's texts have points: copied tables, files.
class PointsOnly {
public:
    PointsOnly();
    ~PointsOnly();
    PointsOnly(const PointsOnly&) = delete;
    PointsOnly& operator=(const PointsOnly&) = delete;
};

} // namespace kl::ui
