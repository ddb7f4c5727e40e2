/* The variable behind errno, for headers that set it without defining the name. */
#pragma once

static _Thread_local int __fp_errno;
