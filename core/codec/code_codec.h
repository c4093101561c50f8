// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/codec/json.h"
#include "core/model/source_profile.h"

#include <string>

namespace kl {

/// The machine code of a run as JSON: language, compute_capability, functions, files, stalls, image (hexadecimal) and not_disassembled;
/// `rows` has one line per instruction, with tabs between function, offset, file, line, live registers, samples, stalls (comma-separated),
/// executed, threads, sectors, ideal sectors, wavefronts, ideal wavefronts and text. What is unset is empty: 100,000 objects would take
/// ten times as long to read. Null without code.
Json codeToJson(const SharedCode& code);

/// Error badInput, with the row, for what is not such JSON. Null gives no code.
Result<SharedCode> codeFromJson(const Json& json);

} // namespace kl
