// SPDX-License-Identifier: MIT
#include "kernels/catalogue.h"
