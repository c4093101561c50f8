// SPDX-License-Identifier: MIT
#include "tests/core/support/profile_parts.h"

namespace kl::test {
namespace {

constexpr double kMatrix = 8192.0 * 8192 * 4; // bytes of one side of the large transpose
constexpr double kRequests = 8192.0 * 8192 / 32;
constexpr double kSums = 67108864.0 / 512;

} // namespace

RunRecord recordedStrided()
{
    RunRecord run = profile("user/strided", 265.5, 134217728, 0,
                            {{M::sm, 7.43},
                             {M::mem, 73.9},
                             {M::dram, 73.2},
                             {M::l2, 93.5},
                             {M::l1, 16.6},
                             {M::occupancy, 98},
                             {M::issue, 0.08},
                             {M::fma, 2.7},
                             {M::xu, 4.9},
                             {M::alu, 6.2},
                             {M::lsu, 1.7},
                             {M::threadsOn, 29.5},
                             {M::sectorsLd, 32},
                             {M::sectorsSt, 4},
                             {M::usefulLd, 12.5},
                             {M::usefulSt, 100},
                             {M::global, 1048576},
                             {M::globalLd, 524288},
                             {M::globalSt, 524288},
                             {M::cycles, 524459},
                             {M::latency, 198.6},
                             {M::longScoreboard, 189.9},
                             {M::readBytes, 867.3e6},
                             {M::writeBytes, 67.4e6}});
    run.launches.front().waves = 1;
    return run;
}

RunRecord recordedFma()
{
    RunRecord run =
        profile("user/fma_k", 297.9, 2162688, 8.86e12 * 2.979e-4 * 2,
                {{M::sm, 94.7},    {M::mem, 0.17},        {M::dram, 0.0004},          {M::l2, 0.95},           {M::l1, 0.09},
                 {M::tensor, 2.8}, {M::occupancy, 79.1},  {M::issue, 0.956},          {M::issueElapsed, 94.7}, {M::fma, 89.8},
                 {M::alu, 5.8},    {M::threadsOn, 31.99}, {M::sectorsSt, 4},          {M::usefulSt, 100},      {M::global, 16896},
                 {M::globalLd, 0}, {M::globalSt, 16896},  {M::cycles, 589252},        {M::latency, 13.25},     {M::longScoreboard, 0},
                 {M::wait, 2.99},  {M::notSelected, 8.9}, {M::ffma, 15033.8 * 589252}});
    run.launches.front().waves = 2;
    return run;
}

RunRecord copyStrided()
{
    return profile("copy/strided", 700, 2 * kInput, 0,
                   {{M::sm, 6},
                    {M::mem, 85},
                    {M::dram, 42},
                    {M::l2, 85},
                    {M::l1, 40},
                    {M::sectorsLd, 32},
                    {M::sectorsSt, 32},
                    {M::usefulLd, 12.5},
                    {M::usefulSt, 12.5},
                    {M::globalLd, 2e6},
                    {M::globalSt, 2e6},
                    {M::global, 4e6},
                    {M::latency, 150},
                    {M::longScoreboard, 90},
                    {M::lg, 40}});
}

RunRecord copyVector()
{
    return profile("copy/vector", 2 * kInput / 4.3e12 * 1e6, 2 * kInput, 0,
                   {{M::sm, 8},
                    {M::mem, 90},
                    {M::dram, 90},
                    {M::l2, 50},
                    {M::l1, 25},
                    {M::sectorsLd, 16},
                    {M::sectorsSt, 16},
                    {M::usefulLd, 100},
                    {M::usefulSt, 100},
                    {M::globalLd, 5e5},
                    {M::globalSt, 5e5},
                    {M::global, 1e6},
                    {M::readBytes, kInput},
                    {M::writeBytes, kInput}});
}

RunRecord transposeNaive()
{
    return profile("transpose/naive", 420, 2 * kMatrix, 0,
                   {{M::sm, 12},
                    {M::mem, 70},
                    {M::dram, 30},
                    {M::l2, 70},
                    {M::l1, 45},
                    {M::sectorsLd, 4},
                    {M::sectorsSt, 32},
                    {M::usefulLd, 100},
                    {M::usefulSt, 12.5},
                    {M::global, 2 * kRequests},
                    {M::globalLd, kRequests},
                    {M::globalSt, kRequests},
                    {M::lg, 12},
                    {M::latency, 60},
                    {M::longScoreboard, 30}});
}

RunRecord transposeTiled()
{
    const double cycles = 300 * 1980;
    return withGrid(profile("transpose/tiled", 300, 2 * kMatrix, 0,
                            with(coalesced(kRequests), {{M::sm, 20},
                                                        {M::mem, 90},
                                                        {M::dram, 40},
                                                        {M::l2, 45},
                                                        {M::l1, 90},
                                                        {M::shared, 2 * kRequests},
                                                        {M::wavesLd, 32 * kRequests},
                                                        {M::conflictsLd, 31 * kRequests},
                                                        {M::wavesSt, kRequests},
                                                        {M::cycles, cycles},
                                                        {M::mio, 8},
                                                        {M::shortScoreboard, 6},
                                                        {M::latency, 40},
                                                        {M::barrier, 6}})),
                    94, 4096);
}

RunRecord transposePadded()
{
    return withGrid(profile("transpose/padded", 150, 2 * kMatrix, 0,
                            with(coalesced(kRequests), {{M::sm, 35},
                                                        {M::mem, 78},
                                                        {M::dram, 78},
                                                        {M::l2, 60},
                                                        {M::l1, 45},
                                                        {M::shared, 2 * kRequests},
                                                        {M::wavesLd, kRequests * 1.02},
                                                        {M::conflictsLd, 0.02 * kRequests},
                                                        {M::wavesSt, kRequests},
                                                        {M::readBytes, kMatrix},
                                                        {M::writeBytes, kMatrix}})),
                    94, 4224);
}

RunRecord reductionDivergent()
{
    return withGrid(profile("reduction/divergent", 330, kInput, kInput / 4,
                            {{M::sm, 62},
                             {M::mem, 45},
                             {M::dram, 17},
                             {M::l2, 15},
                             {M::l1, 45},
                             {M::issue, 0.62},
                             {M::issueElapsed, 60},
                             {M::alu, 45},
                             {M::threads, 17},
                             {M::threadsOn, 15},
                             {M::sectorsLd, 4},
                             {M::usefulLd, 100},
                             {M::sectorsSt, 1},
                             {M::usefulSt, 12.5},
                             {M::global, kInput / 128 + kSums},
                             {M::globalLd, kInput / 128},
                             {M::globalSt, kSums},
                             {M::shared, 3e7},
                             {M::wavesLd, 2e7},
                             {M::wavesSt, 1e7},
                             {M::conflictsLd, 1e6},
                             {M::barrier, 5}}),
                    248, 2048);
}

RunRecord reductionConflicting()
{
    return withGrid(profile("reduction/conflicting", 220, kInput, kInput / 4,
                            {{M::sm, 45},
                             {M::mem, 60},
                             {M::dram, 26},
                             {M::l2, 20},
                             {M::l1, 60},
                             {M::threads, 29},
                             {M::sectorsLd, 4},
                             {M::usefulLd, 100},
                             {M::sectorsSt, 1},
                             {M::usefulSt, 12.5},
                             {M::globalLd, kInput / 128},
                             {M::globalSt, kSums},
                             {M::global, kInput / 128 + kSums},
                             {M::wavesLd, 3e7},
                             {M::conflictsLd, 1.6e7},
                             {M::wavesSt, 2e7},
                             {M::conflictsSt, 8e6},
                             {M::shared, 2e7},
                             {M::barrier, 7},
                             {M::shortScoreboard, 5},
                             {M::mio, 3}}),
                    248, 2048);
}

RunRecord reductionSequential()
{
    return withGrid(profile("reduction/sequential", 160, kInput, kInput / 4,
                            {{M::sm, 45},
                             {M::mem, 40},
                             {M::dram, 36},
                             {M::l2, 25},
                             {M::l1, 35},
                             {M::threads, 30},
                             {M::sectorsLd, 4},
                             {M::usefulLd, 100},
                             {M::sectorsSt, 1},
                             {M::usefulSt, 12.5},
                             {M::globalLd, kInput / 128},
                             {M::globalSt, kSums},
                             {M::global, kInput / 128 + kSums},
                             {M::wavesLd, 1e7},
                             {M::wavesSt, 1e7},
                             {M::shared, 2e7},
                             {M::barrier, 9},
                             {M::longScoreboard, 4}}),
                    248, 2048);
}

RunRecord reductionGridStride()
{
    return withGrid(profile("reduction/grid-stride", 68, kInput, kInput / 4,
                            {{M::sm, 15},
                             {M::mem, 84},
                             {M::dram, 84},
                             {M::l2, 40},
                             {M::l1, 20},
                             {M::sectorsLd, 16},
                             {M::usefulLd, 100},
                             {M::sectorsSt, 1},
                             {M::usefulSt, 12.5},
                             {M::globalLd, kInput / 512},
                             {M::globalSt, 1056},
                             {M::global, kInput / 512 + 1056},
                             {M::readBytes, kInput},
                             {M::writeBytes, 4224}}),
                    0.5);
}

} // namespace kl::test
