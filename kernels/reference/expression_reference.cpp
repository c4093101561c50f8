// SPDX-License-Identifier: MIT
#include "kernels/reference/expression_reference.h"

#include "core/base/try.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <muParser.h>
#include <random>

namespace kl::inline kernels {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double divideRoundingUp(double a, double b)
{
    return std::ceil(a / b);
}
double computeRemainder(double a, double b)
{
    return std::fmod(a, b);
}

/// An input as a function of the expression: x(i).
struct Input {
    std::string name;
    std::int64_t count = 0;
    const double* values = nullptr; ///< none: every element is `stand`
    double stand = 0;
    double here = 0;               ///< the element at the output's own index
    std::optional<double> outside; ///< an index that the input does not have

    double valueAt(std::int64_t place) const { return values ? values[place] : stand; }

    static double element(void* self, double index)
    {
        auto& input = *static_cast<Input*>(self);
        const double at = std::floor(index);
        if (at >= 0 && at < static_cast<double>(input.count))
            return input.valueAt(static_cast<std::int64_t>(at));
        input.outside = at;
        return kNaN;
    }
};

std::vector<Input> collectInputs(const ReferenceSpec& spec, const std::vector<std::vector<double>>& values)
{
    std::vector<Input> inputs;
    for (std::size_t i = 0; i < values.size(); ++i)
        inputs.push_back({spec.inputs[i], static_cast<std::int64_t>(values[i].size()), values[i].data(), 0, 0, {}});
    return inputs;
}

class Evaluator {
public:
    Evaluator(const ReferenceSpec& spec, std::vector<Input> inputs)
        : spec_(spec), outer_(spec.index.size()), inner_(spec.sum.size()), inputs_(std::move(inputs))
    {
        parser_.DefineFun("ceildiv", divideRoundingUp);
        parser_.DefineFun("mod", computeRemainder);
        parser_.DefineFun("floor", static_cast<double (*)(double)>(std::floor));
        parser_.DefineFun("ceil", static_cast<double (*)(double)>(std::ceil));
        for (Input& input : inputs_) {
            parser_.DefineFunUserData(input.name, Input::element, &input, false);
            parser_.DefineVar(input.name, &input.here);
        }
        for (std::size_t i = 0; i < spec.index.size(); ++i)
            parser_.DefineVar(spec.index[i].name, &outer_[i]);
        for (std::size_t i = 0; i < spec.sum.size(); ++i)
            parser_.DefineVar(spec.sum[i].name, &inner_[i]);
        for (const auto& [name, value] : spec.params)
            parser_.DefineConst(name, value);
        parser_.SetExpr(spec.expression);
    }

    Result<double> at(std::int64_t flat)
    {
        goTo(flat);
        std::fill(inner_.begin(), inner_.end(), 0);
        double total = 0;
        do
            total += parser_.Eval();
        while (nextTerm());
        return std::isfinite(total) ? Result<double>(total) : Result<double>(notFinite());
    }

    /// The input that an end of the loops reads outside of, and where; unset where none is.
    std::optional<std::pair<std::size_t, double>> outsideAtAnEnd(bool last)
    {
        double all = 1;
        for (const IndexSpec& index : spec_.index)
            all *= static_cast<double>(index.count);
        goTo(last ? static_cast<std::int64_t>(all) - 1 : 0);
        for (std::size_t i = 0; i < inner_.size(); ++i)
            inner_[i] = last ? static_cast<double>(spec_.sum[i].count - 1) : 0;
        int results = 0;
        parser_.Eval(results);
        if (results > 1)
            throw mu::Parser::exception_type("a comma outside a function call gives several results");
        for (std::size_t i = 0; i < inputs_.size(); ++i)
            if (inputs_[i].outside)
                return std::pair(i, *inputs_[i].outside);
        return {};
    }

