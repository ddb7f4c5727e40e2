#pragma once
#include "wrappers.h"

struct queue { int value; word full; };
extern struct queue shared;
void queue_put(struct queue *q, int value);
_Bool queue_get(struct queue *q, int *value);
int queue_count(void);
int queue_capacity(void);
