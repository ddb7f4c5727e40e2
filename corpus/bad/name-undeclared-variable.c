// A misspelt variable.
int main(void) {
    int count = 0;
    cuont++;
    return count;
}
