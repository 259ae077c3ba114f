package headwater;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
import org.apache.spark.sql.catalyst.catalog.CatalogTable;
import org.apache.spark.sql.catalyst.catalog.SessionCatalog;
import org.apache.spark.sql.catalyst.catalog.TemporaryViewRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.physical.SinglePartition$;
import org.apache.spark.sql.catalyst.types.DataTypeUtils$;
import org.apache.spark.sql.classic.Dataset;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.classic.SparkSession$;
import org.apache.spark.sql.execution.InputAdapter;
import org.apache.spark.sql.execution.LogicalRDD;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.WholeStageCodegenExec;
import org.apache.spark.sql.execution.arrow.ArrowConverters$;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec;
import org.apache.spark.sql.internal.SessionState;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.collection.immutable.$colon$colon;
import scala.collection.immutable.Map$;
import scala.collection.immutable.Nil$;
import scala.reflect.ClassTag$;

/**
 * A physical plan that runs here, on the thread that asks for it, as often as it is asked: as the one task of a job
 * would run it, but without the job. Its leaves are slots, which have new rows each time. One thread at a time.
 * Several go together in a round, since a question to Java costs Python more than a small answer does.
 *
 * prepared.py compiles this file with Janino, the compiler of Spark's generated code: it knows no type parameters.
 */
public final class PreparedQuery {
    private static final AtomicLong TASKS = new AtomicLong(-1L);
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private static final class OnlyPartition implements Partition {
        public int index() {
            return 0;
        }

        /** What Scala asks of a class that is a Partition. */
        public boolean org$apache$spark$Partition$$super$equals(Object other) {
            return this == other;
        }
    }

    /** The rows of a view: an Arrow stream, or none. */
    public static final class Slot extends RDD {
        private byte[] stream;

        public Slot(SparkContext context) {
            super(context, Nil$.MODULE$, ClassTag$.MODULE$.apply(InternalRow.class));
        }

        public Partition[] getPartitions() {
            return new Partition[] {new OnlyPartition()};
        }

        public scala.collection.Iterator compute(Partition partition, TaskContext context) {
            if (stream == null) {
                return scala.collection.Iterator$.MODULE$.empty();
            }
            return (scala.collection.Iterator) ArrowConverters$.MODULE$.fromIPCStreamWithIterator(stream, context)._1();
        }
    }

    /** Plans the queries of one session, a question to Java each. `nodes` may be in their plans, one name a line. */
    public static final class Planner {
        /** What would make an exchange of its own, or is one. */
        private static final Set GATHERING =
            new HashSet(Arrays.asList(new Object[] {"CollectLimit", "Exchange", "TakeOrderedAndProject"}));

        private static final String TEMPLATE = "template_of_views";
        private static CatalogTable known;

        private final SparkSession session;
        private final SessionCatalog views;
        private final CatalogTable described;
        private final Set nodes;
        private final MemoryManager memory;

        public Planner(Object session, Object nodes, Object memory) {
            this.session = (SparkSession) session;
            this.views = this.session.sessionState().catalog();
            this.described = described(this.session);
            this.nodes = new HashSet(Arrays.asList((Object[]) nodes.toString().split("\n")));
            this.memory = (MemoryManager) memory;
        }

        /** What describes a view. Only that it is one is ever asked of it, as the plan is kept beside it: one does for all. */
        private static synchronized CatalogTable described(SparkSession session) {
            if (known == null) {
                SessionCatalog views = session.sessionState().catalog();
                ((Dataset) session.range(0L)).createOrReplaceTempView(TEMPLATE);
                known = ((TemporaryViewRelation) views.getRawTempView(TEMPLATE).get()).tableMeta();
                views.dropTempView(TEMPLATE);
            }
            return known;
        }

        /**
         * Makes a view of columns that are described in JSON. It is in one partition: what follows needs no exchange.
         * A CREATE VIEW of Spark's would be a command, which is analysed, planned and told to listeners as queries are.
         */
        public Slot open(String name, String columns) throws Throwable {
            Slot slot = new Slot(session.sparkContext());
            Object attributes = DataTypeUtils$.MODULE$.toAttributes((StructType) DataType.fromJson(columns));
            LogicalPlan rows = new LogicalRDD(
                (scala.collection.immutable.Seq) attributes, slot, SinglePartition$.MODULE$,
                (scala.collection.immutable.Seq) (Object) Nil$.MODULE$, false, Option.empty(), session,
                Option.empty(), Option.empty(), false);
            views.createTempView(name, new TemporaryViewRelation(described, Option.apply(rows)), true);
            return slot;
        }

