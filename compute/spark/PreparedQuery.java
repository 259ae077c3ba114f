package headwater;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.Partition;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskContext$;
import org.apache.spark.TaskContextImpl;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.memory.MemoryManager;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.arrow.ArrowConverters$;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.collection.Iterator;
import scala.collection.immutable.Map$;
import scala.collection.immutable.Nil$;
import scala.reflect.ClassTag$;

/**
 * A physical plan that runs here, on the thread that asks for it, as often as it is asked: as the one task of a job
 * would run it, but without the job. Its leaves are slots, which have new rows each time. One thread at a time.
 *
 * prepared.py compiles this file with Janino, the compiler of Spark's generated code: it knows no type parameters.
 */
public final class PreparedQuery {
    private static final AtomicLong TASKS = new AtomicLong(-1L);

    private static final class OnlyPartition implements Partition {
        public int index() {
            return 0;
        }

        /** What Scala asks of a class that is a Partition. */
        public boolean org$apache$spark$Partition$$super$equals(Object other) {
            return this == other;
        }
    }

    /** The rows of a view: an Arrow stream in the file of that name, when there is one. */
    public static final class Slot extends RDD {
        private final String name;
        private Path directory;

        public Slot(SparkContext context, String name) {
            super(context, Nil$.MODULE$, ClassTag$.MODULE$.apply(InternalRow.class));
            this.name = name;
        }

        public Partition[] getPartitions() {
            return new Partition[] {new OnlyPartition()};
        }

        public Iterator compute(Partition partition, TaskContext context) {
            Path file = directory.resolve(name);
            if (!Files.exists(file)) {
                return scala.collection.Iterator$.MODULE$.empty();
            }
            try {
                byte[] stream = Files.readAllBytes(file);
                return (Iterator) ArrowConverters$.MODULE$.fromIPCStreamWithIterator(stream, context)._1();
            } catch (java.io.IOException error) {
                throw new java.io.UncheckedIOException(error);
            }
        }
    }

    private final RDD rows;
    private final StructType schema;
    private final Slot[] slots;
    private final Properties interpreted;
    private final Properties compiled;
    private final MemoryManager memory;

    public PreparedQuery(SparkPlan plan, Object[] slots, java.util.Map settings, MemoryManager memory) {
        this.rows = plan.execute();
        this.schema = plan.schema();
        this.slots = new Slot[slots.length];
        for (int i = 0; i < slots.length; i++) {
            this.slots[i] = (Slot) slots[i];
        }
        this.interpreted = with(settings, "NO_CODEGEN");
        this.compiled = with(settings, "FALLBACK");
        this.memory = memory;
    }

    private static Properties with(java.util.Map settings, String mode) {
        Properties properties = new Properties();
        properties.putAll(settings);
        properties.setProperty("spark.sql.codegen.factoryMode", mode);
        return properties;
    }

    /**
     * Reads the slots' files in the directory, and writes the rows to its file `target`: Arrow streams, each behind
     * its length in bytes. `compile`: also generates code for what operators begin anew at each run.
     */
    public void run(String directory, String target, boolean compile) throws Throwable {
        Path where = Paths.get(directory, new String[0]);
        for (int i = 0; i < slots.length; i++) {
            slots[i].directory = where;
        }
        long task = TASKS.getAndDecrement();
        TaskMemoryManager held = new TaskMemoryManager(memory, task);
        TaskContextImpl context = new TaskContextImpl(
            0, 0, 0, task, 0, 1, held, compile ? compiled : interpreted, null, new TaskMetrics(),
            scala.math.BigDecimal.valueOf(1L), Map$.MODULE$.empty());
        TaskContext$.MODULE$.setTaskContext(context);
        try {
            Throwable failure = null;
            try {
                write(where.resolve(target), context);
            } catch (Throwable error) {
                failure = error;
                context.markTaskFailed(error);
            }
            context.markTaskCompleted(Option.apply(failure));
            if (failure != null) {
                throw failure;
            }
        } finally {
            TaskContext$.MODULE$.unset();
            held.cleanUpAllAllocatedMemory();
        }
    }

    private void write(Path target, TaskContext context) throws Throwable {
        DataOutputStream output = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(target)));
        try {
            Partition[] partitions = rows.partitions();
            for (int i = 0; i < partitions.length; i++) {
                Iterator streams = ArrowConverters$.MODULE$.toBatchWithSchemaIterator(
                    rows.iterator(partitions[i], context), schema, 16384L, 4194304L, "UTC", true, false);
                while (streams.hasNext()) {
                    byte[] stream = (byte[]) streams.next();
                    output.writeInt(stream.length);
                    output.write(stream);
                }
            }
        } finally {
            output.close();
        }
    }
}
