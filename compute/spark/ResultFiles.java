package headwater;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.SQLExecution$;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.arrow.ArrowConverters$;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.collection.Iterator;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction0;
import scala.runtime.AbstractFunction2;

/**
 * Runs a plan whose tasks write their rows to files, each as it makes them: however many there are, a task holds one
 * batch of them, and nothing of them passes through the driver.
 *
 * collect.py compiles this file with Janino, the compiler of Spark's generated code: it knows no type parameters.
 */
public final class ResultFiles {
    /** In a task: the name of the file with its rows, Arrow streams, each behind its length; "" when it has none. */
    public static final class Write extends AbstractFunction2 implements Serializable {
        private final String directory;
        private final StructType schema;
        private final long rows;
        private final long bytes;

        public Write(String directory, StructType schema, long rows, long bytes) {
            this.directory = directory;
            this.schema = schema;
            this.rows = rows;
            this.bytes = bytes;
        }

        public Object apply(Object task, Object given) {
            Iterator taken = (Iterator) given;
            if (!taken.hasNext()) {
                return "";
            }
            TaskContext context = (TaskContext) task;
            String name = context.partitionId() + "-" + context.taskAttemptId();
            Iterator streams = ArrowConverters$.MODULE$.toBatchWithSchemaIterator(
                taken, schema, rows, bytes, "UTC", true, false);
            try {
                write(Paths.get(directory, new String[] {name}), streams, context);
            } catch (java.io.IOException error) {
                throw new java.io.UncheckedIOException(error);
            }
            return name;
        }

        private void write(Path file, Iterator streams, TaskContext context) throws java.io.IOException {
            DataOutputStream output = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)));
            try {
                while (streams.hasNext()) {
                    if (context.isInterrupted()) {
                        throw new java.util.concurrent.CancellationException("the task was cancelled");
                    }
                    byte[] stream = (byte[]) streams.next();
                    output.writeInt(stream.length);
                    output.write(stream);
                }
            } finally {
                output.close();
            }
        }
    }

    /** The names of the files, in the order of the rows, with a line for each task. */
    public static String run(final QueryExecution query, final String directory, final long rows, final long bytes) {
        return (String) SQLExecution$.MODULE$.withNewExecutionId(query, Option.apply("result"), new AbstractFunction0() {
            public Object apply() {
                SparkPlan plan = query.executedPlan();
                plan.resetMetrics();
                RDD result = plan.execute();
                Write write = new Write(directory, plan.schema(), rows, bytes);
                Object names = result.context().runJob(result, write, ClassTag$.MODULE$.apply(String.class));
                return String.join("\n", (String[]) names);
            }
        });
    }

    /** Ends this process when a thread of Spark's own ends for want of memory: what would be left does nothing more. */
    public static void endWhenExhausted() {
        Thread.setDefaultUncaughtExceptionHandler(new Thread.UncaughtExceptionHandler() {
            public void uncaughtException(Thread thread, Throwable error) {
                if (error instanceof VirtualMachineError && !(error instanceof StackOverflowError)) {
                    Runtime.getRuntime().halt(52);
                }
            }
        });
    }
}