        /** The query over open views; null when it can only run as a job. */
        public PreparedQuery prepare(String text, Object[] slots) throws Throwable {
            // The parser, and operators that are made anew, ask their thread for the session.
            Option before = SparkSession$.MODULE$.getActiveSession();
            SparkSession$.MODULE$.setActiveSession(session);
            try {
                SessionState state = session.sessionState();
                LogicalPlan parsed = state.sqlParser().parsePlan(text);
                SparkPlan plan = state.executePlan(parsed, state.executePlan$default$2()).executedPlan();
                if (!plan.subqueriesAll().isEmpty()) {
                    return null;
                }
                SparkPlan one = inOneTask(plan);
                return one == null ? null : new PreparedQuery(one, slots, session.conf().getAllAsJava(), memory);
            } finally {
                if (before.isDefined()) {
                    SparkSession$.MODULE$.setActiveSession((SparkSession) before.get());
                } else {
                    SparkSession$.MODULE$.clearActiveSession();
                }
            }
        }

        /** As `prepare`, over views that only this query reads: a line each, its name and its columns. */
        public PreparedQuery once(String text, String views) throws Throwable {
            String[] lines = views.split("\n");
            Object[] slots = new Object[lines.length];
            try {
                for (int i = 0; i < lines.length; i++) {
                    int space = lines[i].indexOf(' ');
                    slots[i] = open(lines[i].substring(0, space), lines[i].substring(space + 1));
                }
                return prepare(text, slots);
            } finally {
                for (int i = 0; i < lines.length; i++) {
                    this.views.dropTempView(lines[i].substring(0, lines[i].indexOf(' ')));
                }
            }
        }

        /** The plan without exchanges of what is in one partition anyway; null when more than one task would run it. */
        private SparkPlan inOneTask(SparkPlan plan) {
            List children = new ArrayList();
            for (scala.collection.Iterator each = plan.children().iterator(); each.hasNext();) {
                SparkPlan child = inOneTask((SparkPlan) each.next());
                if (child == null) {
                    return null;
                }
                children.add(child);
            }
            boolean gathered = true;
            scala.collection.immutable.List all = (scala.collection.immutable.List) (Object) Nil$.MODULE$;
            for (int i = children.size() - 1; i >= 0; i--) {
                gathered &= ((SparkPlan) children.get(i)).outputPartitioning().numPartitions() == 1;
                all = new $colon$colon(children.get(i), all);
            }
            String name = plan.nodeName().split(" \\(")[0];
            if (!nodes.contains(name) || (!gathered && GATHERING.contains(name))) {
                return null;
            }
            if (plan instanceof ShuffleExchangeExec) {
                return (SparkPlan) children.get(0);
            }
            return children.isEmpty() ? plan : (SparkPlan) plan.withNewChildren(all);
        }
    }

    /** The plan whose operators each work by themselves: without generated code that does the work of several. */
    private static SparkPlan apart(SparkPlan plan) {
        if (plan instanceof WholeStageCodegenExec || plan instanceof InputAdapter) {
            return apart((SparkPlan) plan.children().head());
        }
        scala.collection.immutable.List all = (scala.collection.immutable.List) (Object) Nil$.MODULE$;
        for (int i = plan.children().size() - 1; i >= 0; i--) {
            all = new $colon$colon(apart((SparkPlan) plan.children().apply(i)), all);
        }
        return all.isEmpty() ? plan : (SparkPlan) plan.withNewChildren(all);
    }

    /** A plan, and its rows once they have been asked for. */
    private static final class Way {
        private final SparkPlan plan;
        private RDD rows;

        Way(SparkPlan plan) {
            this.plan = plan;
        }

        RDD rows() {
            if (rows == null) {
                rows = plan.execute();
            }
            return rows;
        }
    }

    private static final ConcurrentHashMap KNOWN = new ConcurrentHashMap();
    private static final AtomicLong NUMBERS = new AtomicLong();

    private final String number = Long.toString(NUMBERS.getAndIncrement());
    private final Way together;
    private final Way apart;
    private final StructType schema;
    private final Slot[] slots;
    private final Properties interpreted;
    private final Properties compiled;
    private final MemoryManager memory;

