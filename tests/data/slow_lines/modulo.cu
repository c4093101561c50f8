// An integer division by a number that the compiler does not know.
extern "C" __global__ void modulo(const float* in, float* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int value = i;
    int divisor = 3 + (__float_as_int(in[i]) & 1023);
    int sum = 0;
    for (int k = 0; k < 64; ++k) {
        value = value * 3 + k;
        sum += value % (divisor + k); // SLOW
        sum ^= k;
    }
    out[i] = static_cast<float>(sum & 0xffff);
}
