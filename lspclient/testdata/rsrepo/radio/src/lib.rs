//! A receiver that fits on a page.

mod bank;
mod third;

pub use bank::Bank; //@use(Bank)

/// Finds a signal.
pub trait Detector { //@def(Detector)
    fn detect(&self, n: usize) -> bool; //@def(Detector.detect)

    fn twice(&self, n: usize) -> bool { //@def(Detector.twice)
        self.detect(n) && self.detect(2 * n) //@use(Detector.detect)
    }
}

#[derive(Debug, Clone, Default)]
pub struct Receiver<T> { //@def(Receiver)
    pub name: T,
    pub seen: usize, //@def(seen)
}

impl<T> Receiver<T> { //@use(Receiver)
    pub fn named(name: T) -> Self { //@def(Receiver.named), use(Receiver)
        Receiver { name, seen: 0 } //@use(Receiver), use(seen)
    }
}

impl<T> Detector for Receiver<T> { //@use(Detector), use(Receiver)
    fn detect(&self, n: usize) -> bool { //@def(Receiver.detect)
        peak(self.seen + n) > 2 //@use(peak), use(seen)
    }
}

pub(crate) fn peak(n: usize) -> usize { n / 2 } //@def(peak)

fn lonely() {} //@def(lonely)

/// Asks twice.
#[macro_export]
macro_rules! twice_of { //@def(twice_of)
    ($rx:expr, $n:expr) => {
        $rx.detect($n) && $rx.detect($n)
    };
}

#[cfg(feature = "loud")]
pub fn shout() -> usize { peak(9) } //@use(peak)

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves() {
        assert_eq!(peak(4), 2); //@use(peak)
    }
}
