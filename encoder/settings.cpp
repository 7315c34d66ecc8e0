// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/settings.h"
