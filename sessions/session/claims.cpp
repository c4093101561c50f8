// SPDX-License-Identifier: MIT
#include "sessions/session/claims.h"

#include "core/base/format.h"
#include "core/base/trimmed.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

namespace kl::inline session {
namespace {

enum class Quantity { speedup, time, bandwidth, flops };

struct Figure {
    Quantity quantity;
    double value; ///< ratio, ns, byte/s, FLOP/s
};

struct Unit {
    const char* word;
    Quantity quantity;
    double scale;
};

constexpr Unit kUnits[] = {{"x", Quantity::speedup, 1},         {"×", Quantity::speedup, 1},       {"%", Quantity::speedup, 0.01},
                           {"ns", Quantity::time, 1},           {"us", Quantity::time, 1e3},       {"µs", Quantity::time, 1e3},
                           {"ms", Quantity::time, 1e6},         {"s", Quantity::time, 1e9},        {"GB/s", Quantity::bandwidth, 1e9},
                           {"TB/s", Quantity::bandwidth, 1e12}, {"GFLOP/s", Quantity::flops, 1e9}, {"TFLOP/s", Quantity::flops, 1e12},
                           {"GFLOPS", Quantity::flops, 1e9},    {"TFLOPS", Quantity::flops, 1e12}};

/// A number, then one of the units; words may follow ("90 % of a copy").
std::optional<Figure> parseFigure(const std::string& text)
{
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (end == text.c_str() || !(value > 0))
        return {};
    std::string unit(end);
    unit.erase(0, unit.find_first_not_of(' ') == std::string::npos ? unit.size() : unit.find_first_not_of(' '));
    unit = unit.substr(0, unit.find(' '));
    for (const Unit& row : kUnits)
        if (unit == row.word)
            return Figure{row.quantity, value * row.scale};
    return {};
}

std::optional<double> findMeasured(const Claim& claim, Quantity quantity, const RunRecord& run)
{
    const bool baseline = claim.about == "baseline";
    const std::optional<double> ns = baseline
                                         ? (run.baseline && run.baseline->gpu ? std::optional(run.baseline->gpu->median) : std::nullopt)
                                         : (run.timing ? std::optional(run.timing->gpu.median) : std::nullopt);
    if (!baseline && !isUsable(run)) // its figures, if any, are ignored
        return {};
    switch (quantity) {
    case Quantity::speedup: return baseline ? std::nullopt : run.speedup;
    case Quantity::time: return ns;
    case Quantity::bandwidth: return ns && *ns > 0 && run.idealBytes > 0 ? std::optional(run.idealBytes / *ns * 1e9) : std::nullopt;
    case Quantity::flops: return ns && *ns > 0 && run.flops > 0 ? std::optional(run.flops / *ns * 1e9) : std::nullopt;
    }
    return {};
}

std::string figureText(Quantity quantity, double value)
{
    switch (quantity) {
    case Quantity::speedup: return formatRatio(value);
    case Quantity::time: return formatTime(value);
    case Quantity::bandwidth: return formatBandwidth(value);
    case Quantity::flops: break;
    }
    return formatFlops(value);
}

} // namespace

Result<Claim> parseClaim(const std::string& text)
{
    Claim claim;
    std::string* last = nullptr; // a comma inside a value is part of it
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t comma = std::min(text.find(',', from), text.size());
        const std::string part = text.substr(from, comma - from);
        from = comma + 1;
        const auto equals = part.find('=');
        const std::string_view key = trimText(std::string_view(part).substr(0, equals == std::string::npos ? 0 : equals));
        std::string* field = key == "source" ? &claim.source : key == "figure" ? &claim.figure : key == "about" ? &claim.about : nullptr;
        if (field != nullptr)
            *field = trimText(std::string_view(part).substr(equals + 1));
        else if (last != nullptr)
            *last += ',' + part;
        if (field != nullptr)
            last = field;
    }
    const bool known = claim.about == "kernel" || claim.about == "baseline";
    if (claim.source.empty() || claim.figure.empty() || !known)
        return Error{
            .code = ErrorCode::usage,
            .message = fmt::format("\"{}\" is not a claim: {}.", text,
                                   claim.source.empty()   ? "source= is missing"
                                   : claim.figure.empty() ? "figure= is missing"
                                                          : "about= is kernel or baseline"),
            .hint = "Write it as \"source=README of flash-x,figure=1.5x\" (or 12 us, 900 GB/s, 40 TFLOP/s), about=baseline if it is about "
                    "the baseline.",
            .where = "--claim"};
    return claim;
}

ClaimView makeClaimView(const Claim& claim, const std::optional<RunRecord>& run)
{
    ClaimView view{claim, {}, {}, "not measured yet", {}};
    const std::optional<Figure> figure = parseFigure(claim.figure);
    if (!figure) {
        view.verdict = "no figure to compare; give one, e.g. 1.5x, 12 us, 900 GB/s or 40 TFLOP/s";
        return view;
    }
    if (!run || run->status != ResultStatus::ok)
        return view;
    view.evidence = "run:" + run->id.text;
    const std::optional<double> measured = findMeasured(claim, figure->quantity, *run);
    if (!measured || *measured <= 0) {
        view.verdict = claim.about == "baseline" && figure->quantity == Quantity::speedup ? "the baseline has no speedup over itself"
                                                                                          : "this quantity was not measured";
        return view;
    }
    view.measured = figureText(figure->quantity, *measured);
    view.reached = figure->quantity == Quantity::time ? figure->value / *measured : *measured / figure->value;
    view.verdict = *view.reached >= 1 ? "reached" : "missed";
    return view;
}

} // namespace kl::inline session
