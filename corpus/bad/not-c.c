// Not C at all.
fn main() -> i32 {
    let mut x = vec![1, 2, 3];
    x.push(4);
    println!("{}", x.len());
    0
}
