// SPDX-License-Identifier: MIT
// What Python sees of attention.cu. A change of the kernel does not compile it again, and it includes no more of PyTorch than it needs:
// torch/extension.h takes twice as long.
#include <ATen/ops/empty_like.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/csrc/utils/pybind.h>

void forward(const void* q, const void* k, const void* v, void* out, int heads, int length, cudaStream_t stream);

at::Tensor attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v)
{
    TORCH_CHECK(q.is_cuda() && q.scalar_type() == at::kHalf && q.dim() == 4 && q.size(3) == 64, "expected [B, H, S, 64] in float16");
    at::Tensor out = at::empty_like(q);
    forward(q.data_ptr(), k.data_ptr(), v.data_ptr(), out.data_ptr(), static_cast<int>(q.size(0) * q.size(1)), static_cast<int>(q.size(2)),
            c10::cuda::getCurrentCUDAStream());
    return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m)
{
    m.def("forward", &attention, "Attention forward");
}
