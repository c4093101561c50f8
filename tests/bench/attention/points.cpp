// SPDX-License-Identifier: MIT
#include "points.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

namespace bench {
namespace {

const std::map<std::string, int> kDefaults{{"BLOCK_M", 64}, {"BLOCK_N", 64}, {"WARPS", 4},    {"STAGES", 2},    {"SWIZZLE", 2},
                                           {"HALF2", 1},    {"UNROLL", 0},   {"SPLIT_KV", 0}, {"MIN_BLOCKS", 1}};
const std::map<std::string, int> kWords{{"none", 0}, {"pad", 1}, {"xor", 2}, {"off", 0}, {"on", 1}, {"full", 0}};

int ceildiv(int a, int b)
{
    return (a + b - 1) / b;
}

void compileOne(const std::string& source, Variant& variant, std::string& code)
{
    std::vector<std::string> options{"-DHEAD_DIM=" + std::to_string(variant.d), variant.bf16 ? "-DBF16=1" : "-DBF16=0"};
    for (const auto& [name, value] : variant.point.values)
        options.push_back("-D" + name + "=" + std::to_string(value));
    code = compile(source, options, variant.why);
}

void load(Variant& variant, const std::string& code)
{
    if (code.empty())
        return;
    CHECK(cuModuleLoadData(&variant.module, code.data()));
    CHECK(cuModuleGetFunction(&variant.function, variant.module, "attention_fused"));
    CHECK(cuFuncGetAttribute(&variant.registers, CU_FUNC_ATTRIBUTE_NUM_REGS, variant.function));
    CHECK(cuFuncGetAttribute(&variant.localBytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, variant.function));
    const unsigned shared = variant.point.sharedBytes(variant.d);
    if (cuFuncSetAttribute(variant.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, static_cast<int>(shared)) != CUDA_SUCCESS) {
        variant.function = nullptr;
        variant.why = std::to_string(shared) + " bytes of shared memory are more than a block may have";
    }
}

} // namespace

std::string Problem::text() const
{
    char line[160];
    std::snprintf(line, sizeof line, "B=%d,H=%d,S=%d,SK=%d,D=%d,CAUSAL=%d,BF16=%d%s", b, h, s, keys, d, causal, bf16,
                  outliers ? ",OUTLIERS=1" : "");
    return line;
}

double Problem::flops() const
{
    return 4.0 * b * h * s * keys * d / (causal ? 2 : 1);
}

unsigned Point::sharedBytes(int d) const
{
    return static_cast<unsigned>((at("BLOCK_M") + 2 * at("STAGES") * at("BLOCK_N")) * (2 * d + (at("SWIZZLE") == 1 ? 16 : 0)));
}

Grid Point::grid(const Problem& p) const
{
    const int tiles = ceildiv(p.s, at("BLOCK_M")), blocks = tiles * p.b * p.h;
    const int parts = std::max(1, std::min({32, 132 / blocks, p.keys / 512}));
    return {static_cast<unsigned>(tiles), static_cast<unsigned>(p.b * p.h), at("SPLIT_KV") ? static_cast<unsigned>(parts) : 1U};
}

std::vector<Point> readPoints(const char* path)
{
    std::vector<Point> points;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        Point point{line, kDefaults};
        const auto at = line.find('@');
        std::istringstream settings(at == std::string::npos ? "" : line.substr(at + 1));
        for (std::string setting; std::getline(settings, setting, ',');) {
            const auto equals = setting.find('=');
            const std::string name = setting.substr(0, equals), value = setting.substr(equals + 1);
            const auto word = kWords.find(value);
            if (equals == std::string::npos || !kDefaults.contains(name)) {
                std::fprintf(stderr, "%s: \"%s\" is not a tunable of attention/fused.\n", path, setting.c_str());
                std::exit(4);
            }
            point.values[name] = word == kWords.end() ? std::atoi(value.c_str()) : word->second;
        }
        points.push_back(std::move(point));
    }
    return points;
}

std::vector<Variant> build(const std::string& source, const std::vector<Point>& points, int d, bool bf16)
{
    std::vector<Variant> variants(points.size());
    std::vector<std::string> codes(points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
        variants[i] = {points[i], d, bf16, nullptr, nullptr, {}, 0, 0};
    std::atomic<std::size_t> next{0};
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < std::max(1U, std::thread::hardware_concurrency()); ++t)
        threads.emplace_back([&] {
            for (std::size_t i = next++; i < points.size(); i = next++)
                compileOne(source, variants[i], codes[i]);
        });
    for (std::thread& thread : threads)
        thread.join();
    for (std::size_t i = 0; i < points.size(); ++i)
        load(variants[i], codes[i]);
    return variants;
}

void unload(std::vector<Variant>& variants)
{
    for (Variant& variant : variants)
        if (variant.module)
            cuModuleUnload(variant.module);
    variants.clear();
}

} // namespace bench
