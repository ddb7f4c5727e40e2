//! What small programs become, as text.

use crate::pp::{COptions, MemoryLoader};
use execution::span::SourceMap;
use ir::locks::{LockView, LockWord, Purpose};
use std::collections::BTreeMap;
use std::path::Path;

/// The functions of the program's text, without places.
fn lowered(text: &str) -> String {
    let loader = MemoryLoader::new().with("a.c", text);
    let mut sources = SourceMap::new();
    let compiled = crate::compile(Path::new("a.c"), &COptions::default(), &loader, &mut sources);
    let program = match compiled {
        Ok((program, _)) => program,
        Err(errors) => return errors.into_iter().map(|error| error.message + "\n").collect(),
    };
    let text = ir::text::print(&program);
    let functions = text.find("\nfn ").map_or("", |start| &text[start + 1..]);
    let without_place = |line: &str| match line.rfind(" !") {
        Some(at) if !line.starts_with("fn ") => line[..at].trim_end().to_string(),
        _ => line.to_string(),
    };
    functions.lines().map(|line| without_place(line) + "\n").collect()
}

#[test]
fn a_list_is_walked_by_the_names_of_the_source() {
    insta::assert_snapshot!(lowered(
        "struct node { int value; struct node *next; };
         int sum(struct node *n) {
             int total = 0;
             for (; n; n = n->next) total += n->value;
             return total;
         }"
    ));
}

/// The alignments that the accesses of an expression ask for; `c` is a pointer to characters, and
/// `p` one to a struct that is packed or is not.
fn alignments(packed: &str, expression: &str) -> Vec<String> {
    let text = lowered(&format!(
        "typedef int anywhere __attribute__((aligned(1)));
         struct {packed} s {{ char c; int i; struct {{ short x[2]; }} inner; unsigned bits:9; }} s;
         int f(char *c, struct s *p, int n) {{ return {expression}; }}"
    ));
    let word = |line: &str| line.split(" align ").nth(1).map(|rest| rest[..1].to_string());
    let accesses = text.lines().filter(|line| line.contains("load ") || line.contains("store "));
    accesses.map(|line| word(line).unwrap_or_else(|| "1".into())).collect()
}

#[test]
fn an_access_through_a_pointer_asks_for_the_alignment_of_its_type() {
    for (place, plain, packed) in [
        ("*c", "1", "1"),
        ("*(int *)c", "4", "4"),
        ("*(int *)(c + 1)", "4", "4"),
        ("((long *)c)[n]", "8", "8"),
        ("*(anywhere *)c", "1", "1"),
        ("p->c", "1", "1"),
        ("p->i", "4", "1"),
        ("p[n].i", "4", "1"),
        ("p->inner.x[n]", "2", "1"),
        ("*(p->inner.x + n)", "2", "1"),
        ("*&p->i", "4", "1"),
        ("*(int *)&p->i", "4", "4"),
        ("p->bits", "4", "1"),
        ("s.i", "1", "1"),
        ("s.inner.x[n]", "1", "1"),
    ] {
        assert_eq!(alignments("", place), [plain], "{place}");
        assert_eq!(alignments("__attribute__((packed))", place), [packed], "{place}");
    }
    // Reads of a struct by its parts, and writes to a local one.
    let copy = "({ struct s own = *p; 0; })";
    assert!(alignments("", copy).starts_with(&["1".into(), "1".into(), "4".into(), "1".into()]));
    assert!(alignments("__attribute__((packed))", copy).iter().all(|align| align == "1"));
}

#[test]
fn an_array_inside_of_an_object_ends_where_its_type_says() {
    let bounds = |statement: &str| {
        let text = lowered(&format!(
            "struct s {{ int a[2]; int m[3][4]; int marker[0]; int one[1]; int end[1]; }} s;
             struct t {{ int n; int end[]; }};
             int whole[5], matrix[6][7]; _Atomic int atomic[8][9];
             void *f(struct s *p, struct t *t, int (*row)[10], int n) {{ {statement}; return 0; }}"
        ));
        let bounds: Vec<String> =
            text.lines().filter(|line| line.contains("bound ")).map(length).collect();
        bounds.join(" ")
    };
    fn length(line: &str) -> String {
        line.rsplit(' ').next().unwrap_or("").to_string()
    }
    for (statement, expected) in [
        ("s.a[1] = 0", ""),
        ("s.a[2] = 0", "2"),
        ("s.a[-1] = 0", "2"),
        ("s.a[n] = 0", "2"),
        ("return p->a[n] ? p : 0", "2"),
        ("*(p->a + n) = 0", "2"),
        ("p->m[n][n]++", "3 4"),
        ("p->m[2][n] += 2", "4"),
        ("matrix[n][n] = 0", "7"),
        ("matrix[0][7] = 0", "7"),
        ("whole[n] = 0", ""),
        ("p->one[n] = 0", "1"),
        ("p->marker[n] = 0", ""),
        ("p->end[n] = 0", ""),
        ("t->end[n] = 0", ""),
        ("(*row)[n] = 0", ""),
        ("row[n][n] = 0", "10"),
        ("return &p->a[n]", ""),
        ("return p->m[n]", ""),
        ("return &p->m[n][n]", ""),
        ("return __atomic_load_n(&p->a[n], 0) ? p : 0", "2"),
        ("atomic[n][n]++", "9"),
    ] {
        assert_eq!(bounds(statement), expected, "{statement}");
    }
}

#[test]
fn atomic_objects_are_read_and_written_in_one_step() {
    insta::assert_snapshot!(lowered(
        "_Atomic int x;
         _Atomic unsigned char c;
         int f(void) {
             x = 1;
             x += 2;
             c *= 3;
             return x++;
         }"
    ));
}

