// SPDX-License-Identifier: MIT
// attention_points check|time POINTS [D=64] [BF16=0] [SECONDS=140]
//   check: every point of the file POINTS on the correctness suite; exit 1 where one is wrong
//   time:  every point that can run, at S = 4096 and 16k tokens, fastest first: "nanoseconds registers local-bytes address"
// Run from the repository's root. POINTS holds an address a line: kloop space attention --arch sm_90 --json --list survivors.

#include "oracle.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

namespace {

using namespace bench;

std::vector<Problem> suite(int d, bool bf16)
{
    std::vector<Problem> problems;
    for (const int s : {1, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1000, 4096})
        for (const bool causal : {false, true})
            problems.push_back({1, 2, s, s, d, causal, bf16, false});
    for (const auto& [s, keys] : {std::pair{100, 333}, {333, 100}, {1, 5000}, {130, 1}})
        for (const bool causal : {false, true})
            problems.push_back({1, 3, s, keys, d, causal, bf16, false});
    for (const int s : {65, 1000})
        for (const bool causal : {false, true})
            problems.push_back({2, 2, s, s, d, causal, bf16, true});
    return problems;
}

double seconds()
{
    static const auto begin = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// All points on all problems; the number that are wrong, could not be built, or were not reached in time.
int checkAll(const std::vector<Variant>& variants, int d, bool bf16, double until)
{
    const std::vector<Problem> problems = suite(d, bf16);
    const std::size_t slots = variants.size() * problems.size();
    const Buffer device(slots * sizeof(Difference));
    CHECK(cuMemsetD8(device.address(), 0, slots * sizeof(Difference)));
    std::vector<std::size_t> wrongOf(problems.size());
    std::vector<bool> bad(variants.size()), seen(variants.size());
    double worst = 0;
    for (std::size_t p = 0; p < problems.size(); ++p) {
        const Oracle oracle(problems[p], true);
        if (seconds() > until) {
            std::printf("out of time before %s\n", problems[p].text().c_str());
            return 1;
        }
        for (std::size_t i = 0; i < variants.size(); ++i)
            if (variants[i].function)
                oracle.compare(variants[i], device.address(), i * problems.size() + p);
        CHECK(cuCtxSynchronize());
    }
    std::vector<Difference> found(slots);
    CHECK(cuMemcpyDtoH(found.data(), device.address(), slots * sizeof(Difference)));
    for (std::size_t i = 0; i < variants.size(); ++i)
        for (std::size_t p = 0; p < problems.size() && variants[i].function; ++p) {
            const Difference& here = found[i * problems.size() + p];
            if (!problems[p].outliers)
                worst = std::max(worst, here.relativeL2() / (bf16 ? 8e-3 : 1e-3));
            if (here.within(problems[p]))
                continue;
            if (!bad[i])
                std::printf("incorrect: %s at %s: relative L2 %.3g, largest %.3g, not finite %.0f, guard words %.0f\n",
                            variants[i].point.address.c_str(), problems[p].text().c_str(), here.relativeL2(), here.largest, here.nonfinite,
                            here.guards);
            bad[i] = true;
            ++wrongOf[p];
        }
    int faults = 0, unbuilt = 0;
    for (std::size_t i = 0; i < variants.size(); ++i) {
        faults += bad[i];
        if (!variants[i].function && unbuilt++ < 3)
            std::printf("cannot run: %s: %s\n", variants[i].point.address.c_str(), variants[i].why.c_str());
    }
    std::printf(
        "D=%d BF16=%d: %zu points on %zu problems, %d wrong, %d could not run, largest relative L2 error %.2f of its limit, %.1f s\n", d,
        bf16, variants.size(), problems.size(), faults, unbuilt, worst, seconds());
    for (std::size_t p = 0; p < problems.size(); ++p)
        if (wrongOf[p])
            std::printf("  %s: %zu points wrong\n", problems[p].text().c_str(), wrongOf[p]);
    return faults + unbuilt;
}

void timeAll(const std::vector<Variant>& variants, int d, bool bf16, double until)
{
    const Oracle oracle({4, 1024 / d, 4096, 4096, d, false, bf16, false}, false);
    std::vector<std::pair<double, const Variant*>> times;
    std::size_t cannot = 0;
    for (const Variant& variant : variants) {
        if (!variant.function || seconds() > until) {
            ++cannot;
            continue;
        }
        oracle.launch(variant);
        times.emplace_back(oracle.nanoseconds(variant, 5), &variant);
    }
    std::sort(times.begin(), times.end());
    std::printf("# %s: %zu timed, %zu could not run, %.1f s\n", oracle.problem().text().c_str(), times.size(), cannot, seconds());
    for (const auto& [time, variant] : times)
        std::printf("%.0f %d %d %s\n", time, variant->registers, variant->localBytes, variant->point.address.c_str());
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 3 || (std::strcmp(argv[1], "check") != 0 && std::strcmp(argv[1], "time") != 0)) {
        std::fprintf(stderr, "attention_points check|time POINTS [D=64] [BF16=0] [SECONDS=140]\n");
        return 2;
    }
    seconds();
    const int d = argc > 3 ? std::atoi(argv[3]) : 64;
    const bool bf16 = argc > 4 && std::atoi(argv[4]) != 0;
    const double until = argc > 5 ? std::atof(argv[5]) : 140;
    CUdevice device = 0;
    CUcontext context = nullptr;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    std::ifstream file("kernels/families/attention/attention.cu");
    std::ostringstream source;
    source << file.rdbuf();
    std::vector<Variant> variants = build(source.str(), readPoints(argv[2]), d, bf16);
    std::printf("# %zu points compiled after %.1f s\n", variants.size(), seconds());
    int faults = variants.empty();
    if (std::strcmp(argv[1], "check") == 0)
        faults += checkAll(variants, d, bf16, until);
    else
        timeAll(variants, d, bf16, until);
    unload(variants);
    return faults > 0 ? 1 : 0;
}
