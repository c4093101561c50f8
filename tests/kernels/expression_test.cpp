// SPDX-License-Identifier: MIT
#include "kernels/model/expression.h"

#include <gtest/gtest.h>
#include <limits>

namespace kl {
namespace {

TEST(Expression, EvaluatesOverNamesOfTheScope)
{
    const Result<double> value = evaluate("ceildiv(N, TILE) * 2", {{"N", 100}, {"TILE", 32}});
    ASSERT_TRUE(value);
    EXPECT_DOUBLE_EQ(*value, 8);
}

TEST(Expression, UnknownNameIsAnErrorThatCarriesTheFormula)
{
    const Result<double> value = evaluate("N * K", {{"N", 1}});
    ASSERT_FALSE(value);
    EXPECT_EQ(value.error().code, ErrorCode::badInput);
    EXPECT_EQ(value.error().where, "N * K");
}

TEST(Expression, DivisionByZeroIsAnErrorNotInfinity)
{
    EXPECT_FALSE(evaluate("1 / N", {{"N", 0}}));
}

TEST(Expression, AFormulaKnowsNothingOfTheOneBefore)
{
    ASSERT_TRUE(evaluate("N + T", {{"N", 1}, {"T", 2}}));
    EXPECT_FALSE(evaluate("N + T", {{"N", 1}}));
    ASSERT_FALSE(evaluate("N +* (", {{"N", 1}}));
    EXPECT_EQ(*evaluate("N + 0", {{"N", 7}}), 7) << "after one that could not be read";
    EXPECT_NEAR(*evaluate("_pi", {}), 3.14159, 1e-5) << "the parser's own constants stay";
}

TEST(Expression, PlainNumbersAndNamesAreWhatTheParserMakesOfThem)
{
    for (const char* plain : {"0", "7", "0256", "123456789012345", "12345678901234567890", "N", "TILE"})
        EXPECT_EQ(*evaluate(plain, {{"N", 0.5}, {"TILE", 32}}), *evaluate(std::string(plain) + " + 0", {{"N", 0.5}, {"TILE", 32}}))
            << plain;
    for (const char* wrong : {"", " ", "n", "N N", "7 7", "0x", "٣"})
        EXPECT_FALSE(evaluate(wrong, {{"N", 1}})) << wrong;
    EXPECT_FALSE(evaluate("N", {{"N", std::numeric_limits<double>::infinity()}}));
}

TEST(Expression, CountMustBeWholeAndLargeEnough)
{
    EXPECT_FALSE(evaluateCount("N / 3", {{"N", 10}}, 1));
    EXPECT_FALSE(evaluateCount("N - 10", {{"N", 10}}, 1));
    const Result<std::int64_t> zero = evaluateCount("N - 10", {{"N", 10}}, 0);
    ASSERT_TRUE(zero);
    EXPECT_EQ(*zero, 0);
}

TEST(Expression, CountsThatNoDoubleTellsApartAndSeveralResultsAreErrors)
{
    EXPECT_EQ(*evaluateCount("2^53", {}, 1), kMaxCount);
    EXPECT_FALSE(evaluateCount("2^54", {}, 1));
    EXPECT_FALSE(evaluateCount("65536", {}, 1, 65535));
    EXPECT_FALSE(evaluate("1, 2", {}));
    EXPECT_TRUE(evaluate("min(1, 2)", {}));
}

TEST(Expression, SubstituteWritesWholeNumbersPlainly)
{
    const Result<std::string> text = substitute("-DHEAD_DIM={D} -DSCALE={1/4}", {{"D", 64}});
    ASSERT_TRUE(text);
    EXPECT_EQ(*text, "-DHEAD_DIM=64 -DSCALE=0.25");
}

TEST(Expression, TheFunctionsAreThoseOfTheManual)
{
    const auto value = [](const char* formula) { return *evaluate(formula, {{"N", 7}}); };
    EXPECT_EQ(value("ceildiv(N,2)"), 4);
    EXPECT_EQ(value("ceildiv(N+1,2)"), 4);
    EXPECT_EQ(value("mod(N,4)"), 3);
    EXPECT_EQ(value("floor(N/2)"), 3);
    EXPECT_EQ(value("ceil(N/2)"), 4);
    EXPECT_EQ(value("floor(-N/2)"), -4);
    EXPECT_EQ(value("min(N,3,5)"), 3);
    EXPECT_EQ(value("max(N,3)"), 7);
    EXPECT_EQ(value("N>6 && N!=8 ? 1 : 2"), 1);
    EXPECT_EQ(value("2^N"), 128);
}

TEST(Expression, CountsMayBeOffByRoundingAndReachTheirBounds)
{
    EXPECT_EQ(*evaluateCount("N*(1/3)*3", {{"N", 10}}, 1), 10);
    EXPECT_EQ(*evaluateCount("2.0000009", {}, 1), 2);
    EXPECT_EQ(*evaluateCount("1.9999991", {}, 1), 2);
    EXPECT_FALSE(evaluateCount("2.00001", {}, 1));
    EXPECT_FALSE(evaluateCount("1.99999", {}, 1));
    EXPECT_EQ(*evaluateCount("5", {}, 5, 5), 5);
    EXPECT_FALSE(evaluateCount("4", {}, 5, 5));
    EXPECT_FALSE(evaluateCount("6", {}, 5, 5));
    EXPECT_EQ(*evaluateCount("-3", {}, -3), -3);
    EXPECT_FALSE(evaluateCount("Q", {}, 1));
}

TEST(Expression, ALongFormulaIsCutInItsError)
{
    const std::string fits(200, 'x');
    EXPECT_EQ(evaluate(fits, {}).error().where, fits);
    const Error error = evaluate(fits + 'y', {}).error();
    EXPECT_EQ(error.where, fits + "…");
    EXPECT_LT(error.message.size(), 700U);
    EXPECT_TRUE(error.message.ends_with(".") && !error.message.ends_with("..")) << error.message;
}

TEST(Expression, SeveralAreEvaluatedOrNone)
{
    std::map<std::string, double> out{{"kept", 5}};
    ASSERT_TRUE(evaluateAll({{"a", "N"}, {"b", "2*N"}}, {{"N", 3}}, out));
    EXPECT_EQ(out, (std::map<std::string, double>{{"a", 3}, {"b", 6}, {"kept", 5}}));
    EXPECT_EQ(evaluateAll({{"a", "N"}, {"b", "Q"}}, {{"N", 3}}, out).error().where, "Q");
}

TEST(Expression, SubstituteKeepsTheTextAround)
{
    EXPECT_EQ(*substitute("{N}{N+1} and {-N} }", {{"N", 3}}), "34 and -3 }");
    EXPECT_EQ(*substitute("plain", {}), "plain");
    EXPECT_EQ(*substitute("", {}), "");
    EXPECT_EQ(*substitute("{2^40}.npy", {}), "1099511627776.npy");
    EXPECT_EQ(substitute("a{Q}", {}).error().where, "Q");
    EXPECT_FALSE(substitute("{}", {}));
}

TEST(Expression, SubstituteRejectsAnUnclosedBrace)
{
    EXPECT_FALSE(substitute("-DX={N", {{"N", 1}}));
}

} // namespace
} // namespace kl
