package radio;

import static org.junit.Assert.assertEquals;

import java.util.List;
import org.junit.Test;

public class ReceiverTest {
    @Test
    public void findsTheLargest() {
        assertEquals(3, Peaks.peak(new int[] {1, 3}, 0)); // @use(peak), use(Peaks)
        Detector d = new Receiver(); // @use(Detector), use(Receiver)
        assertEquals(2, Receiver.countAll(List.of(d, d))); // @use(countAll), use(Receiver)
    }
}
