// SPDX-License-Identifier: MIT
#include "oracle.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace bench {
namespace {

constexpr std::size_t kGuardBytes = 4096;
constexpr unsigned kPoison[2] = {0x7e5a7e5aU, 0x7fda7fdaU}; ///< NaN of FP16, BF16

struct Kernels {
    CUfunction fill = nullptr, answer = nullptr, compare = nullptr, guard = nullptr;
};

const Kernels& kernels(bool bf16)
{
    static Kernels known[2];
    Kernels& found = known[bf16];
    if (found.fill)
        return found;
    const char* folder = std::getenv("ATTENTION_BENCH");
    std::ifstream file(std::string(folder ? folder : "tests/bench/attention") + "/oracle.cu");
    std::ostringstream text;
    text << file.rdbuf();
    std::string log;
    const std::string code = compile(text.str(), {bf16 ? "-DBF16=1" : "-DBF16=0"}, log);
    if (code.empty()) {
        std::fprintf(stderr, "oracle.cu does not compile (run from the repository's root): %s\n", log.c_str());
        std::exit(4);
    }
    CUmodule module = nullptr;
    CHECK(cuModuleLoadData(&module, code.data()));
    CHECK(cuModuleGetFunction(&found.fill, module, "fillNormal"));
    CHECK(cuModuleGetFunction(&found.answer, module, "rightAnswer"));
    CHECK(cuModuleGetFunction(&found.compare, module, "compareOutput"));
    CHECK(cuModuleGetFunction(&found.guard, module, "checkGuard"));
    CHECK(cuFuncSetAttribute(found.answer, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 96 << 10));
    return found;
}

std::size_t elements(const Problem& p, int length)
{
    return static_cast<std::size_t>(p.b) * static_cast<std::size_t>(p.h) * static_cast<std::size_t>(length) * static_cast<std::size_t>(p.d);
}

} // namespace

double Difference::relativeL2() const
{
    return reference > 0 ? std::sqrt(squares / reference) : std::sqrt(squares);
}

bool Difference::within(const Problem& problem) const
{
    const double scale = (problem.bf16 ? 8 : 1) * (problem.outliers ? 2 : 1);
    return nonfinite == 0 && guards == 0 && relativeL2() <= 1e-3 * scale && largest <= 2e-3 * scale;
}

struct Oracle::Buffers {
    explicit Buffers(const Problem& p)
        : queries(elements(p, p.s)), keys(elements(p, p.keys)), q(2 * queries), k(2 * keys), v(2 * keys), o(2 * queries + 2 * kGuardBytes),
          right(4 * queries), parts(4 * partsFloats(p)), arrived(arrivedBytes(p))
    {
        CHECK(cuMemsetD8(arrived.address(), 0, arrivedBytes(p)));
    }
    /// Enough for any point: see Point::grid.
    static std::size_t partsFloats(const Problem& p)
    {
        int most = 0;
        for (const int rows : {32, 64, 128}) {
            const int blocks = (p.s + rows - 1) / rows * p.b * p.h;
            most = std::max(most, std::max(1, std::min({32, 132 / blocks, p.keys / 512})) * blocks * rows);
        }
        return static_cast<std::size_t>(most) * static_cast<std::size_t>(p.d + 8);
    }
    static std::size_t arrivedBytes(const Problem& p) { return 4 * static_cast<std::size_t>(p.b * p.h * ((p.s + 31) / 32)); }

    std::size_t queries, keys;
    Buffer q, k, v, o, right, parts, arrived;
};

Oracle::Oracle(const Problem& problem, bool withAnswer) : problem_(problem), buffers_(std::make_unique<Buffers>(problem))
{
    const Kernels& use = kernels(problem.bf16);
    const Buffers& b = *buffers_;
    const auto fill = [&](const Buffer& buffer, std::size_t count, unsigned long long seed, bool outliers) {
        bench::launch(use.fill, {1024}, 256, 0, buffer.address(), static_cast<long long>(count), seed, int{outliers});
    };
    fill(b.q, b.queries, 1, problem.outliers);
    fill(b.k, b.keys, 2, problem.outliers);
    fill(b.v, b.keys, 3, false);
    if (withAnswer)
        bench::launch(use.answer, {static_cast<unsigned>(problem.s), static_cast<unsigned>(problem.b * problem.h)}, 256,
                      static_cast<unsigned>(256 * 8 + 4 * (problem.d + problem.keys)), b.q.address(), b.k.address(), b.v.address(),
                      b.right.address(), problem.s, problem.keys, problem.d, int{problem.causal});
    CHECK(cuCtxSynchronize());
}

Oracle::~Oracle() = default;

void Oracle::launch(const Variant& variant) const
{
    const Buffers& b = *buffers_;
    bench::launch(variant.function, variant.point.grid(problem_), variant.point.threads(), variant.point.sharedBytes(problem_.d),
                  b.q.address(), b.k.address(), b.v.address(), b.o.address() + kGuardBytes, b.parts.address(), b.arrived.address(),
                  problem_.s, problem_.keys, int{problem_.causal}, 1 / std::sqrt(static_cast<float>(problem_.d)));
}

void Oracle::compare(const Variant& variant, CUdeviceptr differences, std::size_t slot) const
{
    const Kernels& use = kernels(problem_.bf16);
    const Buffers& b = *buffers_;
    const unsigned poison = kPoison[problem_.bf16];
    const CUdeviceptr difference = differences + slot * sizeof(Difference), output = b.o.address() + kGuardBytes;
    const auto words = static_cast<int>(kGuardBytes / 4);
    CHECK(cuMemsetD32(b.o.address(), poison, (2 * b.queries + 2 * kGuardBytes) / 4));
    launch(variant);
    bench::launch(use.compare, {264}, 256, 0, output, b.right.address(), static_cast<long long>(b.queries), difference);
    bench::launch(use.guard, {}, 256, 0, b.o.address(), words, poison, difference);
    bench::launch(use.guard, {}, 256, 0, output + 2 * b.queries, words, poison, difference);
}

double Oracle::nanoseconds(const Variant& variant, int times) const
{
    CUevent begin = nullptr, end = nullptr;
    CHECK(cuEventCreate(&begin, CU_EVENT_DEFAULT));
    CHECK(cuEventCreate(&end, CU_EVENT_DEFAULT));
    std::vector<float> all;
    for (int i = 0; i < times; ++i) {
        float milliseconds = 0;
        CHECK(cuEventRecord(begin, nullptr));
        launch(variant);
        CHECK(cuEventRecord(end, nullptr));
        CHECK(cuEventSynchronize(end));
        CHECK(cuEventElapsedTime(&milliseconds, begin, end));
        all.push_back(milliseconds);
    }
    CHECK(cuEventDestroy(begin));
    CHECK(cuEventDestroy(end));
    std::sort(all.begin(), all.end());
    return 1e6 * static_cast<double>(all[all.size() / 2]);
}

} // namespace bench
