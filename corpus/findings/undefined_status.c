// Returns an undefined value from main.
static int last(int *numbers) { return numbers[3]; }

int main(void) {
    int numbers[4];
    numbers[0] = 0;
    return last(numbers);
}
