package radio;

final class Peaks { // @def(Peaks)
    private Peaks() {}

    static int peak(int[] samples, int floor) { // @def(peak)
        int best = floor; // peak is no reference here
        for (int s : samples) {
            best = Math.max(best, s);
        }
        return best;
    }

    static void lonely() {} // @def(lonely)
}