    public PreparedQuery(SparkPlan plan, Object[] slots, java.util.Map settings, MemoryManager memory) {
        this.together = new Way(plan);
        // Operators that run keep what they run with, which no other plan may find in them.
        this.apart = new Way(apart((SparkPlan) plan.clone()));
        this.apart.rows();
        this.schema = plan.schema();
        this.slots = new Slot[slots.length];
        for (int i = 0; i < slots.length; i++) {
            this.slots[i] = (Slot) slots[i];
        }
        this.interpreted = with(settings, "NO_CODEGEN");
        this.compiled = with(settings, "FALLBACK");
        this.memory = memory;
        for (Iterator known = KNOWN.values().iterator(); known.hasNext();) {
            if (((WeakReference) known.next()).get() == null) {
                known.remove();
            }
        }
        KNOWN.put(number, new WeakReference(this));
    }

    /** By which a round asks for this query, for as long as somebody has it. */
    public String number() {
        return number;
    }

    /** Whose operators count what they do in all runs of this way. */
    public SparkPlan plan(String way) {
        return way(way).plan;
    }

    /** Which plan runs: of one way or the other, operators are the same. */
    private Way way(String way) {
        return way.equals("apart") ? apart : together;
    }

    private static Properties with(java.util.Map settings, String mode) {
        Properties properties = new Properties();
        properties.putAll(settings);
        properties.setProperty("spark.sql.codegen.factoryMode", mode);
        return properties;
    }

    /**
     * A round of queries, one after the other, on this thread. Each line of `asked` is one: its number; its way, which
     * is "apart", or "together" by code generated at the first such run, or "compiled", with code generated for what
     * operators begin anew at each run, too; and for each of its slots where in the file `input` its stream lies:
     * "from:to", or "-" for none. The file `output` gets the answers, in order: Arrow streams, each behind
     * its length in bytes, then 0, or -1 when the query has failed, of which the others don't suffer; then for how many
     * nanoseconds this thread worked on it. With `raise` the failure is thrown.
     */
    public void round(String input, String output, String asked, boolean raise) throws Throwable {
        byte[] streams = Files.readAllBytes(Paths.get(input, new String[0]));
        DataOutputStream target = new DataOutputStream(
            new BufferedOutputStream(Files.newOutputStream(Paths.get(output, new String[0]))));
        try {
            String[] lines = asked.split("\n");
            for (int i = 0; i < lines.length; i++) {
                String[] words = lines[i].split(" ");
                PreparedQuery query = (PreparedQuery) ((WeakReference) KNOWN.get(words[0])).get();
                int end = 0;
                long begun = THREADS.getCurrentThreadCpuTime();
                try {
                    query.answer(words, streams, target);
                } catch (Throwable failure) {
                    if (raise) {
                        throw failure;
                    }
                    end = -1;
                }
                target.writeInt(end);
                target.writeLong(THREADS.getCurrentThreadCpuTime() - begun);
            }
        } finally {
            target.close();
        }
    }

    private void answer(String[] words, byte[] streams, DataOutputStream target) throws Throwable {
        for (int i = 0; i < slots.length; i++) {
            String place = words[i + 2];
            int colon = place.indexOf(':');
            slots[i].stream = colon < 0 ? null : Arrays.copyOfRange(
                streams, Integer.parseInt(place.substring(0, colon)), Integer.parseInt(place.substring(colon + 1)));
        }
        try {
            run(way(words[1]), words[1].equals("compiled") ? compiled : interpreted, target);
        } finally {
            for (int i = 0; i < slots.length; i++) {
                slots[i].stream = null;
            }
        }
    }

    private void run(Way way, Properties settings, DataOutputStream target) throws Throwable {
        long task = TASKS.getAndDecrement();
        TaskMemoryManager held = new TaskMemoryManager(memory, task);
        TaskContextImpl context = new TaskContextImpl(
            0, 0, 0, task, 0, 1, held, settings, null, new TaskMetrics(),
            scala.math.BigDecimal.valueOf(1L), Map$.MODULE$.empty());
        TaskContext$.MODULE$.setTaskContext(context);
        try {
            Throwable failure = null;
            try {
                write(way.rows(), target, context);
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

    private void write(RDD rows, DataOutputStream output, TaskContext context) throws Throwable {
        Partition[] partitions = rows.partitions();
        for (int i = 0; i < partitions.length; i++) {
            scala.collection.Iterator streams = ArrowConverters$.MODULE$.toBatchWithSchemaIterator(
                rows.iterator(partitions[i], context), schema, 16384L, 4194304L, "UTC", true, false);
            while (streams.hasNext()) {
                byte[] stream = (byte[]) streams.next();
                output.writeInt(stream.length);
                output.write(stream);
            }
        }
    }
}
