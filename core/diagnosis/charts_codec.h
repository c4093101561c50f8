// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "core/diagnosis/memory_chart.h"
#include "core/diagnosis/occupancy_what_if.h"
#include "core/diagnosis/roofline.h"

/// JSON of what `kloop show` draws: written, never read back, since all of it follows from the run.
namespace kl::inline diagnosis {

/// {clock_mhz, clock_from, compute, roofs: [{id, label, value, unit, slanted, measured}], points: [{kind, level, intensity,
/// flops_per_second, bytes: measured|formula}], reached: {roof id: rate}, flops, executed_flops, traffic_amplification, flop_amplification,
/// missing[]}
Json toJson(const Roofline& roofline);
/// {launch, ns, units: [{id, title, figures[]}], flows: [{from, to, what, figures[]}]}; a figure is {name, value|null, unit, how,
/// missing|null}.
Json toJson(const MemoryChart& chart);
/// {launch, block_threads, registers, smem, now: {blocks, percent, limiter}, terms, achieved|null, half_occupancy_ratio|null,
/// levers: [{change, from, to, gives}]}
Json toJson(const OccupancyWhatIf& whatIf);
/// Stall reasons of a run, largest first: [{id, title, percent, help}]; empty when they were not collected.
Json stallsToJson(const RunRecord& run);

} // namespace kl::inline diagnosis
