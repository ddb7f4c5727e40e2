/* Digraphs stand for punctuation. */
%: include <stdio.h>
%: define STR(x) %: x
%: define CAT(a, b) a %:%: b

int main(void) <%
    int a<:3:> = <% 1, 2, 3 %>;
    printf("%d %s %d\n", a<:1:>, STR(<:), CAT(1, 2));
    return 0;
%>
