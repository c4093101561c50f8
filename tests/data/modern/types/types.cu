// SPDX-License-Identifier: MIT
// KIND: 1 and 2 FP8, whose sign is the uppermost bit; 3 i8, 4 u8, 5 i64, 6 u64, 7 bool.

#if KIND == 5
typedef long long Element;
#elif KIND == 6
typedef unsigned long long Element;
#elif KIND == 3
typedef signed char Element;
#else
typedef unsigned char Element;
#endif

__device__ Element changed(Element value)
{
#if KIND == 1 || KIND == 2
    return value ^ 0x80;
#elif KIND == 3 || KIND == 5
    return -value;
#elif KIND == 7
    return !value;
#else
    return value + 1;
#endif
}

extern "C" __global__ void opposite(const Element* x, Element* y, long long n)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = changed(x[n - 1 - i]);
}
