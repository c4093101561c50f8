// SPDX-License-Identifier: MIT
#pragma once

#include <QColor>

namespace kl::ui {

/// Every color that the window uses, named by its meaning; the table has the values for both schemes.
enum class Token {
    bg,
    surface,
    raised,
    border,
    text,
    muted,
    accent,
    better,
    worse,
    neutral,
    waived,
    stale,
    series1,
    series2,
    series3,
    series4,
    series5,
    series6,
    series7,
    series8,
};

inline constexpr int kTokenCount = 20;
inline constexpr int kSeriesCount = 8;

enum class Scheme { light, dark };

/// The color of a token, opaque.
QColor tokenColor(Scheme scheme, Token token);

/// The series color of an index; indices beyond eight wrap around.
Token seriesToken(int index);

/// Contrast ratio of two opaque colors, 1 to 21 (WCAG 2.2, relative luminance).
double contrastRatio(const QColor& a, const QColor& b);

// Distances, pixels: steps of 4.
inline constexpr int kGapTight = 4;
inline constexpr int kGapInside = 8;
inline constexpr int kGapBetween = 16;
inline constexpr int kGapPage = 24;
inline constexpr int kCorner = 6;

} // namespace kl::ui
