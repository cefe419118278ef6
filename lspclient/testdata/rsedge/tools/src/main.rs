use wire::{carrier, mark::first, Loud}; //@use(carrier), use(first), use(Loud)

mod broken;

fn main() { //@def(main)
    assert!(vec![first()].len() > wire::mark::second()); //@use(first), use(second), calls(main, first), calls(main, second)
    let tone = Loud; //@use(Loud)
    let é = carrier() + first(); //@use(carrier), use(first), calls(main, carrier), calls(main, first)
    println!("{}", "📡".len() + é + wire::listen(&tone)); //@use(listen), calls(main, listen)
} // no end of line