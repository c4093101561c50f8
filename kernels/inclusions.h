// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline kernels {

/// A place where a source includes another file, or tests for one: #include, #include_next, #embed, __has_include.
struct Inclusion {
    enum class Form {
        quoted,   ///< "NAME"
        angled,   ///< <NAME>
        computed, ///< a macro or undecidable: only the compiler knows the file
    };
    Form form = Form::quoted;
    std::string name; ///< as written; empty where computed
    int line = 1;
    int column = 1; ///< of the directive's '#', or of the word; both from 1, in bytes
};

/// All of them in order, also in code excluded by conditions, which only the compiler evaluates. Tokenizes as in C++17:
/// comments, string and character literals, raw strings, spliced lines, digraphs.
std::vector<Inclusion> findInclusions(std::string_view text);

/// Whether a name escapes the folders in which it is looked up: an absolute one, or one with "..".
bool leadsOut(const std::string& name);

/// The error for a rejected #include in `file`.
Error makeRefusedInclusionError(const Inclusion& inclusion, const std::string& file);

/// Checks the inclusions of a source from a request: allowed are its embedded headers and the toolkit's. Nothing else of this
/// machine: no absolute names, none with "..", and no file of the current folder, which the compiler would search. Error
/// badInput names file, line and column. `file` names the source.
Status checkInclusions(const std::string& source, const std::map<std::string, std::string>& headers, const std::string& file);

} // namespace kl::inline kernels
