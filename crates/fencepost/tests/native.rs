//! Functions of shared libraries: what they give decides, and whatever goes wrong in a library is said.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Functions of all kinds.
const LIBRARY: &str = "#include <stdio.h>
    #include <stdlib.h>
    #include <unistd.h>
    unsigned long mix(unsigned long a, unsigned b) { return a * 31 + b; }
    signed char narrow(signed char a, short b) { return a - b; }
    double half(double x) { return x / 2; }
    float third(float x) { return x / 3; }
    int crashes(int n) { if (n > 1) *(volatile int *)0 = 1; return n; }
    int hangs(int n) { for (volatile int i = 0;; i++) if (n == 0) return 0; }
    int prints(int n) { puts(\"results\\t1\\t1\"); fflush(stdout); return n + 1; }
    int eats(int n) { while (malloc(1 << 24)) ; abort(); return n; }
    int fills(int n) { for (;;) *(volatile char *)malloc(1 << 24) = n; }
    int exits(int n) { exit(n); }
    int leaves(int n) { while (malloc(1 << 24)) ; exit(1); }
    unsigned sum(const void *p, unsigned n) {
        const unsigned char *bytes = p;
        unsigned all = 0;
        for (unsigned i = 0; i < n; i++) all = all * 256 + bytes[i];
        return all;
    }
    int order(const char *a, const char *b) { return a[0] < b[0] ? -1 : a[0] > b[0]; }
    int forks(int n) { fork(); return n * 10; }
    int closes(int n) { for (int i = 3; i < 64; i++) close(i); for (;;) pause(); return n; }
    int differs(int n) { static int calls; return n + calls++; }
";

/// Two threads fold numbers into one state, each under a lock.
const MIX: &str = "#include <assert.h>
    #include <pthread.h>
    unsigned long mix(unsigned long a, unsigned b);
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    unsigned long state = 1;
    static void add(unsigned by) {
        pthread_mutex_lock(&m);
        state = mix(state, by);
        pthread_mutex_unlock(&m);
    }
    void *other(void *p) { add(3); return 0; }
    int main(void) {
        pthread_t t;
        pthread_create(&t, 0, other, 0);
        add(5);
        pthread_join(t, 0);
        assert(state == 1119 || state == 1059);
#ifdef WRONG
        assert(state != 1059);
#endif
    }";

/// A folder with the library and a program.
struct Case {
    folder: tempfile::TempDir,
}

impl Case {
    fn new(program: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("a.c"), program).expect("it can be written");
        let case = Self { folder };
        case.build(LIBRARY);
        case
    }

    /// Compiles a library.
    fn build(&self, code: &str) {
        std::fs::write(self.path("lib.c"), code).expect("it can be written");
        let compiler = std::env::var("CC").unwrap_or("cc".to_string());
        let done = Command::new(compiler)
            .args(["-shared", "-fPIC", "-w", "-o", "libown.so", "lib.c"])
            .current_dir(self.folder.path())
            .status();
        assert!(done.is_ok_and(|status| status.success()), "a C compiler");
    }

    fn verify(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
        command.args(["verify", "a.c"]).args(arguments).current_dir(self.folder.path());
        command.output().expect("it can be started")
    }

    /// Everything that is printed.
    fn says(&self, arguments: &[&str]) -> String {
        let Output { stdout, stderr, .. } = self.verify(arguments);
        String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr)
    }

    fn path(&self, name: &str) -> PathBuf {
        Path::new(self.folder.path()).join(name)
    }
}

/// A program that calls a function of the library with one number, in the second thread.
fn calling(function: &str, argument: &str) -> String {
    format!(
        "#include <assert.h>
        #include <pthread.h>
        int {function}(int);
        int x;
        void *other(void *p) {{ x = {function}({argument}); return 0; }}
        int main(void) {{
            pthread_t t;
            pthread_create(&t, 0, other, 0);
            pthread_join(t, 0);
            assert(x == {argument} + 1);
        }}"
    )
}

const EXPLORE: [&str; 4] = ["--engine", "explore", "--property", "assert"];

#[test]
fn what_a_library_gives_decides() {
    let case = Case::new(MIX);
    let native = ["--native", "./libown.so:mix"];
    for model in ["sc", "tso", "pso", "rc11"] {
        let asked = [&EXPLORE[..], &native, &["--model", model]].concat();
        let holds = case.verify(&asked);
        assert_eq!(holds.status.code(), Some(0), "{}", case.says(&asked));
        let wrong = case.verify(&[&asked[..], &["-DWRONG"]].concat());
        assert_eq!(wrong.status.code(), Some(1), "on {model}");
    }
    let states = ["--engine", "states", "--property", "assert", "--model", "sc"];
    assert_eq!(case.verify(&[&states[..], &native].concat()).status.code(), Some(0));
}

