// SPDX-License-Identifier: MIT
// The two products of unfused attention as cuBLAS is asked for them, computed by a plain column-major product: no GPU, no cuBLAS needed.
#include "kernels/data/numbers.h"
#include "profiler/live/baselines/cublas_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#if __has_include(<cublas_v2.h>) && __has_include(<cuda_runtime_api.h>)
#include <cublas_v2.h>
#define KL_HAVE_CUBLAS_HEADER 1
#endif

namespace kl::cublas {
namespace {

constexpr int kFloat = 0; // cudaDataType_t of what is not 16 bits wide here

double valueAt(const void* data, int type, long long index)
{
    const auto place = static_cast<std::size_t>(index);
    return elementAt(static_cast<const std::byte*>(data), type == kFloat ? DType::f32 : type == 2 ? DType::f16 : DType::bf16, place);
}

/// C = alpha · op(A) · op(B) as BLAS defines it, columns first; FP32 results only.
int product(Handle, int transposeA, int transposeB, int m, int n, int k, const void* alpha, const void* a, int typeA, int lda,
            long long strideA, const void* b, int typeB, int ldb, long long strideB, const void* beta, void* c, int typeC, int ldc,
            long long strideC, int batch, int computeType, int)
{
    if (computeType != 68 || *static_cast<const float*>(beta) != 0)
        return 7;
    for (int one = 0; one < batch; ++one)
        for (int column = 0; column < n; ++column)
            for (int row = 0; row < m; ++row) {
                double sum = 0;
                for (int i = 0; i < k; ++i)
                    sum += valueAt(a, typeA,
                                   one * strideA +
                                       (transposeA ? i + static_cast<long long>(row) * lda : row + static_cast<long long>(i) * lda)) *
                           valueAt(b, typeB,
                                   one * strideB +
                                       (transposeB ? column + static_cast<long long>(i) * ldb : i + static_cast<long long>(column) * ldb));
                const long long place = one * strideC + row + static_cast<long long>(column) * ldc;
                const double value = *static_cast<const float*>(alpha) * sum;
                if (typeC == kFloat)
                    static_cast<float*>(c)[place] = static_cast<float>(value);
                else
                    static_cast<std::uint16_t*>(c)[place] = static_cast<std::uint16_t>(value); // whole numbers in this test
            }
    return 0;
}

Functions fakeFunctions()
{
    Functions f;
    f.create = [](Handle* handle) {
        static int thing = 0;
        *handle = reinterpret_cast<Handle>(&thing);
        return 0;
    };
    f.destroy = [](Handle) { return 0; };
    f.setStream = [](Handle, void*) { return 0; };
    f.getVersion = [](Handle, int* version) {
        *version = 130100;
        return 0;
    };
    f.statusString = [](int) { return "CUBLAS_STATUS_INVALID_VALUE"; };
    f.gemmStridedBatched = product;
    return f;
}

/// Element i is (i · step) % most + first.
std::vector<std::byte> elements(std::size_t count, DType type, int step, int most, int first)
{
    std::vector<std::byte> bytes(count * static_cast<std::size_t>(countBytes(type)));
    for (std::size_t i = 0; i < count; ++i)
        storeElement(bytes.data(), type, i, (static_cast<int>(i) * step) % most + first);
    return bytes;
}

class Products : public testing::TestWithParam<bool> {};

TEST_P(Products, ScoresAreRowsOfQueriesTimesKeysScaled)
{
    const Functions functions = fakeFunctions();
    const AttentionSizes sizes{2, 1, 3, 5, 4, false, GetParam()};
    const DType type = sizes.bf16 ? DType::bf16 : DType::f16;
    auto session = Session::open(functions, nullptr);
    ASSERT_TRUE(session);
    EXPECT_EQ((*session)->version(), "13.1.0");
    const std::vector<std::byte> q = elements(2 * 3 * 4, type, 3, 7, -3);
    const std::vector<std::byte> k = elements(2 * 5 * 4, type, 5, 7, -3);
    std::vector<float> scores(2 * 3 * 5, -1);
    ASSERT_TRUE((*session)->scores(sizes, q.data(), k.data(), scores.data()));
    for (std::size_t head = 0; head < 2; ++head)
        for (std::size_t query = 0; query < 3; ++query)
            for (std::size_t key = 0; key < 5; ++key) {
                double expected = 0;
                for (std::size_t d = 0; d < 4; ++d)
                    expected += elementAt(q.data(), type, (head * 3 + query) * 4 + d) * elementAt(k.data(), type, (head * 5 + key) * 4 + d);
                EXPECT_FLOAT_EQ(scores[(head * 3 + query) * 5 + key], static_cast<float>(expected / 2)); // 1 / sqrt(4)
            }
}
INSTANTIATE_TEST_SUITE_P(Types, Products, testing::Values(false, true));

TEST(CublasProducts, OutputIsRowsOfWeightsTimesValues)
{
    Functions functions = fakeFunctions();
    const AttentionSizes sizes{1, 2, 3, 5, 4, false, false};
    auto session = Session::open(functions, nullptr);
    ASSERT_TRUE(session);
    const std::vector<std::byte> weights = elements(2 * 3 * 5, DType::f16, 1, 3, 0);
    const std::vector<std::byte> v = elements(2 * 5 * 4, DType::f16, 1, 5, 0);
    std::vector<std::uint16_t> o(2 * 3 * 4, 9999);
    ASSERT_TRUE((*session)->output(sizes, weights.data(), v.data(), o.data()));
    for (std::size_t head = 0; head < 2; ++head)
        for (std::size_t query = 0; query < 3; ++query)
            for (std::size_t d = 0; d < 4; ++d) {
                double expected = 0;
                for (std::size_t key = 0; key < 5; ++key)
                    expected += elementAt(weights.data(), DType::f16, (head * 3 + query) * 5 + key) *
                                elementAt(v.data(), DType::f16, (head * 5 + key) * 4 + d);
                EXPECT_EQ(o[(head * 3 + query) * 4 + d], expected);
            }
}

TEST(CublasProducts, TypesAreThoseOfTheInputsAndScoresAreSingles)
{
    static std::vector<int> types;
    Functions functions = fakeFunctions();
    functions.gemmStridedBatched = [](Handle, int, int, int, int, int, const void*, const void*, int typeA, int, long long, const void*,
                                      int typeB, int, long long, const void*, void*, int typeC, int, long long, int, int, int algorithm) {
        types = {typeA, typeB, typeC, algorithm};
        return 0;
    };
    auto session = Session::open(functions, nullptr);
    ASSERT_TRUE(session);
    AttentionSizes sizes{};
    for (const bool bf16 : {false, true}) {
        sizes.bf16 = bf16;
        sizes.dim = 4;
        const int type = bf16 ? 14 : 2;
        EXPECT_TRUE((*session)->scores(sizes, nullptr, nullptr, nullptr));
        EXPECT_EQ(types, (std::vector<int>{type, type, 0, -1}));
        EXPECT_TRUE((*session)->output(sizes, nullptr, nullptr, nullptr));
        EXPECT_EQ(types, (std::vector<int>{type, type, type, -1}));
    }
}

TEST(CublasProducts, ARefusalNamesTheProduct)
{
    Functions functions = fakeFunctions();
    functions.gemmStridedBatched = [](Handle, int, int, int, int, int, const void*, const void*, int, int, long long, const void*, int, int,
                                      long long, const void*, void*, int, int, long long, int, int, int) { return 7; };
    auto session = Session::open(functions, nullptr);
    ASSERT_TRUE(session);
    const Status refused = (*session)->scores({}, nullptr, nullptr, nullptr);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::environment);
    EXPECT_THAT(refused.error().message, testing::ContainsRegex("cuBLAS .*Q and K: CUBLAS_STATUS_INVALID_VALUE\\.$"));
}

TEST(AttentionSizes, OfParams)
{
    const auto sizes = attentionSizes({{"B", 2}, {"H", 8}, {"S", 512}, {"D", 64}, {"CAUSAL", 1}, {"BF16", 1}});
    ASSERT_TRUE(sizes);
    EXPECT_EQ(sizes->keys, 512);
    EXPECT_TRUE(sizes->causal);
    EXPECT_TRUE(sizes->bf16);
    EXPECT_EQ(sizes->queryBytes(), 2u * 2 * 8 * 512 * 64);
    EXPECT_FLOAT_EQ(sizes->scale(), 0.125f);
    EXPECT_EQ(attentionSizes({{"B", 2}, {"H", 8}, {"S", 512}, {"SK", 100}, {"D", 64}})->keyBytes(), 2u * 2 * 8 * 100 * 64);
}

TEST(AttentionSizes, WhatIsMissingOrNoSizeIsNamed)
{
    const auto missing = attentionSizes({{"B", 2}, {"H", 8}, {"S", 512}});
    ASSERT_FALSE(missing);
    EXPECT_NE(missing.error().message.find(" D."), std::string::npos) << missing.error().message;
    EXPECT_FALSE(attentionSizes({{"B", 2}, {"H", 0.5}, {"S", 512}, {"D", 64}}));
    const std::map<std::string, double> whole{{"B", 2}, {"H", 8}, {"S", 512}, {"D", 64}};
    const Result<AttentionSizes> sizes = attentionSizes(whole);
    ASSERT_TRUE(sizes);
    EXPECT_EQ(sizes->batch, 2);
    EXPECT_EQ(sizes->heads, 8);
    EXPECT_EQ(sizes->queries, 512);
    EXPECT_EQ(sizes->dim, 64);
    EXPECT_FALSE(sizes->causal);
    EXPECT_FALSE(sizes->bf16);
    for (const auto& [name, value] : whole) {
        std::map<std::string, double> without = whole;
        without.erase(name);
        const Result<AttentionSizes> none = attentionSizes(without);
        ASSERT_FALSE(none) << name;
        EXPECT_EQ(none.error().code, ErrorCode::badInput);
        EXPECT_NE(none.error().message.find(" " + name + "."), std::string::npos) << none.error().message;
    }
}

TEST(AttentionSizes, ArePositiveIntegers)
{
    const auto with = [](const char* name, double value) {
        std::map<std::string, double> params{{"B", 2}, {"H", 8}, {"S", 512}, {"D", 64}};
        params[name] = value;
        return attentionSizes(params);
    };
    EXPECT_EQ(with("S", 1)->queries, 1);
    EXPECT_EQ(with("S", 1)->keys, 1) << "as many as queries";
    EXPECT_EQ(with("SK", 7)->keys, 7);
    EXPECT_EQ(with("B", 1e9)->batch, 1'000'000'000);
    for (const double value : {0.0, -1.0, 1.5, 1e9 + 1})
        for (const char* name : {"B", "H", "S", "D", "SK"})
            EXPECT_EQ(with(name, value).error().code, ErrorCode::badInput) << name << value;
    EXPECT_FALSE(with("CAUSAL", 0)->causal);
    EXPECT_TRUE(with("CAUSAL", 1)->causal);
    EXPECT_FALSE(with("BF16", 0)->bf16);
    EXPECT_TRUE(with("GROUP", 1).ok());
    EXPECT_EQ(with("GROUP", 2).error().code, ErrorCode::environment) << "heads of K and V are shared";
    EXPECT_FLOAT_EQ(with("D", 16)->scale(), 0.25F);
    EXPECT_EQ(with("SK", 7)->queryBytes(), 2u * 2 * 8 * 512 * 64);
    EXPECT_EQ(with("SK", 7)->keyBytes(), 2u * 2 * 8 * 7 * 64);
}

#ifdef KL_HAVE_CUBLAS_HEADER
TEST(CublasFunctions, ShapeIsTheHeaders)
{
    static_assert(sizeof(cublasOperation_t) == 4 && sizeof(cudaDataType) == 4 && sizeof(cublasComputeType_t) == 4);
    EXPECT_EQ(CUBLAS_OP_N, 0);
    EXPECT_EQ(CUBLAS_OP_T, 1);
    EXPECT_EQ(CUDA_R_32F, 0);
    EXPECT_EQ(CUDA_R_16F, 2);
    EXPECT_EQ(CUDA_R_16BF, 14);
    EXPECT_EQ(CUBLAS_COMPUTE_32F, 68);
    EXPECT_EQ(CUBLAS_GEMM_DEFAULT, -1);
}
#endif

} // namespace
} // namespace kl::cublas
