// A load from a scattered place; what it loads is used some lines below.
__device__ unsigned scatter(unsigned x)
{
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ (x >> 16);
}
extern "C" __global__ void gather(const float* in, float* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const unsigned where = scatter(i) & (n - 1);
    const float own = 0.001f * (i & 1023);
    const float other = in[where]; // SLOW
    const float mean = 0.5f * own;
    const float spread = own * own;
    out[i] = mean + spread - other;
}
