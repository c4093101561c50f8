// SPDX-License-Identifier: MIT
#include "core/model/model_words.h"
#include "sessions/learning/figure_fields.h"

namespace kl::inline learning {

const char* toString(FigureKind kind) noexcept
{
    return kind == FigureKind::quoted ? "claimed" : toWord(kind);
}

std::string formatMarked(const Figure& figure, std::string (*format)(double))
{
    return (figure.kind == FigureKind::derived ? "~" : "") + format(figure.value);
}

std::optional<double> findFirst(const std::vector<Figure>& figures, FigureKind kind)
{
    for (const Figure& figure : figures)
        if (figure.kind == kind)
            return figure.value;
    return std::nullopt;
}

std::optional<Figure> findDoubtedFigure(const std::vector<Figure>& figures)
{
    for (const Figure& figure : figures)
        if (figure.kind == FigureKind::doubtful)
            return figure;
    return std::nullopt;
}

std::optional<Figure> findShownFigure(const std::vector<Figure>& figures)
{
    for (const Figure& figure : figures)
        if (figure.kind != FigureKind::planned && figure.kind != FigureKind::doubtful)
            return figure;
    return std::nullopt;
}

} // namespace kl::inline learning
