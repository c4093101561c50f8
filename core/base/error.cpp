// SPDX-License-Identifier: MIT
#include "core/base/error.h"

#include <array>
#include <utility>

namespace kl {
namespace {

struct Row {
    ErrorCode code;
    const char* word;
    int exit;
};

constexpr std::array<Row, 13> kRows{{
    {ErrorCode::usage, "usage", 2},
    {ErrorCode::badInput, "bad-input", 4},
    {ErrorCode::notFound, "not-found", 4},
    {ErrorCode::refused, "refused", 1},
    {ErrorCode::needsConsent, "needs-consent", 1},
    {ErrorCode::changedElsewhere, "changed-elsewhere", 1},
    {ErrorCode::inconclusive, "inconclusive", 3},
    {ErrorCode::notComparable, "not-comparable", 3},
    {ErrorCode::environment, "environment", 5},
    {ErrorCode::notRecorded, "not-recorded", 4},
    {ErrorCode::kernelFailed, "kernel-failed", 1},
    {ErrorCode::interrupted, "interrupted", 130},
    {ErrorCode::internal, "internal", 6},
}};

const Row& lookUpRow(ErrorCode code) noexcept
{
    for (const Row& row : kRows)
        if (row.code == code)
            return row;
    return kRows.back();
}

} // namespace

int exitCode(ErrorCode code) noexcept
{
    return lookUpRow(code).exit;
}

const char* toString(ErrorCode code) noexcept
{
    return lookUpRow(code).word;
}

ErrorCode errorCodeFrom(const std::string& word) noexcept
{
    for (const Row& row : kRows)
        if (word == row.word)
            return row.code;
    return ErrorCode::internal;
}

} // namespace kl
