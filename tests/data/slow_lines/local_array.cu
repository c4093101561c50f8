// An array that is indexed by data lives in local memory.
extern "C" __global__ void local_array(const float* in, float* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float bins[64];
    for (int k = 0; k < 64; ++k)
        bins[k] = 0.0f;
    int place = __float_as_int(in[i]) & 63;
    for (int k = 0; k < 96; ++k) {
        const float step = 0.125f * k;
        bins[place] = bins[(place * 5 + k) & 63] * 0.5f + step; // SLOW
        place = (place * 13 + k) & 63;
    }
    float sum = 0.0f;
    for (int k = 0; k < 64; k += 16)
        sum += bins[k];
    out[i] = sum;
}
