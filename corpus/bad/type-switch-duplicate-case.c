// One case twice, one inside a range, and two defaults.
int main(int argc, char **argv) {
    switch (argc) {
    case 1: return 1;
    case 2 ... 5: return 2;
    case 4: return 3;
    case 1: return 4;
    default: return 5;
    default: return 6;
    }
}
