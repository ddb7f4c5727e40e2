/* <sys/queue.h>: lists and queues of BSD that are linked through members of their elements. SIMPLEQ
   is STAILQ under another name. */
#pragma once

#include <stddef.h>

/* ---- singly linked lists ---- */

#define SLIST_HEAD(name, type) struct name { struct type *slh_first; }
#define SLIST_HEAD_INITIALIZER(head) { NULL }
#define SLIST_ENTRY(type) struct { struct type *sle_next; }
#define SLIST_INIT(head) ((void)((head)->slh_first = NULL))
#define SLIST_FIRST(head) ((head)->slh_first)
#define SLIST_NEXT(element, field) ((element)->field.sle_next)
#define SLIST_EMPTY(head) (SLIST_FIRST(head) == NULL)
#define SLIST_INSERT_HEAD(head, element, field)              \
    do {                                                     \
        SLIST_NEXT(element, field) = SLIST_FIRST(head);      \
        SLIST_FIRST(head) = (element);                       \
    } while (0)
#define SLIST_INSERT_AFTER(before, element, field)                     \
    do {                                                               \
        SLIST_NEXT(element, field) = SLIST_NEXT(before, field);        \
        SLIST_NEXT(before, field) = (element);                         \
    } while (0)
#define SLIST_REMOVE_HEAD(head, field) \
    ((void)(SLIST_FIRST(head) = SLIST_NEXT(SLIST_FIRST(head), field)))
#define SLIST_REMOVE_AFTER(before, field) \
    ((void)(SLIST_NEXT(before, field) = SLIST_NEXT(SLIST_NEXT(before, field), field)))
#define SLIST_REMOVE(head, element, type, field)                                     \
    do {                                                                             \
        struct type **__fp_link = &SLIST_FIRST(head);                                \
        while (*__fp_link != (element)) __fp_link = &SLIST_NEXT(*__fp_link, field);   \
        *__fp_link = SLIST_NEXT(*__fp_link, field);                                  \
    } while (0)
#define SLIST_FOREACH(element, head, field) \
    for ((element) = SLIST_FIRST(head); (element); (element) = SLIST_NEXT(element, field))
#define SLIST_FOREACH_SAFE(element, head, field, next)                                  \
    for ((element) = SLIST_FIRST(head);                                                 \
         (element) && ((next) = SLIST_NEXT(element, field), 1); (element) = (next))

/* ---- lists from which an element can be taken without knowing the head ---- */

#define LIST_HEAD(name, type) struct name { struct type *lh_first; }
#define LIST_HEAD_INITIALIZER(head) { NULL }
#define LIST_ENTRY(type) struct { struct type *le_next; struct type **le_prev; }
#define LIST_INIT(head) ((void)((head)->lh_first = NULL))
#define LIST_FIRST(head) ((head)->lh_first)
#define LIST_NEXT(element, field) ((element)->field.le_next)
#define LIST_EMPTY(head) (LIST_FIRST(head) == NULL)
#define LIST_INSERT_HEAD(head, element, field)                                            \
    do {                                                                                  \
        LIST_NEXT(element, field) = LIST_FIRST(head);                                     \
        if (LIST_FIRST(head)) LIST_FIRST(head)->field.le_prev = &LIST_NEXT(element, field); \
        LIST_FIRST(head) = (element);                                                     \
        (element)->field.le_prev = &LIST_FIRST(head);                                     \
    } while (0)
#define LIST_INSERT_AFTER(before, element, field)                                       \
    do {                                                                                \
        LIST_NEXT(element, field) = LIST_NEXT(before, field);                           \
        if (LIST_NEXT(element, field))                                                  \
            LIST_NEXT(element, field)->field.le_prev = &LIST_NEXT(element, field);      \
        LIST_NEXT(before, field) = (element);                                           \
        (element)->field.le_prev = &LIST_NEXT(before, field);                           \
    } while (0)
#define LIST_INSERT_BEFORE(behind, element, field)            \
    do {                                                      \
        (element)->field.le_prev = (behind)->field.le_prev;   \
        LIST_NEXT(element, field) = (behind);                 \
        *(behind)->field.le_prev = (element);                 \
        (behind)->field.le_prev = &LIST_NEXT(element, field); \
    } while (0)
#define LIST_REMOVE(element, field)                                                  \
    do {                                                                             \
        if (LIST_NEXT(element, field))                                               \
            LIST_NEXT(element, field)->field.le_prev = (element)->field.le_prev;     \
        *(element)->field.le_prev = LIST_NEXT(element, field);                       \
    } while (0)