#[test]
fn programs_with_native_functions_are_explored_and_that_is_said() {
    let case = Case::new(MIX);
    let asked = ["--native", "./libown.so:mix", "--model", "rc11", "--property", "assert"];
    let text = case.says(&asked);
    let line = "on rc11: answered by exploring runs, because the program calls native functions";
    assert!(text.contains("assert      holds") && text.contains(line), "{text}");
}

#[test]
fn a_counterexample_with_native_functions_is_replayed() {
    let case = Case::new(MIX);
    let asked = [&EXPLORE[..], &["--native", "./libown.so:mix", "--model", "sc"]].concat();
    let asked = [&asked[..], &["-DWRONG", "--save", "saved"]].concat();
    assert_eq!(case.verify(&asked).status.code(), Some(1));
    let saved = std::fs::read_dir(case.path("saved")).expect("a folder").next();
    let file = saved.expect("a file").expect("a file").path();
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    let replayed = command.arg("replay").arg(file).current_dir(case.folder.path()).output();
    assert_eq!(replayed.expect("it can be started").status.code(), Some(1));
}

#[test]
fn numbers_of_all_widths_are_passed() {
    let program = "#include <assert.h>
        signed char narrow(signed char a, short b);
        double half(double x);
        float third(float x);
        int main(void) {
            assert(narrow(-100, 27) == -127);
            assert(half(3.0) == 1.5);
            assert(third(4.5f) == 1.5f);
        }";
    let case = Case::new(program);
    let names = ["narrow", "half", "third"].map(|name| format!("./libown.so:{name}"));
    let natives = names.iter().flat_map(|name| ["--native", name]);
    let asked: Vec<&str> = EXPLORE.into_iter().chain(["--model", "sc"]).chain(natives).collect();
    assert_eq!(case.verify(&asked).status.code(), Some(0), "{}", case.says(&asked));
}

#[test]
fn what_goes_wrong_in_a_library_is_named_with_its_arguments() {
    for (function, argument, expected) in [
        ("crashes", "7", "`crashes(7)` crashed (SIGSEGV)"),
        ("hangs", "7", "`hangs(7)` did not return within 2 s"),
        ("closes", "7", "`closes(7)` did not return within 2 s"),
        ("eats", "7", "`eats(7)` ran out of memory (1024 MiB)"),
        ("fills", "7", "`fills(7)` ran out of memory (1024 MiB)"),
        ("leaves", "7", "`leaves(7)` ran out of memory (1024 MiB)"),
        ("exits", "7", "`exits(7)` ended its process, with status 7"),
        ("differs", "7", "`differs(7)` gave 7 and then 8: it is not a function"),
    ] {
        let case = Case::new(&calling(function, argument));
        let native = format!("./libown.so:{function}");
        let asked = [&EXPLORE[..], &["--model", "sc", "--native", &native]].concat();
        let text = case.says(&asked);
        assert!(text.contains("? cut") && text.contains(expected), "{function}: {text}");
    }
    let case = Case::new(&calling("prints", "7"));
    let asked = [&EXPLORE[..], &["--model", "sc", "--native", "./libown.so:prints"]].concat();
    let text = case.says(&asked);
    assert_eq!(case.verify(&asked).status.code(), Some(0), "{text}");
    assert!(text.contains("note: `prints(7)` prints: what it writes is dropped"), "{text}");
}

/// The child of a library that forks answers nothing.
#[test]
fn answers_belong_to_their_calls_where_a_library_forks() {
    let program = "#include <assert.h>
        int forks(int n);
        int narrow(signed char a, short b);
        int main(void) {
            int ten = forks(1), one = narrow(3, 2), twenty = forks(2);
            assert(ten == 10 && one == 1 && twenty == 20);
        }";
    let case = Case::new(program);
    let natives = ["--native", "./libown.so:forks", "--native", "./libown.so:narrow"];
    let asked = [&EXPLORE[..], &["--property", "assert", "--model", "sc"], &natives].concat();
    let text = case.says(&asked);
    assert!(text.contains("assert      holds"), "{text}");
}

