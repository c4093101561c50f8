// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "kernels/model/expression.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace kl::inline kernels {

/// Formulas that are evaluated many times while values change: each is parsed once. Not thread-safe.
class FormulaSet {
public:
    /// Every name that formulas may use, with its first value.
    explicit FormulaSet(const Scope& scope);
    FormulaSet(FormulaSet&&) noexcept;
    ~FormulaSet();

    /// Its index. Error badInput: as evaluate() in expression.h.
    Result<std::size_t> add(const std::string& formula);

    /// Precondition: the name was in the constructor's scope.
    void set(const std::string& name, double value);

    /// May be not finite, e.g. after division by zero: the caller checks. Error badInput as evaluate().
    Result<double> evaluate(std::size_t index) const;

    std::string text(std::size_t index) const;

    /// The names that one formula uses, sorted.
    const std::vector<std::string>& names(std::size_t index) const;

    /// "BLOCK_M=32, WARPS=8": the names that one formula uses and their current values.
    std::string namesIn(std::size_t index) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace kl::inline kernels
