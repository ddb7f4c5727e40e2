// Jumps out of nothing.
int main(void) {
    break;
    continue;
    case 1: ;
    return 0;
}
