// SPDX-License-Identifier: MIT
// Morton keys: the bits of the low and the high half of n 32-bit words, taken in turns. Bit 2b of a key is bit b of the word, bit 2b + 1
// bit 16 + b.

// Bit by bit: sixteen rounds of shifts and masks.
__device__ unsigned keyByBits(unsigned word)
{
    unsigned key = 0;
#pragma unroll 1
    for (unsigned b = 0; b < 16; ++b)
        key |= (word >> b & 1u) << 2 * b | (word >> (16 + b) & 1u) << (2 * b + 1);
    return key;
}

// Both halves are spread in four steps, from bytes to bits, each with one mask.
__device__ unsigned spread(unsigned x)
{
    x = (x | x << 8) & 0x00ff00ffu;
    x = (x | x << 4) & 0x0f0f0f0fu;
    x = (x | x << 2) & 0x33333333u;
    return (x | x << 1) & 0x55555555u;
}

__device__ unsigned keyByMasks(unsigned word)
{
    return spread(word & 0xffffu) | spread(word >> 16) << 1;
}

template <unsigned (*key)(unsigned)> __device__ void evaluate(const unsigned* in, unsigned* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int quads = n / 4;
    if (i < quads) {
        const uint4 x = reinterpret_cast<const uint4*>(in)[i];
        reinterpret_cast<uint4*>(out)[i] = make_uint4(key(x.x), key(x.y), key(x.z), key(x.w));
    } else if (i < quads + n % 4) {
        out[quads * 4 + i - quads] = key(in[quads * 4 + i - quads]);
    }
}

extern "C" __global__ void morton_bits(const unsigned* in, unsigned* out, int n)
{
    evaluate<keyByBits>(in, out, n);
}

extern "C" __global__ void morton_masks(const unsigned* in, unsigned* out, int n)
{
    evaluate<keyByMasks>(in, out, n);
}