#define LIST_FOREACH(element, head, field) \
    for ((element) = LIST_FIRST(head); (element); (element) = LIST_NEXT(element, field))
#define LIST_FOREACH_SAFE(element, head, field, next)                                   \
    for ((element) = LIST_FIRST(head);                                                  \
         (element) && ((next) = LIST_NEXT(element, field), 1); (element) = (next))

/* ---- singly linked queues ---- */

#define STAILQ_HEAD(name, type) struct name { struct type *stqh_first; struct type **stqh_last; }
#define STAILQ_HEAD_INITIALIZER(head) { NULL, &(head).stqh_first }
#define STAILQ_ENTRY(type) struct { struct type *stqe_next; }
#define STAILQ_INIT(head) \
    ((void)((head)->stqh_first = NULL, (head)->stqh_last = &(head)->stqh_first))
#define STAILQ_FIRST(head) ((head)->stqh_first)
#define STAILQ_NEXT(element, field) ((element)->field.stqe_next)
#define STAILQ_EMPTY(head) (STAILQ_FIRST(head) == NULL)
#define STAILQ_INSERT_HEAD(head, element, field)                                    \
    do {                                                                            \
        STAILQ_NEXT(element, field) = STAILQ_FIRST(head);                           \
        if (!STAILQ_FIRST(head)) (head)->stqh_last = &STAILQ_NEXT(element, field);  \
        STAILQ_FIRST(head) = (element);                                             \
    } while (0)
#define STAILQ_INSERT_TAIL(head, element, field)             \
    do {                                                     \
        STAILQ_NEXT(element, field) = NULL;                  \
        *(head)->stqh_last = (element);                      \
        (head)->stqh_last = &STAILQ_NEXT(element, field);    \
    } while (0)
#define STAILQ_INSERT_AFTER(head, before, element, field)                                    \
    do {                                                                                     \
        STAILQ_NEXT(element, field) = STAILQ_NEXT(before, field);                            \
        if (!STAILQ_NEXT(before, field)) (head)->stqh_last = &STAILQ_NEXT(element, field);   \
        STAILQ_NEXT(before, field) = (element);                                              \
    } while (0)
#define STAILQ_REMOVE_HEAD(head, field)                                             \
    do {                                                                            \
        STAILQ_FIRST(head) = STAILQ_NEXT(STAILQ_FIRST(head), field);                \
        if (!STAILQ_FIRST(head)) (head)->stqh_last = &STAILQ_FIRST(head);           \
    } while (0)
#define STAILQ_REMOVE(head, element, type, field)                                      \
    do {                                                                               \
        struct type **__fp_link = &STAILQ_FIRST(head);                                 \
        while (*__fp_link != (element)) __fp_link = &STAILQ_NEXT(*__fp_link, field);    \
        *__fp_link = STAILQ_NEXT(*__fp_link, field);                                   \
        if (!*__fp_link) (head)->stqh_last = __fp_link;                                \
    } while (0)
#define STAILQ_FOREACH(element, head, field) \
    for ((element) = STAILQ_FIRST(head); (element); (element) = STAILQ_NEXT(element, field))
#define STAILQ_FOREACH_SAFE(element, head, field, next)                                 \
    for ((element) = STAILQ_FIRST(head);                                                \
         (element) && ((next) = STAILQ_NEXT(element, field), 1); (element) = (next))

#define SIMPLEQ_HEAD(name, type) STAILQ_HEAD(name, type)
#define SIMPLEQ_HEAD_INITIALIZER(head) STAILQ_HEAD_INITIALIZER(head)
#define SIMPLEQ_ENTRY(type) STAILQ_ENTRY(type)
#define SIMPLEQ_INIT(head) STAILQ_INIT(head)
#define SIMPLEQ_FIRST(head) STAILQ_FIRST(head)
#define SIMPLEQ_NEXT(element, field) STAILQ_NEXT(element, field)
#define SIMPLEQ_EMPTY(head) STAILQ_EMPTY(head)
#define SIMPLEQ_INSERT_HEAD(head, element, field) STAILQ_INSERT_HEAD(head, element, field)
#define SIMPLEQ_INSERT_TAIL(head, element, field) STAILQ_INSERT_TAIL(head, element, field)
#define SIMPLEQ_INSERT_AFTER(head, before, element, field) \
    STAILQ_INSERT_AFTER(head, before, element, field)
