// Writes to a member of an object at address zero.
struct queue { long head, tail; };

static void reset(struct queue *q) {
    q->head = 0;
    q->tail = 0;
}

int main(void) {
    struct queue *q = 0;
    reset(q);
    return 0;
}
