// Casts const away and writes.
static const int limit = 10;

int main(void) {
    *(int *)&limit = 11;
    return limit;
}
