# SPDX-License-Identifier: MIT
from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension

setup(
    name="naive_attention",
    ext_modules=[
        CUDAExtension("naive_attention", ["binding.cpp", "attention.cu"],
                      extra_compile_args={"cxx": ["-O2"], "nvcc": ["-O3", "-lineinfo"]}),
    ],
    cmdclass={"build_ext": BuildExtension},
)
