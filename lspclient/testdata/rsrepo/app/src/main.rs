use radio::{twice_of, Bank, Detector, Receiver}; //@use(twice_of), use(Bank), use(Detector), use(Receiver)

fn main() {
    let rx = Receiver::named("café 📡"); //@use(Receiver), use(Receiver.named)
    println!("{}", "é📡".len() + rx.detect(3) as usize); //@use(Receiver.detect)
    let dynamic: &dyn Detector = &rx; //@use(Detector)
    let é = dynamic.detect(4); //@use(Detector.detect)
    let 信号 = twice_of!(rx, 5); //@use(twice_of)
    let bank = Bank { all: vec![vec![rx.clone()]] }; //@use(Bank)
    assert!(é || 信号 || bank.twice(rx.seen)); //@use(Detector.twice), use(seen)
}
