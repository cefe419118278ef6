use crate::{peak, Detector, Receiver}; //@use(peak), use(Detector), use(Receiver)

/// Many receivers, and lists of lists of them.
pub struct Bank<T> { //@def(Bank)
    pub all: Vec<Vec<Receiver<T>>>, //@use(Receiver)
}

impl<T> Detector for Bank<T> { //@use(Detector), use(Bank)
    fn detect(&self, n: usize) -> bool { //@def(Bank.detect)
        let any = |rx: &Receiver<T>| rx.detect(n); //@use(Receiver), use(Receiver.detect)
        self.all.iter().flatten().any(any) || peak(n) > 1 //@use(peak)
    }
}
