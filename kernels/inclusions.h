// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kl {

/// A place where a source takes in another file, or asks whether there is one: #include, #include_next, #embed, __has_include.
struct Inclusion {
    enum class Form {
        quoted,   ///< "NAME"
        angled,   ///< <NAME>
        computed, ///< a macro, or what cannot be told: which file is known to the compiler alone
    };
    Form form = Form::quoted;
    std::string name; ///< as written; empty where computed
    int line = 1;
    int column = 1; ///< of the directive's '#', or of the word; both from 1, in bytes
};

/// All of them in order, in code that conditions leave out, too: what a condition decides is the compiler's business. Reads as the compiler
/// does since C++17: comments, string and character literals, raw strings, spliced lines, digraphs.
std::vector<Inclusion> inclusionsOf(std::string_view text);

/// Whether a name leads out of the folders that it is looked up in: an absolute one, or one with "..".
bool leadsOut(const std::string& name);

/// The refusal of an inclusion; `file` is where it stands.
Error refusedInclusion(const Inclusion& inclusion, const std::string& file);

/// What a source that comes as text may include: its headers, by the names that they came with, and the toolkit's. Nothing else of this
/// machine: neither absolute names nor those with "..", nor a file of the current folder, where the compiler would look, too. Error
/// badInput names file, line and column. `file` names the source.
Status checkInclusions(const std::string& source, const std::map<std::string, std::string>& headers, const std::string& file);

} // namespace kl
