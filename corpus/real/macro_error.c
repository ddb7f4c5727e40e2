// A mistake in the text of a macro.
//$ verify FILE --model sc
#include <stdatomic.h>
#define PUSH(s, n) do { (n)->next = (s)->top (s)->top = (n); } while (0)
struct node { struct node *next; };
struct stack { struct node *top; };
struct stack s; struct node n;
int main(void) { PUSH(&s, &n); return 0; }
