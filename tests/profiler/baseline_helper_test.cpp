// SPDX-License-Identifier: MIT
// The helper that runs baselines, under the real python and a PyTorch of a few lines: no GPU, no PyTorch needed.
#include "core/base/scratch_folder.h"
#include "profiler/live/python/python_baseline.h"
#include "tests/support/set_variable.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <optional>

namespace kl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Notes in a file beside it what it is asked for; kernels take 100 ns more in each call. `played`: the settings of a test.
constexpr const char* kTorch = R"py(
import contextlib, os, types
import played
folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
def note(*words):
    with open(os.path.join(folder, "seen"), "a") as file:
        file.write(" ".join(str(word) for word in words) + "\n")
note("device", os.environ.get("CUDA_VISIBLE_DEVICES", "any"))

__version__ = "2.9.0+cu130"
int32, float16, bfloat16 = "int32", "float16", "bfloat16"
clock, calls, events = 0, 0, []
def run(name, duration, kind="cuda"):
    global clock
    events.append((clock, duration, name, kind))
    clock += duration + 7

class Tensor:
    def __init__(self, shape, data=b"", dtype=float16):
        self.shape, self.data, self.dtype = tuple(shape), bytearray(data), dtype
    def numel(self):
        count = 1
        for size in self.shape:
            count *= size
        return count
    def element_size(self): return 2
    def to(self, where):
        if where != "cuda":
            note("elements", where)
        return self
    def reshape(self, shape): return Tensor(shape, self.data, self.dtype)
    def contiguous(self): return self
    def cpu(self): return self
    def data_ptr(self):
        import ctypes
        self.kept = (ctypes.c_char * len(self.data)).from_buffer(self.data)
        return ctypes.addressof(self.kept)
    def bitwise_not_(self): run("bitwise_not_kernel", 50)

def zeros(count, dtype, device):
    note("flush", count, dtype)
    return Tensor([count])
def randn(shape, device, generator):
    note("inputs", shape)
    return Tensor([shape] if isinstance(shape, int) else shape)
class Generator:
    def __init__(self, device): pass
    def manual_seed(self, seed): return self
def frombuffer(data, dtype): return Tensor([len(data) // 2], data, dtype)
no_grad = contextlib.nullcontext
autograd = types.SimpleNamespace(DeviceType=types.SimpleNamespace(CUDA="cuda"))
backends = types.SimpleNamespace(cudnn=types.SimpleNamespace(version=lambda: played.cudnn))
cuda = types.SimpleNamespace(
    is_available=lambda: played.available, get_device_name=lambda index: "H200", synchronize=lambda: None,
    get_device_properties=lambda index: types.SimpleNamespace(L2_cache_size=played.l2), reset_peak_memory_stats=lambda: None,
    memory_allocated=lambda: 1000, max_memory_allocated=lambda: 5096, _sleep=lambda cycles: run("spin_kernel", 500))
)py";

constexpr const char* kFunctional = R"py(
import torch, played
from torch.nn import attention
def scaled_dot_product_attention(q, k, v, is_causal, **shared):
    torch.note("call", q.shape, k.shape, v.shape, q.dtype, is_causal, shared.get("enable_gqa", False), attention.chosen)
    if played.refusal:
        raise RuntimeError(played.refusal)
    torch.calls += 1
    torch.run("Memset (Device)", 3)
    for kernel in played.kernels:
        torch.run(kernel, 100 * torch.calls)
    torch.run("a call of the host", 9999, "cpu")
    if not q.data:
        return q
    return torch.Tensor(q.shape, bytes((byte + 2 * k.data[0] + 5 * v.data[0]) % 256 for byte in q.data))
)py";

constexpr const char* kAttention = R"py(
import contextlib, played
chosen = "default"
class SDPBackend:
    FLASH_ATTENTION, EFFICIENT_ATTENTION, MATH = "F", "E", "M"
if played.cudnn:
    SDPBackend.CUDNN_ATTENTION = "C"
@contextlib.contextmanager
def sdpa_kernel(backend):
    global chosen
    chosen = "".join(backend)
    yield
    chosen = "default"
)py";

constexpr const char* kProfiler = R"py(
import torch
class ProfilerActivity: CUDA = "cuda"
class Event:
    def __init__(self, event): self.event = event
    def start_ns(self): return self.event[0]
    def duration_ns(self): return self.event[1]
    def name(self): return self.event[2]
    def device_type(self): return self.event[3]
class profile:
    def __init__(self, activities): self.profiler = self.kineto_results = self
    def __enter__(self):
        self.first = len(torch.events)
        return self
    def __exit__(self, *_): self.last = len(torch.events)
    def events(self): return [Event(event) for event in reversed(torch.events[self.first:self.last])]
)py";

