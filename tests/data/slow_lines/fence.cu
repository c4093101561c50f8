// A fence for the whole device where nothing needs one.
extern "C" __global__ void fence(const float* in, float* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float value = in[i];
    for (int k = 0; k < 4; ++k) {
        value = value * 0.5f + k;
        out[i] = value;
        __threadfence(); // SLOW
    }
}
