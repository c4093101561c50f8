// SPDX-License-Identifier: MIT
#pragma once

/// out[n][m] = in[m][n] for a matrix of m rows.
void launchTranspose(const float* in, float* out, int rows, int columns);
