// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kl::inline learning {

/// Where a figure comes from. Figures of different kinds are never added up.
enum class FigureKind {
    measured, ///< from this database
    entered,  ///< typed in by the user: a bill, a value
    quoted,   ///< stated in the October 2025 documents
    derived,  ///< computed from other quoted figures
    planned,  ///< a goal
    doubtful, ///< quoted, but contradicted by its own source: shown as such, and never counted
};

/// In texts: "measured", "entered", "claimed" (quoted), "derived", "planned", "doubtful". Its code is toWord's (model_words.h).
const char* toString(FigureKind kind) noexcept;

/// One figure with its origin.
struct Figure {
    double value = 0;
    FigureKind kind = FigureKind::measured;
    std::string source; ///< note, formula or condition; empty when there is nothing to add

    bool operator==(const Figure&) const = default;
};

/// "~" before a derived one.
std::string formatMarked(const Figure& figure, std::string (*format)(double));
/// The first figure of a kind, or null.
std::optional<double> findFirst(const std::vector<Figure>& figures, FigureKind kind);
/// The first doubtful figure, or null.
std::optional<Figure> findDoubtedFigure(const std::vector<Figure>& figures);
/// The first figure that is neither planned nor doubtful, or null.
std::optional<Figure> findShownFigure(const std::vector<Figure>& figures);

} // namespace kl::inline learning