#define SIMPLEQ_REMOVE_HEAD(head, field) STAILQ_REMOVE_HEAD(head, field)
#define SIMPLEQ_REMOVE(head, element, type, field) STAILQ_REMOVE(head, element, type, field)
#define SIMPLEQ_FOREACH(element, head, field) STAILQ_FOREACH(element, head, field)

/* ---- queues that are linked both ways ---- */

#define TAILQ_HEAD(name, type) struct name { struct type *tqh_first; struct type **tqh_last; }
#define TAILQ_HEAD_INITIALIZER(head) { NULL, &(head).tqh_first }
#define TAILQ_ENTRY(type) struct { struct type *tqe_next; struct type **tqe_prev; }
#define TAILQ_INIT(head) ((void)((head)->tqh_first = NULL, (head)->tqh_last = &(head)->tqh_first))
#define TAILQ_FIRST(head) ((head)->tqh_first)
#define TAILQ_NEXT(element, field) ((element)->field.tqe_next)
/* A link back points to the link that points here, the first of two as in a head: the second one
   beside it leads one element further back. */
#define TAILQ_LAST(head, name) (*((struct name *)((head)->tqh_last))->tqh_last)
#define TAILQ_PREV(element, name, field) \
    (*((struct name *)((element)->field.tqe_prev))->tqh_last)
#define TAILQ_EMPTY(head) (TAILQ_FIRST(head) == NULL)
#define TAILQ_INSERT_HEAD(head, element, field)                                        \
    do {                                                                               \
        TAILQ_NEXT(element, field) = TAILQ_FIRST(head);                                \
        if (TAILQ_FIRST(head))                                                         \
            TAILQ_FIRST(head)->field.tqe_prev = &TAILQ_NEXT(element, field);           \
        else                                                                           \
            (head)->tqh_last = &TAILQ_NEXT(element, field);                            \
        TAILQ_FIRST(head) = (element);                                                 \
        (element)->field.tqe_prev = &TAILQ_FIRST(head);                                \
    } while (0)
#define TAILQ_INSERT_TAIL(head, element, field)             \
    do {                                                    \
        TAILQ_NEXT(element, field) = NULL;                  \
        (element)->field.tqe_prev = (head)->tqh_last;       \
        *(head)->tqh_last = (element);                      \
        (head)->tqh_last = &TAILQ_NEXT(element, field);     \
    } while (0)
#define TAILQ_INSERT_AFTER(head, before, element, field)                               \
    do {                                                                               \
        TAILQ_NEXT(element, field) = TAILQ_NEXT(before, field);                        \
        if (TAILQ_NEXT(element, field))                                                \
            TAILQ_NEXT(element, field)->field.tqe_prev = &TAILQ_NEXT(element, field);  \
        else                                                                           \
            (head)->tqh_last = &TAILQ_NEXT(element, field);                            \
        TAILQ_NEXT(before, field) = (element);                                         \
        (element)->field.tqe_prev = &TAILQ_NEXT(before, field);                        \
    } while (0)
#define TAILQ_INSERT_BEFORE(behind, element, field)              \
    do {                                                         \
        (element)->field.tqe_prev = (behind)->field.tqe_prev;    \
        TAILQ_NEXT(element, field) = (behind);                   \
        *(behind)->field.tqe_prev = (element);                   \
        (behind)->field.tqe_prev = &TAILQ_NEXT(element, field);  \
    } while (0)
#define TAILQ_REMOVE(head, element, field)                                             \
    do {                                                                               \
        if (TAILQ_NEXT(element, field))                                                \
            TAILQ_NEXT(element, field)->field.tqe_prev = (element)->field.tqe_prev;    \
        else                                                                           \
            (head)->tqh_last = (element)->field.tqe_prev;                              \
        *(element)->field.tqe_prev = TAILQ_NEXT(element, field);                       \
    } while (0)
#define TAILQ_FOREACH(element, head, field) \
    for ((element) = TAILQ_FIRST(head); (element); (element) = TAILQ_NEXT(element, field))
#define TAILQ_FOREACH_REVERSE(element, head, name, field) \
    for ((element) = TAILQ_LAST(head, name); (element); (element) = TAILQ_PREV(element, name, field))
#define TAILQ_FOREACH_SAFE(element, head, field, next)                                  \
    for ((element) = TAILQ_FIRST(head);                                                 \
         (element) && ((next) = TAILQ_NEXT(element, field), 1); (element) = (next))