#[test]
fn a_bit_field_is_merged_into_its_unit() {
    insta::assert_snapshot!(lowered(
        "struct flags { unsigned ready:1; int level:4; } f;
         int raise(void) {
             f.level++;
             return f.level;
         }"
    ));
}

#[test]
fn structs_go_through_memory_that_the_caller_gives() {
    insta::assert_snapshot!(lowered(
        "struct point { int x, y; };
         static struct point swap(struct point p) { return (struct point){ p.y, p.x }; }
         int f(void) {
             struct point p = { .y = 2 };
             p = swap(p);
             return p.x;
         }"
    ));
}

#[test]
fn leaving_an_atomic_section_ends_it() {
    insta::assert_snapshot!(lowered(
        "int lock;
         int try(void) {
             __fp_atomic {
                 if (lock) return 0;
                 lock = 1;
             }
             return 1;
         }"
    ));
}

#[test]
fn dependencies_stay_as_written() {
    let text =
        lowered("int *p, a[4]; int f(int x) { return a[x ^ x] + (x & 0) + *(p + (x - x)); }");
    for operation in ["xor i32 %x, %x", "and i32 %x, 0", "sub.chk i32 %x, %x"] {
        assert!(text.contains(operation), "{text}");
    }
}

#[test]
fn jumps_into_sections_are_refused() {
    let text = "int f(int n) { if (n) goto in; __fp_atomic { n++; in: n++; } return n; }";
    assert_eq!(lowered(text), "this jumps into an atomic section\n");
}

#[test]
fn unused_definitions_are_left_out() {
    let text = lowered(
        "static int unused(void) { return 1; }
         static int used(void) { return 2; }
         int main(void) { return used(); }",
    );
    assert!(text.contains("fn used") && !text.contains("unused"), "{text}");
}

#[test]
fn a_huge_array_costs_no_more_than_its_values() {
    // Were the 64 GiB kept as bytes, this would end the process.
    let text = lowered(
        "char text[1ul << 36] = \"x\";
         int numbers[1ul << 36] = { 1, [0x7fffffff] = 2 };
         int main(void) { return text[0] + numbers[0]; }",
    );
    assert!(text.starts_with("fn main"), "{text}");
}

#[test]
fn whose_a_place_is_does_not_hang_on_the_name_of_its_file() {
    let text =
        "#include <pthread.h>\npthread_mutex_t m;\nint f(void) { return pthread_mutex_lock(&m); }";
    let loader = MemoryLoader::new().with("<f>.c", text);
    let mut sources = SourceMap::new();
    let (program, _) =
        crate::compile(Path::new("<f>.c"), &COptions::default(), &loader, &mut sources).unwrap();
    let is_library = |name: &str| {
        let function = program.functions.iter().find(|function| function.name == name).unwrap();
        program.places[function.place.unwrap()].location.is_library()
    };
    assert!(!is_library("f"));
    assert!(is_library("pthread_mutex_lock"));
    let text = ir::text::print(&program);
    let file = sources.add_file("f.fpir", text.as_str());
    assert_eq!(ir::text::parse(file, &text).unwrap().program, program);
}

/// The functions that access words of locks, with what the words say and how often; and those that
/// recognise their own thread only.
fn lock_facts(text: &str) -> (Vec<(String, LockWord, usize)>, Vec<String>) {
    let loader = MemoryLoader::new().with("a.c", text);
    let mut sources = SourceMap::new();
    let (program, _) =
        crate::compile(Path::new("a.c"), &COptions::default(), &loader, &mut sources).unwrap();
    let mut words: BTreeMap<(String, &str), usize> = BTreeMap::new();
    let mut views = Vec::new();
    for function in &program.functions {
        for inst in function.blocks.iter().flat_map(|block| &block.insts) {
            for access in inst.op.accesses() {
                if let Purpose::LockWord(word) = access.purpose {
                    *words.entry((function.name.clone(), word.name())).or_default() += 1;
                }
            }
        }
        if function.lock_view == LockView::OwnHolderOnly {
            views.push(function.name.clone());
        }
    }
    views.sort();
    let named = |name: &str| LockWord::named(name).unwrap();
    let words = words.into_iter().map(|((function, word), n)| (function, named(word), n)).collect();
    (words, views)
}

#[test]
fn the_headers_say_which_words_are_locks_and_a_program_cannot() {
    let (words, views) = lock_facts(
        "#include <pthread.h>
         #include <checkfence.h>
         pthread_mutex_t m; pthread_spinlock_t s; pthread_rwlock_t r; lock_t l;
         struct own { unsigned long __fp_owner; } o;
         int f(struct own *mutex) {
             pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_spin_lock(&s);
             pthread_rwlock_rdlock(&r); init_lock(&l); lock(&l); unlock(&l);
             return m.__fp_owner + mutex->__fp_owner + s.__fp_owner + l;
         }",
    );
    let words: Vec<_> = words.iter().map(|(f, word, n)| (f.as_str(), word.name(), *n)).collect();
    assert_eq!(
        words,
        [
            ("init_lock", "count", 1),
            ("lock", "count", 1),
            ("pthread_mutex_lock", "owner", 2),
            ("pthread_mutex_unlock", "owner", 2),
            ("pthread_rwlock_rdlock", "count", 1),
            ("pthread_spin_lock", "owner", 1),
            ("unlock", "count", 2),
        ]
    );
    assert_eq!(views, ["pthread_mutex_lock", "pthread_mutex_unlock", "pthread_spin_lock"]);
    for attribute in
        ["__fp_lock_word(\"owner\")", "__fp_own_holder_only", "__fp_role(\"ends-thread\")"]
    {
        let refusal = lowered(&format!("int x __attribute__(({attribute}));"));
        assert!(refusal.ends_with("is for Fencepost's headers\n"), "{refusal}");
    }
}
