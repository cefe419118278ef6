package radio;

import java.util.List;

/** A receiver that fits on a page. */
public class Receiver implements Detector { // @def(Receiver), use(Detector)
    enum Mode { WIDE, NARROW } // @def(Mode)

    static class Bank { // @def(Bank)
        int size() { return 3; } // @def(Bank.size)
    }

    private final Bank bank = new Bank(); // @use(Bank)
    Mode mode = Mode.WIDE; // @use(Mode)

    @Override
    public int detect(int[] samples) { // @def(Receiver.detect)
        return Peaks.peak(samples, bank.size()); // @use(Bank.size), use(peak), use(Peaks)
    }

    public static int countAll(List<Detector> all) { // @def(countAll), use(Detector)
        return all.size();
    }
}