constexpr const char* kCupy = R"py(
import torch, played, types
__version__ = "13.6.0"
def note(key): return lambda list: torch.note(key, *list)
_core = types.SimpleNamespace(set_routine_accelerators=note("routine"), set_reduction_accelerators=note("reduction"))
class Array:
    def sum(self):
        torch.calls += 1
        for kernel in played.kernels:
            torch.run(kernel, 10)
def asarray(values): return Array()
)py";

class BaselineHelper : public testing::Test {
protected:
    void SetUp() override
    {
        if (std::system("python3 -c '' 2> /dev/null") != 0)
            GTEST_SKIP() << "no python3 on PATH";
        Result<ScratchFolder> made = ScratchFolder::make();
        ASSERT_TRUE(made);
        scratch_.emplace(std::move(*made));
        for (const auto& [name, text] : {std::pair("torch/__init__.py", kTorch), std::pair("torch/nn/__init__.py", ""),
                                         std::pair("torch/nn/functional.py", kFunctional), std::pair("torch/nn/attention.py", kAttention),
                                         std::pair("torch/profiler.py", kProfiler), std::pair("cupy.py", kCupy)}) {
            std::filesystem::create_directories((folder() / name).parent_path());
            std::ofstream(folder() / name) << text;
        }
        path_.emplace("PYTHONPATH", folder().c_str());
        cache_.emplace("PYTHONDONTWRITEBYTECODE", "1");
        visible_.emplace("CUDA_VISIBLE_DEVICES", nullptr);
    }
    std::filesystem::path folder() const { return scratch_->path(); }

    /// A helper with these settings; `changes` are lines of python.
    Result<std::unique_ptr<PythonBaseline>> start(const std::string& changes = {}, const std::string& device = "GPU-42")
    {
        std::filesystem::remove(folder() / "seen");
        std::ofstream(folder() / "played.py")
            << "available, cudnn, l2, refusal, kernels = True, 91900, 50 << 20, '', ['flash_fwd', 'tail']\n"
            << changes << '\n';
        return PythonBaseline::start(device);
    }
    /// What was noted under a key.
    std::vector<std::string> seen(const std::string& key) const
    {
        std::vector<std::string> found;
        std::ifstream in(folder() / "seen");
        for (std::string line; std::getline(in, line);)
            if (line.starts_with(key + ' '))
                found.push_back(line.substr(key.size() + 1));
        return found;
    }

private:
    std::optional<ScratchFolder> scratch_;
    std::optional<support::SetVariable> path_, cache_, visible_;
};

const std::map<std::string, double> kSmall{{"B", 1}, {"H", 2}, {"S", 4}, {"D", 8}};

TEST_F(BaselineHelper, SeesTheWorkersDeviceAlone)
{
    for (const auto& [given, visible] :
         {std::pair("GPU-42", "GPU-42"), std::pair("42", "GPU-42"), std::pair("MIG-7", "MIG-7"), std::pair("", "any")}) {
        const auto helper = start({}, given);
        ASSERT_TRUE(helper) << helper.error().message << helper.error().detail;
        EXPECT_THAT(seen("device"), ElementsAre(visible)) << given;
        EXPECT_TRUE((*helper)->description().ends_with(", torch 2.9.0+cu130")) << (*helper)->description();
    }
    const auto blind = start("available = False");
    ASSERT_FALSE(blind);
    EXPECT_EQ(blind.error().code, ErrorCode::environment);
    EXPECT_THAT(blind.error().message, HasSubstr("2.9.0+cu130"));
}

TEST_F(BaselineHelper, FlushesTwiceTheCacheAndAtLeast32MiB)
{
    ASSERT_TRUE(start());
    EXPECT_THAT(seen("flush"), ElementsAre(std::to_string((2 * 50 << 20) / 4) + " int32"));
    ASSERT_TRUE(start("l2 = 6 << 20"));
    EXPECT_THAT(seen("flush"), ElementsAre(std::to_string((32 << 20) / 4) + " int32"));
    ASSERT_TRUE(start("l2 = 0"));
    EXPECT_THAT(seen("flush"), ElementsAre(std::to_string((128 << 20) / 4) + " int32")) << "the size is not known";
}

