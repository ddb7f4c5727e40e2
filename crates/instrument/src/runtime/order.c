/* ---- the order of memory ---- */

@POINTS/* A read-modify-write is one point of the order, which its load stands for. */
@POINTS#define weak_point(number) (weak_has(weak_graph.updates, number) ? (int)(number) - 1 : (int)(number))
@TWO/* The two events of a read-modify-write are two points of the order. */
@TWO#define weak_point(number) ((int)(number))

/* Orders the events of a set before an event, and so what is before them before what is after it.
   The model forbids executions in which that is a cycle. */
static inline void weak_order(weak_set first, int second) {
    weak_set gained = 0;
    second = weak_point(second);
    weak_each(one, first) {
        int point = weak_point(one);
        if (point != second) gained |= weak_one(point) | weak_event(point)->before;
    }
    gained &= ~weak_event(second)->before;
    if (gained == 0) return;
    if (weak_has(gained, second)) weak_graph.broken = 1;
    weak_each(other, weak_graph.loads | weak_graph.stores)
        if ((int)other == second || weak_has(weak_event(other)->before, second))
            weak_event(other)->before |= gained;
}

/* The loads of its thread that an event depends on: at some places in the text, given as a set, the last
   load before it; at others, the loads before that one. */
static inline weak_set weak_loads_at(int event, struct weak_places places) {
    weak_set found = 0, passed = 0;
    if ((places.last | places.older) == 0) return 0;
    for (int number = event - 1; number >= weak_self * WEAK_EVENTS; number--) {
        if (!weak_has(weak_graph.loads, number)) continue;
        int site = weak_event(number)->site;
        if (weak_has(weak_has(passed, site) ? places.older : places.last, site))
            found |= weak_one(number);
        passed |= weak_one(site);
    }
    return found;
}
