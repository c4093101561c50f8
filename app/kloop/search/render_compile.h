// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/search/requested_space.h"
#include "core/codec/json.h"
#include "sessions/search/space_build.h"

namespace kl::cli {

/// `kloop compile KERNEL`: the answer's first point is of the architecture asked for, and compiled; the others are of other GPUs'.
Json compileJson(const BuildManyAnswer& answer, const GpuArch& arch);
void printCompiled(const BuildManyAnswer& answer, const GpuArch& arch);

/// `kloop compile KERNEL --all`.
Json compileSpaceJson(const RequestedSpace& requested, const SpaceBuild& build, const GpuArch& arch);
void printCompiledSpace(const SpaceBuild& build);

} // namespace kl::cli
