package headwater;

/** Compiled by orphan.py with Janino, which knows no type parameters. */
public final class ParentWatch extends Thread {
    private final ProcessHandle parent;
    private final long graceMillis;

    private ParentWatch(ProcessHandle parent, long graceMillis) {
        super("watch over the parent");
        this.parent = parent;
        this.graceMillis = graceMillis;
    }

    /** Halts this process, whatever it does, some time after the parent has ended: hooks at its end may be stuck. */
    public static void begin(ProcessHandle parent, long graceMillis) {
        ParentWatch watch = new ParentWatch(parent, graceMillis);
        watch.setDaemon(true);
        watch.setPriority(Thread.MAX_PRIORITY);
        watch.start();
    }

    public void run() {
        while (parent.isAlive()) {
            pause(1000L);
        }
        pause(graceMillis);
        Runtime.getRuntime().halt(53);
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException ignored) {
            // The watch goes on.
        }
    }
}