    /// Why the current element has no value.
    Error notFinite() const
    {
        std::string place;
        for (std::size_t i = 0; i < outer_.size(); ++i)
            place += fmt::format("{}{}={:.0f}", i > 0 ? ", " : "", spec_.index[i].name, outer_[i]);
        for (const Input& input : inputs_)
            if (input.outside)
                return {.code = ErrorCode::badInput,
                        .message = fmt::format("The reference \"{}\" reads {}({:.0f}), which has {} elements, at {}.", spec_.expression,
                                               input.name, *input.outside, input.count, place),
                        .hint = "Correct the expression in the kernel's descriptor.",
                        .where = "reference.expression"};
        return {.code = ErrorCode::badInput,
                .message = fmt::format("The reference \"{}\" is not finite at {}.", spec_.expression, place),
                .hint = "Correct the expression in the kernel's descriptor.",
                .where = "reference.expression"};
    }

private:
    void goTo(std::int64_t flat)
    {
        std::int64_t rest = flat;
        for (std::size_t i = outer_.size(); i-- > 0; rest /= spec_.index[i].count)
            outer_[i] = static_cast<double>(rest % spec_.index[i].count);
        for (Input& input : inputs_)
            input.here = flat < input.count ? input.valueAt(flat) : kNaN;
    }

    /// Counts the sum's indices up, the last one fastest; false after the last term.
    bool nextTerm()
    {
        for (std::size_t i = inner_.size(); i-- > 0;) {
            if (++inner_[i] < static_cast<double>(spec_.sum[i].count))
                return true;
            inner_[i] = 0;
        }
        return false;
    }

    const ReferenceSpec& spec_;
    mu::Parser parser_;
    std::vector<double> outer_;
    std::vector<double> inner_;
    std::vector<Input> inputs_;
};

std::int64_t product(const std::vector<IndexSpec>& indices)
{
    std::int64_t all = 1;
    for (const IndexSpec& index : indices)
        all *= index.count;
    return all;
}

/// All elements, or as many as the limit allows: one at a random place in each of equal parts, the first and the last besides.
std::vector<std::int64_t> samplePlaces(std::int64_t count, std::int64_t most, std::uint64_t seed)
{
    if (count <= most)
        return {};
    most = std::max<std::int64_t>(most, 3);
    std::mt19937_64 random(seed);
    std::vector<std::int64_t> places{0};
    for (std::int64_t i = 1; i + 1 < most; ++i) {
        const std::int64_t begin = count * i / most;
        const std::int64_t size = count * (i + 1) / most - begin;
        places.push_back(begin + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(size)));
    }
    places.push_back(count - 1);
    return places;
}

Error notAnExpression(const ReferenceSpec& spec, std::string why)
{
    why.erase(why.find_last_not_of('.') + 1);
    return {.code = ErrorCode::badInput,
            .message = fmt::format("The reference \"{}\" cannot be evaluated: {}.", spec.expression, why),
            .hint = "It may use sizes, tunables, the indices, x(i) and x for each input x.",
            .where = "reference.expression"};
}

} // namespace

Result<Expected> expressionReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed)
{
    try {
        Evaluator evaluator(spec, collectInputs(spec, inputs));
        const std::int64_t count = product(spec.index);
        Expected expected;
        expected.indices = samplePlaces(count, kMaxEvaluations / product(spec.sum), seed);
        const std::int64_t checked = expected.indices.empty() ? count : static_cast<std::int64_t>(expected.indices.size());
        for (std::int64_t i = 0; i < checked; ++i) {
            KL_ASSIGN(const double value, evaluator.at(expected.indices.empty() ? i : expected.indices[static_cast<std::size_t>(i)]));
            expected.values.push_back(value);
        }
        return expected;
    } catch (const mu::Parser::exception_type& problem) {
        return notAnExpression(spec, problem.GetMsg());
    }
}

Status checkExpression(const ReferenceSpec& spec, const std::vector<std::int64_t>& counts)
{
    try {
        for (const bool last : {false, true}) {
            std::optional<std::pair<std::size_t, double>> first;
            for (const double stand : {0.0, 1.0}) { // an index that moves with the elements is the inputs' matter
                std::vector<Input> inputs;
                for (std::size_t i = 0; i < counts.size(); ++i)
                    inputs.push_back({spec.inputs[i], counts[i], nullptr, stand, 0, {}});
                Evaluator evaluator(spec, std::move(inputs));
                const auto outside = evaluator.outsideAtAnEnd(last);
                if (!outside)
                    break;
                if (first == outside)
                    return evaluator.notFinite();
                first = outside;
            }
        }
        return {};
    } catch (const mu::Parser::exception_type& problem) {
        return notAnExpression(spec, problem.GetMsg());
    }
}

} // namespace kl::inline kernels
