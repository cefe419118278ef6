pub fn whole() -> (&'static str, usize) {
    ("📡é", taken(1, 2)) //@wrong()
}

fn taken(n: usize) -> usize { n }
