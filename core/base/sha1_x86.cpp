// SPDX-License-Identifier: MIT
#include "core/base/sha1_x86.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>
#include <utility>

namespace kl {
namespace {

#define KL_SHA [[gnu::target("sha,sse4.1,ssse3")]]

/// Sixteen words of the message; those of later rounds take the places of the oldest.
using Words = __m128i[4];

/// Rounds 4 × I to 4 × I + 3. `before` is the state before the four rounds ahead of these, of which the fifth word comes.
template <int I> KL_SHA [[gnu::always_inline]] inline void fourRounds(__m128i& abcd, __m128i& before, Words& w)
{
    __m128i& now = w[I % 4];
    if constexpr (I >= 4) // w[t] = rotl(w[t-3] ^ w[t-8] ^ w[t-14] ^ w[t-16], 1), four at once
        now = _mm_sha1msg2_epu32(_mm_xor_si128(_mm_sha1msg1_epu32(now, w[(I + 1) % 4]), w[(I + 2) % 4]), w[(I + 3) % 4]);
    const __m128i e = I == 0 ? _mm_add_epi32(before, now) : _mm_sha1nexte_epu32(before, now);
    before = abcd;
    abcd = _mm_sha1rnds4_epu32(abcd, e, I / 5);
}

template <int... I>
KL_SHA [[gnu::always_inline]] inline void allRounds(__m128i& abcd, __m128i& before, Words& w, std::integer_sequence<int, I...> /*unused*/)
{
    (fourRounds<I>(abcd, before, w), ...);
}

} // namespace

bool hasSha1Instructions() noexcept
{
    unsigned eax = 0;
    unsigned ebx = 0;
    unsigned ecx = 0;
    unsigned edx = 0;
    const bool sse = __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_SSSE3) != 0 && (ecx & bit_SSE4_1) != 0;
    return sse && __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0 && (ebx & bit_SHA) != 0;
}

KL_SHA void addBlocksByInstructions(std::array<std::uint32_t, 5>& state, const unsigned char* blocks, std::size_t count) noexcept
{
    const __m128i bigEndian = _mm_set_epi64x(0x0001020304050607LL, 0x08090a0b0c0d0e0fLL);
    constexpr int kReversed = 0x1b; // the instructions want a in the highest lane
    __m128i abcd = _mm_shuffle_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(state.data())), kReversed);
    __m128i e = _mm_set_epi32(static_cast<int>(state[4]), 0, 0, 0);
    for (; count > 0; --count, blocks += 64) {
        Words w;
        for (int i = 0; i < 4; ++i)
            w[i] = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(blocks) + i), bigEndian);
        const __m128i abcdBefore = abcd;
        const __m128i eBefore = e;
        allRounds(abcd, e, w, std::make_integer_sequence<int, 20>());
        abcd = _mm_add_epi32(abcd, abcdBefore);
        e = _mm_sha1nexte_epu32(e, eBefore);
    }
    _mm_storeu_si128(reinterpret_cast<__m128i*>(state.data()), _mm_shuffle_epi32(abcd, kReversed));
    state[4] = static_cast<std::uint32_t>(_mm_extract_epi32(e, 3));
}

#undef KL_SHA

} // namespace kl

#else

namespace kl {

bool hasSha1Instructions() noexcept
{
    return false;
}

void addBlocksByInstructions(std::array<std::uint32_t, 5>& /*state*/, const unsigned char* /*blocks*/, std::size_t /*count*/) noexcept {}

} // namespace kl

#endif
