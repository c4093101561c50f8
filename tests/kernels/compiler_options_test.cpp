// SPDX-License-Identifier: MIT
#include "kernels/compiler_options.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

TEST(CompilerOptions, WhatChangesTheCodePasses)
{
    for (const char* option : {"-DTILE=32",
                               "-DX",
                               "-DTYPE=unsigned int",
                               "-DTEXT=\"a b\"",
                               "--define-macro=X=1",
                               "-UX",
                               "--undefine-macro=X",
                               "--std=c++17",
                               "-std=c++20",
                               "--maxrregcount=24",
                               "-maxrregcount=64",
                               "--use_fast_math",
                               "-use_fast_math",
                               "--fmad=false",
                               "-ftz=true",
                               "--extra-device-vectorization",
                               "-restrict",
                               "-lineinfo",
                               "-default-device",
                               "-Ofc=min",
                               "--diag-suppress=177,550",
                               "-w",
                               "--ptxas-options=-v",
                               "-Xptxas=-O3",
                               "--ptxas-options=--opt-level=2",
                               "--ptxas-options=-dlcm=ca",
                               "--ptxas-options=--warn-on-spills"})
        EXPECT_FALSE(compilerOptionFault(option)) << option;
}

TEST(CompilerOptions, WhatReadsOrWritesFilesDoesNot)
{
    for (const char* option : {"",
                               "-",
                               "-D",
                               "-D X=1",
                               "-DX Y",
                               "-D1=2",
                               "-D=1",
                               "-DX=1\n#include \"/etc/passwd\"",
                               "--define-macro",
                               "X=1",
                               "--create-pch=a.txt",
                               "--create-pch",
                               "-create-pch=a",
                               "--use-pch=a",
                               "--pch",
                               "-pch",
                               "--pch-dir=.",
                               "--time=a.txt",
                               "-time=a.txt",
                               "--time a.txt",
                               "--fdevice-time-trace=a",
                               "-fdevice-time-trace=a",
                               "--pre-include=/etc/shadow",
                               "-include=/etc/shadow",
                               "-I/",
                               "-I",
                               "-I.",
                               "--include-path=/",
                               "--include-path",
                               "@options",
                               "--options-file=a",
                               "-optf=a",
                               "-c",
                               "--no-cache",
                               "--device-debug",
                               "-G",
                               "--std=c++03",
                               "--std=c++14",
                               "--std=c++",
                               "--fmad=maybe",
                               "--fmad",
                               "--use_fast_math=true",
                               "--maxrregcount",
                               "--maxrregcount=a",
                               "--diag-suppress=1,",
                               "-dlto",
                               "--dlink-time-opt",
                               "--relocatable-device-code=true",
                               "--split-compile=0",
                               "--minimal",
                               "--trace-lto",
                               "--ptxas-options",
                               "-Xptxas",
                               "--ptxas-options=",
                               "--ptxas-options=-o=a.txt",
                               "--ptxas-options=--output-file=a.txt",
                               "--ptxas-options=-o",
                               "--ptxas-options=-v,-o,a",
                               "--ptxas-options=-v -o a",
                               "--ptxas-options=--options-file=a",
                               "-Xptxas -o",
                               "/etc/passwd",
                               "kernel.cu"})
        EXPECT_TRUE(compilerOptionFault(option)) << option;
}

TEST(CompilerOptions, ValuesAreOfTheirKindAlone)
{
    for (const char* option :
         {"--maxrregcount=123456789", "--diag-suppress=1", "--diag-suppress=1,22,333", "--jump-table-density=0", "-Ofc=0",
          "--Ofast-compile=max", "--ftz=false", "--prec-div=true", "-D_x9=", "-DX==", "-Xptxas=--def-store-cache=wt",
          "--ptxas-options=-maxrregcount=32", "--ptxas-options=-O0", "--ptxas-options=--fmad=true"})
        EXPECT_FALSE(compilerOptionFault(option)) << option;
    for (const char* option : {"--maxrregcount=1234567890",
                               "--maxrregcount=",
                               "--maxrregcount=3a",
                               "--maxrregcount=a3",
                               "--diag-suppress=",
                               "--diag-suppress=,1",
                               "--diag-suppress=1,,2",
                               "--diag-suppress=1,a,2",
                               "--diag-suppress=a,1",
                               "--std=",
                               "--std=c++17 c++20",
                               "--std= c++17",
                               "--Ofast-compile=fast",
                               "--ftz=1",
                               "--ftz=",
                               "-wx",
                               "-w=1",
                               "-DX=1\x7f",
                               "-DX=\t1",
                               "-D9",
                               "-DX-Y=1",
                               "-X",
                               "-D=",
                               "--ptxas-options=-O",
                               "--ptxas-options=-Oa",
                               "--ptxas-options=-dlcm=wb",
                               "--ptxas-options=-DX",
                               "--ptxas-options=--use_fast_math",
                               "-O3",
                               "-v",
                               "--opt-level=3",
                               "--std",
                               "-ptxas-options=-v"})
        EXPECT_TRUE(compilerOptionFault(option)) << option;
}

TEST(CompilerOptions, TheHintListsWhatIsAllowedThere)
{
    EXPECT_NE(compilerOptionFault("--ptxas-options=-o")->hint.find("--opt-level, --maxrregcount"), std::string::npos);
    EXPECT_EQ(compilerOptionFault("--ptxas-options=-o")->hint.find("--use_fast_math"), std::string::npos);
    EXPECT_NE(compilerOptionFault("-c")->hint.find("-D, -U, --std"), std::string::npos);
    EXPECT_NE(compilerOptionFault("-c")->message.find("\"-c\""), std::string::npos);
}

TEST(CompilerOptions, AnArchitectureIsTheCommandsToChoose)
{
    for (const char* option : {"--gpu-architecture=sm_90a", "-arch=sm_90a", "-arch sm_90a", "--gpu-architecture",
                               "-gencode=arch=compute_90,code=sm_90", "--ptxas-options=-arch=sm_90a", "-Xptxas=--gpu-name=sm_90"}) {
        const std::optional<OptionFault> fault = compilerOptionFault(option);
        ASSERT_TRUE(fault) << option;
        EXPECT_NE(fault->hint.find("architecture"), std::string::npos) << fault->hint;
    }
}

} // namespace
} // namespace kl
