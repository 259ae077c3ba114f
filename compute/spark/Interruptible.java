package headwater;

import java.util.concurrent.CancellationException;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.catalyst.trees.TreeNode;
import scala.runtime.AbstractFunction1;

/** Compiled by interruptible.py with Janino, which knows no type parameters. */
public final class Interruptible {
    /** Changes nothing; it stands among Spark's rules, which are applied round after round until a plan stays as it is. */
    public static final class Look extends Rule {
        public TreeNode apply(TreeNode plan) {
            if (Thread.interrupted()) {
                throw new CancellationException("the planner was interrupted");
            }
            return plan;
        }
    }

    /** What makes the rule for a session. */
    public static final class MakeLook extends AbstractFunction1 {
        public Object apply(Object session) {
            return new Look();
        }
    }

    /** Sessions of these extensions that are made from now on look in each round whether their thread was interrupted. */
    public static void extend(Object extensions) {
        SparkSessionExtensions rules = (SparkSessionExtensions) extensions;
        rules.injectResolutionRule(new MakeLook());
        rules.injectOptimizerRule(new MakeLook());
    }
}