TEST_F(BaselineHelper, MeasuresCallsBetweenFlushesWithoutTheFirst)
{
    const auto helper = start();
    ASSERT_TRUE(helper) << helper.error().message << helper.error().detail;
    const Result<PythonSamples> samples = (*helper)->measure("sdpa", kSmall, 3);
    ASSERT_TRUE(samples) << samples.error().message << samples.error().detail;
    // One call to try it, three to warm up, one for its memory, one that is left out.
    EXPECT_THAT(samples->kernelsNs, ElementsAre(2 * 700, 2 * 800, 2 * 900));
    EXPECT_THAT(samples->gpuNs, ElementsAre(3 + 7 + 2 * 700 + 7, 3 + 7 + 2 * 800 + 7, 3 + 7 + 2 * 900 + 7));
    EXPECT_EQ(samples->hostNs.size(), 3U);
    for (const double host : samples->hostNs)
        EXPECT_GT(host, 0);
    EXPECT_THAT(samples->kernels, ElementsAre("Memset (Device)", "flash_fwd", "tail"));
    EXPECT_EQ(samples->version, "torch 2.9.0+cu130, cuDNN 9.19.0");
    EXPECT_EQ(samples->memoryBytes, 3 * 2 * (2 * 4 * 8) + 4096) << "the inputs, and what a call has at its peak";
    ASSERT_TRUE((*helper)->measure("sdpa", kSmall, 1));
    EXPECT_EQ(seen("inputs").size(), 3U) << "prepared once";
    std::map<std::string, double> other = kSmall;
    other["S"] = 5;
    ASSERT_TRUE((*helper)->measure("sdpa", other, 1));
    EXPECT_EQ(seen("inputs").size(), 6U);
}

TEST_F(BaselineHelper, ProblemsHaveTheShapesOfTheirParameters)
{
    const auto helper = start();
    ASSERT_TRUE(helper) << helper.error().message;
    ASSERT_TRUE(
        (*helper)->measure("sdpa", {{"B", 2}, {"H", 6}, {"S", 8}, {"D", 16}, {"SK", 32}, {"GROUP", 3}, {"CAUSAL", 1}, {"BF16", 1}}, 1));
    EXPECT_EQ(seen("call").front(), "(2, 6, 8, 16) (2, 2, 32, 16) (2, 2, 32, 16) float16 True True default");
    EXPECT_THAT(seen("elements"), ElementsAre("bfloat16", "bfloat16", "bfloat16"));
    ASSERT_TRUE((*helper)->measure("sdpa", kSmall, 1));
    EXPECT_EQ(seen("call").back(), "(1, 2, 4, 8) (1, 2, 4, 8) (1, 2, 4, 8) float16 False False default");
    EXPECT_EQ(seen("elements").back(), "float16");
}

TEST_F(BaselineHelper, ABackendIsTheOneOfTheOperation)
{
    auto helper = start();
    ASSERT_TRUE(helper) << helper.error().message;
    for (const auto& [op, backend] : {std::pair("sdpa-flash", "F"), std::pair("sdpa-efficient", "E"), std::pair("sdpa-math", "M"),
                                      std::pair("sdpa-cudnn", "C"), std::pair("sdpa-own", "FEM")}) {
        ASSERT_TRUE((*helper)->measure(op, kSmall, 1)) << op;
        EXPECT_TRUE(seen("call").back().ends_with(std::string(" ") + backend)) << op << ": " << seen("call").back();
    }
    for (const char* op : {"sdpa-quick", "softmax"}) {
        const auto none = (*helper)->measure(op, kSmall, 1);
        ASSERT_FALSE(none);
        EXPECT_EQ(none.error().code, ErrorCode::environment) << op;
    }
    helper = start("cudnn = None");
    ASSERT_TRUE(helper) << helper.error().message;
    EXPECT_EQ((*helper)->measure("sdpa-cudnn", kSmall, 1).error().code, ErrorCode::environment);
    EXPECT_EQ((*helper)->measure("sdpa", kSmall, 1)->version, "torch 2.9.0+cu130");
}

TEST_F(BaselineHelper, ImplementationsAreCalledByTheirKernels)
{
    const auto nameFor = [&](const std::string& kernel, const std::string& cudnn = "91900") {
        const auto helper = start("kernels, cudnn = ['" + kernel + "'], " + cudnn);
        const Result<PythonSamples> samples = (*helper)->measure("sdpa", kSmall, 1);
        return samples ? samples->name + "; " + samples->version : samples.error().message;
    };
    EXPECT_EQ(nameFor("cudnn_generated_flash"), "PyTorch SDPA (cuDNN); torch 2.9.0+cu130, cuDNN 9.19.0");
    EXPECT_EQ(nameFor("pytorch_Flash_fwd", "90207"), "PyTorch SDPA (FlashAttention); torch 2.9.0+cu130, cuDNN 9.2.7");
    EXPECT_EQ(nameFor("fmha_cutlassF", "8907"), "PyTorch SDPA (memory-efficient); torch 2.9.0+cu130, cuDNN 8.9.7");
    EXPECT_EQ(nameFor("gemm"), "PyTorch SDPA (math); torch 2.9.0+cu130, cuDNN 9.19.0");
}

