package app;

import radio.Detector; // @use(Detector)
import radio.Receiver; // @use(Receiver)

public class Main { // @def(Main)
    public static void main(String[] args) {
        Detector d = new Receiver(); // @use(Detector), use(Receiver)
        System.out.println(d.detect(new int[] {1, 2})); // @use(Detector.detect)
    }
}
