/* Wide, UTF-16, UTF-32 and UTF-8 literals. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    wchar_t w[] = L"a\u00e9\U0001F600";
    typeof(u'x') h[] = u"a\u00e9\U0001F600";
    typeof(U'x') d[] = U"a\u00e9\U0001F600";
    unsigned char p[] = u8"a\u00e9\U0001F600";
    printf("%zu %zu %zu %zu\n", sizeof w, sizeof h, sizeof d, sizeof p);
    for (int i = 0; w[i]; i++) printf("%x ", (unsigned)w[i]);
    for (int i = 0; h[i]; i++) printf("%x ", h[i]);
    for (int i = 0; d[i]; i++) printf("%x ", d[i]);
    for (int i = 0; p[i]; i++) printf("%x ", p[i]);
    printf("\n");
    const wchar_t *joined = L"ab" "cd";
    printf("%c%c %zu\n", (char)joined[2], (char)joined[3], sizeof(L"ab" "cd"));
    printf("%x %x %x\n", u'\u00e9', U'\U0001F600', (unsigned)L'\xff');
    printf("%zu %zu %zu\n", sizeof u'a', sizeof U'a', sizeof L'a');
    printf("%d\n", L"index"[3] == L'e');
    return 0;
}
