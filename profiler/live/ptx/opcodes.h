// SPDX-License-Identifier: MIT
#pragma once

#include "core/search/compiled_launch.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline live {

/// Counts the PTX instructions of one entry by class, statically (a loop body counts once): ld.global, ld.shared, ld.local, ld.const,
/// st.*, cp.async, tma (cp.async.bulk), ldmatrix, mma (mma.sync, wmma), wgmma, tcgen05, fma.f16, fma.f32, fma.f64 (with add and mul of the
/// type), int, xu (ex2, sin, rsqrt, rcp, lg2 …), div, cvt, mov, setp, bar, mbarrier, atom, shfl, vote, branch, other. Empty when the PTX
/// has no such entry. PTX, not SASS: no disassembler can be assumed on the machine.
std::map<std::string, std::int64_t> opcodeMix(std::string_view ptx, std::string_view entry);

/// The same by source line; instructions without a line are left out.
std::vector<CodeLine> opcodesByLine(std::string_view ptx, std::string_view entry);

/// Class of one PTX opcode ("ld.global.nc.f32" is "ld.global").
std::string opcodeClass(std::string_view opcode);

} // namespace kl::inline live