/// What goes wrong in one call does not keep the exploration from finding what is wrong elsewhere.
#[test]
fn after_a_crash_the_exploration_goes_on() {
    let program = "#include <assert.h>
        #include <pthread.h>
        #include <stdatomic.h>
        int crashes(int n);
        atomic_int n = 1, x;
        void *other(void *p) { atomic_store(&n, 2); atomic_store(&x, 1); return 0; }
        int main(void) {
            pthread_t t;
            pthread_create(&t, 0, other, 0);
            int got = crashes(atomic_load(&n));
            pthread_join(t, 0);
            assert(got != 1);
        }";
    let case = Case::new(program);
    let native = ["--property", "memory", "--model", "sc", "--native", "./libown.so:crashes"];
    let text = case.says(&[&EXPLORE[..], &native].concat());
    assert!(text.contains("assert      VIOLATED"), "{text}");
    assert!(text.contains("memory      ? cut") && text.contains("`crashes(2)` crashed"), "{text}");
}

/// Libraries run code when they are loaded.
#[test]
fn what_goes_wrong_when_a_library_is_loaded_is_said() {
    let case = Case::new(MIX);
    for (code, expected) in [
        ("*(volatile int *)0 = 1;", "loading `./libown.so:mix` crashed (SIGSEGV)"),
        ("for (volatile int i = 0;; i++) ;", "`./libown.so:mix` does not load in time"),
    ] {
        let code = format!("{LIBRARY} __attribute__((constructor)) void starts(void) {{ {code} }}");
        case.build(&code);
        let output = case.verify(&["--native", "./libown.so:mix", "--model", "sc"]);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn what_cannot_be_called_is_refused_at_its_line() {
    let pointer = "int mix(int *p); int x; int main(void) { return mix(&x); }";
    let nothing = "void mix(int n); int main(void) { mix(1); }";
    let any = "int mix(); int main(void) { return mix(); }";
    for program in [pointer, nothing, any] {
        let case = Case::new(program);
        let output = case.verify(&["--native", "./libown.so:mix"]);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains("`mix` cannot be called as a native function"), "{text}");
        assert!(text.contains("a.c:1:"), "{text}");
    }
    let case = Case::new(MIX);
    let native = ["--native", "./libown.so:mix", "--property", "assert"];
    let text = case.says(&[&native[..], &["--engine", "explore", "--model", "armv8"]].concat());
    assert!(text.contains("stores may come before reads that they do not depend on"), "{text}");
    let text = case.says(&[&native[..], &["--engine", "sat", "--model", "sc"]].concat());
    assert!(text.contains("a call of the native function `./libown.so:mix`"), "{text}");
}

#[test]
fn what_is_not_there_is_an_error() {
    let case = Case::new(MIX);
    for (native, expected) in [
        ("./libnone.so:mix", "cannot load `./libnone.so`"),
        ("./libown.so:mix", ""),
        ("mix", "this does not name a library and a function in it"),
        ("./libown.so:none", "there is no definition of the function `mix`"),
    ] {
        let output = case.verify(&["--native", native, "--property", "assert", "--model", "sc"]);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let expected_code = if expected.is_empty() { 0 } else { 2 };
        assert_eq!(output.status.code(), Some(expected_code), "{native}: {text}");
        assert!(text.contains(expected), "{native}: {text}");
    }
    let case = Case::new("int mix(int n) { return n; } int main(void) { return mix(0); }");
    let text = case.says(&["--native", "./libown.so:mix"]);
    assert!(text.contains("the program uses no function `mix` that it only declares"), "{text}");
    let case = Case::new("int gone(int); int main(void) { return gone(1); }");
    let text = case.says(&["--native", "./libown.so:gone"]);
    assert!(text.contains("`./libown.so` has no function `gone`"), "{text}");
}

/// Two threads write into a buffer that a function of the library reads.
const BYTES: &str = "#include <assert.h>
    #include <pthread.h>
    #include <fencepost.h>
    unsigned sum(const void *p, unsigned n);
    unsigned char buffer[3] = { 1, 2, 3 };
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    unsigned last;
    static void put(int at, unsigned char what) {
        pthread_mutex_lock(&m);
        buffer[at] = what;
        last = sum(fp_bytes(buffer, 3), 3);
        pthread_mutex_unlock(&m);
    }
    void *other(void *p) { put(0, 7); return 0; }
    int main(void) {
        pthread_t t;
        pthread_create(&t, 0, other, 0);
        put(2, 9);
        pthread_join(t, 0);
        assert(last == 7 * 65536 + 2 * 256 + 9);
#ifdef RACE
        pthread_create(&t, 0, other, 0);
        unsigned unprotected = sum(fp_bytes(buffer, 3), 3);
        pthread_join(t, 0);
        assert(unprotected);
#endif
#ifdef OUTSIDE
        last = sum(fp_bytes(buffer + 1, 3), 3);
#endif
    }";

#[test]
fn bytes_are_read_by_the_caller_and_passed() {
    let case = Case::new(BYTES);
    let native = ["--native", "./libown.so:sum"];
    for model in ["sc", "tso", "rc11"] {
        let asked = [&EXPLORE[..], &native, &["--model", model]].concat();
        assert_eq!(case.verify(&asked).status.code(), Some(0), "{model}: {}", case.says(&asked));
    }
    let race = ["--engine", "explore", "--property", "race", "--model", "rc11"];
    let asked = [&race[..], &native, &["-DRACE"]].concat();
    let text = case.says(&asked);
    assert_eq!(case.verify(&asked).status.code(), Some(1), "{text}");
    assert!(text.contains("load buffer[0]"), "{text}");
    let memory = ["--engine", "explore", "--property", "memory", "--model", "sc", "-DOUTSIDE"];
    let text = case.says(&[&memory[..], &native].concat());
    assert!(text.contains("VIOLATED") && text.contains("out of bounds"), "{text}");
}

#[test]
fn only_constant_bytes_are_passed_by_pointers() {
    for (declared, called, expected) in [
        ("int order(char *a, const char *b)", "order(fp_bytes(x, 1), fp_bytes(x, 1))", "constant"),
        ("int order(const int *a, const char *b)", "order(fp_bytes(x, 1), fp_bytes(x, 1))", "byte"),
        ("int order(const char *a, const char *b)", "order(x, fp_bytes(x, 1))", "parameter 1 is"),
        (
            "int order(const char *a, const char *b)",
            "order(fp_bytes(x, 0), x)",
            "between 1 and 256",
        ),
        ("int order(const char *a, const char *b)", "(int)(long)fp_bytes(x, 4)", "stands for"),
    ] {
        let program = format!(
            "#include <fencepost.h>\n{declared};\nchar x[4];\nint main(void) {{ return {called}; }}"
        );
        let case = Case::new(&program);
        let output = case.verify(&["--native", "./libown.so:order"]);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{called}: {text}");
        assert!(text.contains(expected), "{called}: {text}");
    }
}

#[test]
fn a_list_offers_functions_of_which_a_program_calls_some() {
    let case = Case::new(MIX);
    let list = "# The checksums.\n./libown.so:mix   # of numbers\n\n./libown.so:half\n";
    std::fs::create_dir(case.path("lists")).expect("a folder");
    std::fs::write(case.path("lists/natives.txt"), list.replace("./", "../")).expect("written");
    let asked = [&EXPLORE[..], &["--model", "sc", "--native", "@lists/natives.txt"]].concat();
    let wrong = [&asked[..], &["-DWRONG", "--save", "saved"]].concat();
    assert_eq!(case.verify(&asked).status.code(), Some(0), "{}", case.says(&asked));
    assert_eq!(case.verify(&wrong).status.code(), Some(1));
    let saved = std::fs::read_dir(case.path("saved")).expect("a folder").next();
    let file = saved.expect("a file").expect("a file").path();
    let text = std::fs::read_to_string(file).expect("a file");
    assert!(text.contains("libown.so:mix") && !text.contains("half"), "{text}");
    for (list, expected) in [("mix\n", "does not name a library"), ("", "there is no definition")] {
        std::fs::write(case.path("lists/natives.txt"), list).expect("written");
        assert!(case.says(&asked).contains(expected), "{}", case.says(&asked));
    }
    let text = case.says(&[&EXPLORE[..], &["--native", "@none.txt"]].concat());
    assert!(text.contains("cannot read `none.txt`"), "{text}");
}

#[test]
fn where_threads_may_not_stop_functions_of_constants_are_called() {
    let case = Case::new(&calling("prints", "7").replace("== 7 + 1", "== 8"));
    let native = ["--native", "./libown.so:prints", "--model", "armv8", "--model", "relaxed"];
    let asked = [&EXPLORE[..], &native].concat();
    assert_eq!(case.verify(&asked).status.code(), Some(0), "{}", case.says(&asked));
}