TEST_F(BaselineHelper, OutputsAreOfQueriesKeysAndValuesInThisOrder)
{
    auto helper = start();
    ASSERT_TRUE(helper) << helper.error().message;
    const std::map<std::string, double> problem{{"B", 1}, {"H", 1}, {"S", 1}, {"D", 2}};
    const std::vector<std::byte> q{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}};
    const std::vector<std::byte> k(4, std::byte{10});
    const std::vector<std::byte> v(4, std::byte{20});
    const auto computed = (*helper)->output("sdpa-own", problem, {&q, &k, &v}, 4);
    ASSERT_TRUE(computed) << computed.error().message << computed.error().detail;
    EXPECT_THAT(*computed, ElementsAre(std::byte{121}, std::byte{122}, std::byte{123}, std::byte{124}));
    EXPECT_EQ(seen("call").back(), "(1, 1, 1, 2) (1, 1, 1, 2) (1, 1, 1, 2) float16 False False FEM");
    std::map<std::string, double> brain = problem;
    brain["BF16"] = 1;
    ASSERT_TRUE((*helper)->output("sdpa", brain, {&q, &k, &v}, 4));
    EXPECT_EQ(seen("call").back(), "(1, 1, 1, 2) (1, 1, 1, 2) (1, 1, 1, 2) bfloat16 False False default");
    EXPECT_EQ((*helper)->output("cub-sum", problem, {&q}, 4).error().code, ErrorCode::environment);
    EXPECT_EQ((*helper)->output("sdpa", {}, {&q, &k, &v}, 4).error().code, ErrorCode::kernelFailed) << "there are no sizes";
}

TEST_F(BaselineHelper, WhatPyTorchRefusesIsUnavailable)
{
    const auto helper = start("refusal = 'No kernel.\\nMore lines'");
    ASSERT_TRUE(helper) << helper.error().message;
    const auto refused = (*helper)->measure("sdpa-flash", kSmall, 1);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::environment);
    EXPECT_TRUE(refused.error().message.ends_with(": No kernel.")) << refused.error().message;
    EXPECT_THAT(refused.error().message, HasSubstr(" flash "));
}

TEST_F(BaselineHelper, PythonIsDescribedWithoutImportingTorch)
{
    ASSERT_TRUE(start());
    std::filesystem::remove(folder() / "seen");
    EXPECT_TRUE(describePython().starts_with("python3 3."));
    const std::string unknown = describePython();
    const std::size_t torch = unknown.find(", torch ");
    ASSERT_NE(torch, std::string::npos) << unknown;
    EXPECT_EQ(unknown.find_first_of("0123456789", torch), std::string::npos) << "its version is not known: " << unknown;
    std::ofstream(folder() / "torch/version.py") << "debug = False\n__version__ = '2.9.0+cu130'\n";
    EXPECT_TRUE(describePython().ends_with(", torch 2.9.0+cu130")) << describePython();
    EXPECT_TRUE(seen("device").empty()) << "it was imported";
}

TEST_F(BaselineHelper, LibraryFoldersAreThoseOfNvidiasWheels)
{
    for (const char* part : {"cublas/lib", "cudnn/lib", "cu13/include", "cu13/lib"})
        std::filesystem::create_directories(folder() / "nvidia" / part);
    std::vector<std::string> folders = pythonLibraryFolders();
    ASSERT_GE(folders.size(), 3U);
    folders.resize(3); // those of python itself come behind
    EXPECT_THAT(folders, ElementsAre((folder() / "nvidia/cu13/lib").string(), (folder() / "nvidia/cublas/lib").string(),
                                     (folder() / "nvidia/cudnn/lib").string()));
}

TEST_F(BaselineHelper, ASumIsCubsThroughCupy)
{
    auto helper = start("kernels = ['DeviceReduceKernel']");
    ASSERT_TRUE(helper) << helper.error().message;
    const auto samples = (*helper)->measure("cub-sum", {{"N", 1024}}, 2);
    ASSERT_TRUE(samples) << samples.error().message << samples.error().detail;
    EXPECT_THAT(seen("inputs"), ElementsAre("1024"));
    EXPECT_THAT(seen("routine"), ElementsAre("cub"));
    EXPECT_THAT(seen("reduction"), ElementsAre("cub"));
    EXPECT_EQ(samples->version, "cupy 13.6.0");
    EXPECT_EQ(samples->memoryBytes, std::nullopt) << "not PyTorch's";
    EXPECT_THAT(samples->gpuNs, ElementsAre(10, 10));
    helper = start("kernels = ['cupy_sum']");
    ASSERT_TRUE(helper) << helper.error().message;
    const auto other = (*helper)->measure("cub-sum", {{"N", 1024}}, 2);
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().code, ErrorCode::environment);
    EXPECT_THAT(other.error().message, HasSubstr("cupy_sum"));
}

} // namespace
} // namespace kl
