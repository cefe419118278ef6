//! Carries signals.

pub mod mark;
pub mod over;

/// Has power.
pub trait Signal { //@def(Signal)
    fn power(&self) -> usize; //@def(Signal.power), name("wire::Signal::power"), name("Signal#power"), many("power")
}

pub struct Loud; //@def(Loud)

impl Signal for Loud { //@use(Signal), use(Loud), impl(Signal)
    fn power(&self) -> usize { 2 } //@def(Loud.power), impl(Signal.power), name("wire::Loud::power"), name("Loud::power"), name("Loud#power"), many("power")
}

pub fn listen(signal: &dyn Signal) -> usize { //@def(listen), use(Signal), name("wire::listen"), hover(listen, "listen")
    let icon = "📡 é"; icon.len() + signal.power() //@use(Signal.power), calls(listen, Signal.power), snap(5, icon)
}

/// The carrier wave.
pub fn carrier() -> usize { //@def(carrier), rename(carrier, wave), hover(carrier, "The carrier wave")
    "📡".len() + listen(&Loud) //@use(listen), use(Loud), calls(carrier, listen)
}
