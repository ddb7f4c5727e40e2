// Many independent mistakes: each is reported once, up to a bound.
int main(void) {
    int v0 = 1 + ;
    int v1 = 1 + ;
    int v2 = 1 + ;
    int v3 = 1 + ;
    int v4 = 1 + ;
    int v5 = 1 + ;
    int v6 = 1 + ;
    int v7 = 1 + ;
    int v8 = 1 + ;
    int v9 = 1 + ;
    int v10 = 1 + ;
    int v11 = 1 + ;
    int v12 = 1 + ;
    int v13 = 1 + ;
    int v14 = 1 + ;
    int v15 = 1 + ;
    int v16 = 1 + ;
    int v17 = 1 + ;
    int v18 = 1 + ;
    int v19 = 1 + ;
    int v20 = 1 + ;
    int v21 = 1 + ;
    int v22 = 1 + ;
    int v23 = 1 + ;
    int v24 = 1 + ;
    int v25 = 1 + ;
    int v26 = 1 + ;
    int v27 = 1 + ;
    int v28 = 1 + ;
    int v29 = 1 + ;
    return 0;
}
