// SPDX-License-Identifier: MIT
#include "kernels/space/formula_set.h"

#include "kernels/model/formula_parser.h"

#include <fmt/format.h>
#include <map>
#include <vector>

namespace kl::inline kernels {

struct FormulaSet::State {
    std::map<std::string, double> values; // parsers keep the addresses of these
    std::vector<std::unique_ptr<mu::Parser>> parsers;
    std::vector<std::string> texts;
    std::vector<std::vector<std::string>> names; // that each uses
};

FormulaSet::FormulaSet(const Scope& scope) : state_(std::make_unique<State>())
{
    state_->values = scope;
}

FormulaSet::FormulaSet(FormulaSet&&) noexcept = default;
FormulaSet::~FormulaSet() = default;

Result<std::size_t> FormulaSet::add(const std::string& formula)
{
    try {
        auto parser = std::make_unique<mu::Parser>(formulaParser());
        for (auto& [name, value] : state_->values)
            parser->DefineVar(name, &value);
        parser->SetExpr(formula);
        parser->Eval();
        std::vector<std::string> names;
        for (const auto& [name, address] : parser->GetUsedVar())
            names.push_back(name);
        state_->texts.push_back(formula);
        state_->names.push_back(std::move(names));
        state_->parsers.push_back(std::move(parser));
        return state_->parsers.size() - 1;
    } catch (const mu::Parser::exception_type& problem) {
        return badFormula(formula, problem.GetMsg());
    }
}

void FormulaSet::set(const std::string& name, double value)
{
    state_->values.at(name) = value;
}

Result<double> FormulaSet::evaluate(std::size_t index) const
{
    try {
        return state_->parsers[index]->Eval();
    } catch (const mu::Parser::exception_type& problem) {
        return badFormula(state_->texts[index], problem.GetMsg());
    }
}

std::string FormulaSet::text(std::size_t index) const
{
    return state_->texts[index];
}

const std::vector<std::string>& FormulaSet::names(std::size_t index) const
{
    return state_->names[index];
}

std::string FormulaSet::namesIn(std::size_t index) const
{
    std::string text;
    for (const std::string& name : state_->names[index])
        text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, state_->values.at(name));
    return text;
}

} // namespace kl::inline kernels
