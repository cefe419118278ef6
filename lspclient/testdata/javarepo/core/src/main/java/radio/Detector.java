package radio;

/** Finds a signal. */
public interface Detector { // @def(Detector)
    int detect(int[] samples); // @def(Detector.detect)
}
