// Decides a switch by an undefined value.
enum state { IDLE, BUSY };

int main(void) {
    enum state states[2];
    states[0] = IDLE;
    switch (states[1]) {
    case IDLE: return 0;
    case BUSY: return 1;
    }
    return 2;
}
