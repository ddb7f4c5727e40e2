/* ---- memory ---- */

typedef unsigned long long weak_bits;
typedef unsigned char __attribute__((__may_alias__)) weak_bits8;
typedef unsigned short __attribute__((__may_alias__)) weak_bits16;
typedef unsigned int __attribute__((__may_alias__)) weak_bits32;
typedef unsigned long long __attribute__((__may_alias__)) weak_bits64;

static inline weak_bits weak_memory(void *at, unsigned size) {
    switch (size) {
    case 1: return *(volatile weak_bits8 *)at;
    case 2: return *(volatile weak_bits16 *)at;
    case 4: return *(volatile weak_bits32 *)at;
    default: return *(volatile weak_bits64 *)at;
    }
}

static inline void weak_set_memory(void *at, unsigned size, weak_bits bits) {
    switch (size) {
    case 1: *(volatile weak_bits8 *)at = (weak_bits8)bits; break;
    case 2: *(volatile weak_bits16 *)at = (weak_bits16)bits; break;
    case 4: *(volatile weak_bits32 *)at = (weak_bits32)bits; break;
    default: *(volatile weak_bits64 *)at = bits;
    }
}

