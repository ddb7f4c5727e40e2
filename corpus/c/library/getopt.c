/* Options of a command line. */
#include <stdio.h>
#include <unistd.h>

static void parse(int count, char **arguments, const char *options) {
    int letter;
    optind = 1;
    opterr = 0;
    while ((letter = getopt(count, arguments, options)) != -1) {
        printf("%c", letter);
        if (letter == '?' || letter == ':') printf("(%c)", optopt);
        else if (optarg) printf("=%s", optarg);
        printf(" ");
    }
    printf("then");
    for (int i = optind; i < count; i++) printf(" %s", arguments[i]);
    printf("\n");
}

int main(void) {
    char *one[] = { "p", "-a", "-n", "5", "-bc", "-n7", "rest", 0 };
    parse(7, one, "abcn:");
    char *two[] = { "p", "-ab", "--", "-c", 0 };
    parse(4, two, "abc");
    char *three[] = { "p", "-x", "-n", 0 };
    parse(3, three, "n:");
    char *four[] = { "p", "-ax", "-n", 0 };
    parse(3, four, ":an:");
    char *five[] = { "p", "-", "x", 0 };
    parse(3, five, "a");
    return 0;
}
