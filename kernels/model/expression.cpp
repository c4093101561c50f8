// SPDX-License-Identifier: MIT
#include "kernels/model/expression.h"

#include "core/base/try.h"
#include "kernels/model/formula_parser.h"

#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace kl::inline kernels {
namespace {

double ceilDiv(double a, double b)
{
    return std::ceil(a / b);
}

double modulo(double a, double b)
{
    return std::fmod(a, b);
}

/// Of a whole number or a name, as most formulas are: the parser takes far longer. Unset for all others.
std::optional<double> plainValue(const std::string& formula, const Scope& scope)
{
    constexpr std::size_t kExact = 15; // digits of a double
    if (const auto known = scope.find(formula); known != scope.end() && std::isfinite(known->second))
        return known->second;
    if (formula.empty() || formula.size() > kExact || formula.find_first_not_of("0123456789") != std::string::npos)
        return std::nullopt;
    return std::stod(formula);
}

} // namespace

Error badFormula(const std::string& formula, const std::string& why)
{
    constexpr std::size_t most = 200;
    const std::string shown = formula.size() <= most ? formula : formula.substr(0, most) + "…";
    const std::string reason = why.size() <= 2 * most ? why : why.substr(0, 2 * most) + "…";
    return {.code = ErrorCode::badInput,
            .message =
                fmt::format("The formula \"{}\" cannot be evaluated: {}.", shown, reason.substr(0, reason.find_last_not_of('.') + 1)),
            .hint = "Check the names and the syntax against the descriptor's sizes, tunables and constants.",
            .where = shown};
}

mu::Parser formulaParser()
{
    mu::Parser parser;
    parser.DefineFun("ceildiv", ceilDiv);
    parser.DefineFun("mod", modulo);
    parser.DefineFun("floor", static_cast<double (*)(double)>(std::floor));
    parser.DefineFun("ceil", static_cast<double (*)(double)>(std::ceil));
    return parser;
}

Result<double> evaluate(const std::string& formula, const Scope& scope)
{
    if (const std::optional<double> plain = plainValue(formula, scope))
        return *plain;
    try {
        thread_local mu::Parser parser = formulaParser(); // which takes longer to make than a formula to evaluate
        parser.ClearConst();                              // those of the scope before, and its own
        parser.InitConst();
        for (const auto& [name, value] : scope)
            parser.DefineConst(name, value);
        parser.SetExpr(formula);
        const double value = parser.Eval();
        if (parser.GetNumResults() > 1)
            return badFormula(formula, "a comma outside a function call gives several results");
        if (!std::isfinite(value))
            return badFormula(formula, "the result is not a finite number");
        return value;
    } catch (const mu::Parser::exception_type& problem) {
        return badFormula(formula, problem.GetMsg());
    }
}

Result<std::int64_t> evaluateCount(const std::string& formula, const Scope& scope, std::int64_t least, std::int64_t most)
{
    KL_ASSIGN(const double value, evaluate(formula, scope));
    const double rounded = std::round(value);
    if (std::abs(value - rounded) > 1e-6 || rounded < static_cast<double>(least))
        return badFormula(formula, fmt::format("{} is not a whole number of at least {}", value, least));
    if (rounded > static_cast<double>(most))
        return badFormula(formula, fmt::format("{} is above {}", value, most));
    return static_cast<std::int64_t>(rounded);
}

Result<std::string> substitute(const std::string& text, const Scope& scope)
{
    std::string out;
    std::size_t at = 0;
    for (std::size_t open = text.find('{'); open != std::string::npos; open = text.find('{', at)) {
        const std::size_t close = text.find('}', open);
        if (close == std::string::npos)
            return badFormula(text, "a { has no matching }");
        KL_ASSIGN(const double value, evaluate(text.substr(open + 1, close - open - 1), scope));
        out += text.substr(at, open - at);
        out += value == std::round(value) ? fmt::format("{:.0f}", value) : fmt::format("{}", value);
        at = close + 1;
    }
    return out + text.substr(at);
}

Status evaluateAll(const std::map<std::string, std::string>& formulas, const Scope& scope, std::map<std::string, double>& out)
{
    for (const auto& [name, formula] : formulas) {
        KL_ASSIGN(const double value, evaluate(formula, scope));
        out[name] = value;
    }
    return {};
}

} // namespace kl::inline kernels
