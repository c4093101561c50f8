// Each load's address is the last load's result.
extern "C" __global__ void pointer_chase(const float* in, float* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int place = i;
    float sum = 0.0f;
    for (int k = 0; k < 16; ++k) {
        place = (__float_as_int(in[place]) * 40503 + place) & (n - 1); // SLOW
        sum = sum * 0.5f + k;
    }
    out[i] = sum + place;
}
