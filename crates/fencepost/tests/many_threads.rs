//! Bugs of programs with so many threads that nobody visits all their states.

use std::process::Command;

/// Verifies a program, and expects that a property is violated on some models.
fn is_violated(program: &str, property: &str, models: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("program.c"), program).expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    command.current_dir(folder.path()).args(["verify", "program.c", "--property", property]);
    models.iter().for_each(|model| {
        command.args(["--model", model]);
    });
    let output = command.output().expect("the program starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let verdicts: Vec<&str> = text.lines().nth(2).unwrap_or_default().split_whitespace().collect();
    assert_eq!(verdicts[1..], vec!["VIOLATED"; models.len()], "{text}");
    text
}

/// A program whose threads are those of `start`, a function from numbers to functions.
fn program(threads: usize, start: &str, text: &str) -> String {
    format!(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdint.h>\n#include <stdlib.h>\n\
         enum {{ THREADS = {threads} }};\n{text}\nint main(void) {{\n  \
         pthread_t thread[THREADS];\n  begin();\n  \
         for (int i = 0; i < THREADS; i++)\n    \
         pthread_create(&thread[i], NULL, {start}, (void *)(intptr_t)i);\n  \
         for (int i = 0; i < THREADS; i++)\n    pthread_join(thread[i], NULL);\n  \
         end();\n  return 0;\n}}\n"
    )
}

/// The reader must come between the two halves of a writer, and before all others.
const HALVES: &str = "
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
static int first, second;
static void begin(void) {}
static void end(void) {}
static void *write(void *unused) {
    pthread_mutex_lock(&one); first = 1; pthread_mutex_unlock(&one);
    pthread_mutex_lock(&two); second = 1; pthread_mutex_unlock(&two);
    return unused;
}
static void *read(void *unused) {
    pthread_mutex_lock(&one); int a = first; pthread_mutex_unlock(&one);
    pthread_mutex_lock(&two); int b = second; pthread_mutex_unlock(&two);
    assert(a == b);
    return unused;
}
";

#[test]
fn a_reader_between_the_halves_of_one_of_many_writers_is_found() {
    let text = program(40, "i == THREADS - 1 ? read : write", HALVES);
    let told = is_violated(&text, "assert", &["sc", "tso", "relaxed"]);
    // Threads that have nothing to do with it are left out.
    let columns = told.lines().filter(|line| line.contains("thread 1")).count();
    assert!(columns <= 3 && told.lines().count() < 150, "{told}");
}

#[test]
fn a_circle_of_many_locks_is_found() {
    let text = "
static pthread_mutex_t fork[THREADS];
static void begin(void) {
    for (int i = 0; i < THREADS; i++) pthread_mutex_init(&fork[i], NULL);
}
static void end(void) {}
static void *eat(void *argument) {
    int seat = (int)(intptr_t)argument;
    pthread_mutex_lock(&fork[seat]);
    pthread_mutex_lock(&fork[(seat + 1) % THREADS]);
    pthread_mutex_unlock(&fork[(seat + 1) % THREADS]);
    pthread_mutex_unlock(&fork[seat]);
    return NULL;
}
";
    is_violated(&program(30, "eat", text), "deadlock", &["relaxed"]);
    is_violated(&program(70, "eat", text), "deadlock", &["sc"]);
}

#[test]
fn the_one_of_many_threads_that_takes_no_lock_is_found() {
    let text = "
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void begin(void) {}
static void end(void) { assert(count == THREADS); }
static void *add(void *argument) {
    int locks = (int)(intptr_t)argument != THREADS / 2;
    if (locks) pthread_mutex_lock(&lock);
    count++;
    if (locks) pthread_mutex_unlock(&lock);
    return NULL;
}
";
    is_violated(&program(30, "add", text), "assert", &["sc", "tso", "armv8"]);
}

/// The one that uses the block after it has given up its claim must be stopped just there, and the
/// last of the others must come to its end.
#[test]
fn the_one_of_many_threads_that_uses_what_it_gave_up_is_found() {
    let text = "
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *data, users;
static void begin(void) { data = malloc(sizeof(int)); }
static void end(void) {}
static void *use(void *argument) {
    int late = (int)(intptr_t)argument == THREADS - 3;
    pthread_mutex_lock(&lock);
    int *mine = data;
    users += mine != NULL;
    pthread_mutex_unlock(&lock);
    if (mine == NULL) return NULL;
    if (!late) *mine = 1;
    pthread_mutex_lock(&lock);
    users--;
    if (users == 0 && !late) { free(data); data = NULL; }
    pthread_mutex_unlock(&lock);
    if (late) *mine = 2;
    return NULL;
}
";
    is_violated(&program(16, "use", text), "memory", &["sc", "relaxed"]);
}
