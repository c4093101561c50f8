// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kl {

/// What a command line says about patterns, money and the roadmap; empty or nothing: not said.
struct LearningOptions {
    std::string from; ///< session whose lesson a pattern is
    std::string slug;
    std::string title;
    std::string problem;
    std::string advice;
    std::string when;
    std::string phase;
    std::string finding; ///< class
    std::string note;
    std::optional<double> minutes;
    std::optional<double> dollars;
    std::optional<double> gpu;
    std::optional<double> assistant;
    std::optional<double> other;
    std::optional<double> value;
    std::optional<int> week;
    std::vector<std::string> words;
    std::vector<std::string> sessions;
    std::vector<std::string> files;   ///< learn model: answers of profile to learn from, too
    std::vector<std::string> kernels; ///< and the user's kernels that they are of
    std::string write;                ///< learn model: file for the measured changes
    bool crossValidate = false;
    bool replace = false;
    bool reset = false;
    bool done = false;
    bool undone = false;
};

} // namespace kl
