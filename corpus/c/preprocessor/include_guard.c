/* Includes of user files: guards, #pragma once, macros as names, paths relative to the includer. */
#include <stdio.h>
#define WANTED "parts/values.h"
#include WANTED
#include "parts/values.h"
#include "parts/once.h"
#include "parts/once.h"

#define ITEM(name, value) printf("%s %d\n", #name, value);

int main(void) {
    printf("%d %d\n", VALUES_ONE, values_two());
    printf("%d\n", once_counter);
#include "parts/items.inc"
#undef ITEM
#define ITEM(name, value) + value
    printf("%d\n", 0
#include "parts/items.inc"
    );
#if __has_include("parts/values.h") && !__has_include("parts/none.h")
    printf("found\n");
#endif
    return 0;
}
