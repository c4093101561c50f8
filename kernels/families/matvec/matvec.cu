// Matrix-vector product y = A x, A of m rows and n columns, in five ways. Each way has a twin with one fault, for debugging.

#define FULL_WARP 0xffffffffu
#define TILE 128  // columns of x in shared memory
#define STRIP 32  // the same, where one warp loads them
#define BLOCK 256 // threads that share a row

__device__ float addUpWarp(float sum)
{
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(FULL_WARP, sum, step);
    return sum;
}

// A warp per row; the block stages x tile after tile. The fault: the index of x is taken modulo the tile.

extern "C" __global__ void matvec_modulo_index(const float* a, const float* x, float* y, int m, int n)
{
    __shared__ float tile[TILE];
    const int lane = threadIdx.x % 32;
    const int row = blockIdx.x * 8 + threadIdx.x / 32;
    float sum = 0;
    for (int first = 0; first < n; first += TILE) {
        const int columns = min(TILE, n - first);
        if (threadIdx.x < columns)
            tile[threadIdx.x] = x[(first + threadIdx.x) % TILE];
        __syncthreads();
        if (row < m)
            for (int c = lane; c < columns; c += 32)
                sum += a[(size_t)row * n + first + c] * tile[c];
        __syncthreads();
    }
    sum = addUpWarp(sum);
    if (lane == 0 && row < m)
        y[row] = sum;
}

extern "C" __global__ void matvec_full_index(const float* a, const float* x, float* y, int m, int n)
{
    __shared__ float tile[TILE];
    const int lane = threadIdx.x % 32;
    const int row = blockIdx.x * 8 + threadIdx.x / 32;
    float sum = 0;
    for (int first = 0; first < n; first += TILE) {
        const int columns = min(TILE, n - first);
        if (threadIdx.x < columns)
            tile[threadIdx.x] = x[first + threadIdx.x];
        __syncthreads();
        if (row < m)
            for (int c = lane; c < columns; c += 32)
                sum += a[(size_t)row * n + first + c] * tile[c];
        __syncthreads();
    }
    sum = addUpWarp(sum);
    if (lane == 0 && row < m)
        y[row] = sum;
}

// A thread per row; the first warp of a block loads a strip of x for all. The fault: the others do not wait for it.

extern "C" __global__ void matvec_missing_barrier(const float* a, const float* x, float* y, int m, int n)
{
    __shared__ float strip[STRIP];
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int first = 0; first < n; first += STRIP) {
        const int columns = min(STRIP, n - first);
        if (threadIdx.x < columns)
            strip[threadIdx.x] = x[first + threadIdx.x];
        if (row < m)
            for (int c = 0; c < columns; ++c)
                sum += a[(size_t)row * n + first + c] * strip[c];
        __syncthreads();
    }
    if (row < m)
        y[row] = sum;
}

extern "C" __global__ void matvec_barrier(const float* a, const float* x, float* y, int m, int n)
{
    __shared__ float strip[STRIP];
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int first = 0; first < n; first += STRIP) {
        const int columns = min(STRIP, n - first);
        if (threadIdx.x < columns)
            strip[threadIdx.x] = x[first + threadIdx.x];
        __syncthreads();
        if (row < m)
            for (int c = 0; c < columns; ++c)
                sum += a[(size_t)row * n + first + c] * strip[c];
        __syncthreads();
    }
    if (row < m)
        y[row] = sum;
}

// A warp per row, four columns of a lane in a step. The fault: the last step does not end with the row.

extern "C" __global__ void matvec_missing_bounds(const float* a, const float* x, float* y, int m, int n)
{
    const int lane = threadIdx.x % 32;
    const int row = blockIdx.x * 8 + threadIdx.x / 32;
    if (row >= m)
        return;
    float sum = 0;
    for (int c = 4 * lane; c < n; c += 128)
        for (int k = 0; k < 4; ++k)
            sum += a[(size_t)row * n + c + k] * x[c + k];
    sum = addUpWarp(sum);
    if (lane == 0)
        y[row] = sum;
}

extern "C" __global__ void matvec_bounds(const float* a, const float* x, float* y, int m, int n)
{
    const int lane = threadIdx.x % 32;
    const int row = blockIdx.x * 8 + threadIdx.x / 32;
    if (row >= m)
        return;
    float sum = 0;
    for (int c = 4 * lane; c < n; c += 128)
        for (int k = 0; k < 4 && c + k < n; ++k)
            sum += a[(size_t)row * n + c + k] * x[c + k];
    sum = addUpWarp(sum);
    if (lane == 0)
        y[row] = sum;
}

// A warp per row, which adds each tile of columns to the result in memory. The fault: the result does not start at 0.

extern "C" __global__ void matvec_uninitialized_sum(const float* a, const float* x, float* y, int m, int n)
{
    const int lane = threadIdx.x % 32;
    const int row = blockIdx.x * 8 + threadIdx.x / 32;
    if (row >= m)
        return;
    for (int first = 0; first < n; first += TILE) {
        float sum = 0;
        for (int c = first + lane; c < min(first + TILE, n); c += 32)
            sum += a[(size_t)row * n + c] * x[c];
        sum = addUpWarp(sum);
        if (lane == 0)
            y[row] += sum;
    }
}

extern "C" __global__ void matvec_initialized_sum(const float* a, const float* x, float* y, int m, int n)
{
    const int lane = threadIdx.x % 32;
    const int row = blockIdx.x * 8 + threadIdx.x / 32;
    if (row >= m)
        return;
    if (lane == 0)
        y[row] = 0;
    for (int first = 0; first < n; first += TILE) {
        float sum = 0;
        for (int c = first + lane; c < min(first + TILE, n); c += 32)
            sum += a[(size_t)row * n + c] * x[c];
        sum = addUpWarp(sum);
        if (lane == 0)
            y[row] += sum;
    }
}

// A block per row. The fault: rows are taken to be as far apart as there are rows, which is true of square matrices only.

__device__ void storeBlockSum(float sum, float* target)
{
    __shared__ float parts[BLOCK / 32];
    sum = addUpWarp(sum);
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        float total = 0;
        for (int i = 0; i < BLOCK / 32; ++i)
            total += parts[i];
        *target = total;
    }
}

extern "C" __global__ void matvec_wrong_stride(const float* a, const float* x, float* y, int m, int n)
{
    const int row = blockIdx.x;
    float sum = 0;
    for (int c = threadIdx.x; c < n; c += BLOCK)
        sum += a[(size_t)row * m + c] * x[c];
    storeBlockSum(sum, &y[row]);
}

extern "C" __global__ void matvec_row_stride(const float* a, const float* x, float* y, int m, int n)
{
    const int row = blockIdx.x;
    float sum = 0;
    for (int c = threadIdx.x; c < n; c += BLOCK)
        sum += a[(size_t)row * n + c] * x[c];
    storeBlockSum(sum, &y[row]);
}
