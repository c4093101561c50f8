// Lanes take turns at the costly branch: it runs 32 times a warp with one lane each.
extern "C" __global__ void divergent(const float* in, float* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float value = in[i];
    const int lane = threadIdx.x & 31;
    for (int turn = 0; turn < 32; ++turn) {
        if (lane == turn)
            value = powf(fabsf(value) + 1.5f, 1.0f / (2 + turn)); // SLOW
        value += 0.001f;
    }
    out[i] = value;
}
