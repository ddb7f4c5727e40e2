// One closing brace too many.
int main(void) {
    return 0;
}}
