#pragma once
static int once_counter = 4;
