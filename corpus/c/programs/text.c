/* Text processing: words, reversal, Caesar, base64, run lengths. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static void reverse(char *from, char *to) {
    while (from < to) {
        char t = *from;
        *from++ = *to;
        *to-- = t;
    }
}

static void reverse_words(char *s) {
    reverse(s, s + strlen(s) - 1);
    for (char *start = s, *p = s;; p++)
        if (*p == ' ' || !*p) {
            reverse(start, p - 1);
            start = p + 1;
            if (!*p) break;
        }
}

static void caesar(char *s, int by) {
    for (; *s; s++)
        if (isalpha((unsigned char)*s)) {
            char base = isupper((unsigned char)*s) ? 'A' : 'a';
            *s = (char)(base + (*s - base + by + 26) % 26);
        }
}

static void base64(const char *in, char *out) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t n = strlen(in);
    for (size_t i = 0; i < n; i += 3) {
        unsigned v = 0;
        for (size_t j = 0; j < 3; j++) v = v << 8 | (i + j < n ? (unsigned char)in[i + j] : 0);
        for (size_t j = 0; j < 4; j++) *out++ = i + j <= n ? digits[v >> (18 - 6 * j) & 63] : '=';
    }
    *out = 0;
}

static void runs(const char *s) {
    while (*s) {
        const char *start = s;
        while (*s == *start) s++;
        printf("%c%td", *start, s - start);
    }
    printf("\n");
}

int main(void) {
    char text[] = "the quick brown fox";
    reverse_words(text);
    printf("%s\n", text);
    char secret[] = "Hello, World!";
    caesar(secret, 3);
    printf("%s\n", secret);
    caesar(secret, -3);
    printf("%s\n", secret);
    char out[64];
    for (const char *const *p = (const char *const[]){ "M", "Ma", "Man", "fencepost", 0 }; *p; p++) {
        base64(*p, out);
        printf("%s\n", out);
    }
    runs("aaabccdddd");
    return 0;
}
