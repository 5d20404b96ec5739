import java.beans.PropertyDescriptor;
import java.io.BufferedReader;
import java.io.File;
import java.io.FileReader;
import java.io.PrintWriter;
import javax.swing.DefaultListModel;
import weka.classifiers.Classifier;
import weka.classifiers.bayes.NaiveBayes;
import weka.classifiers.lazy.IBk;
import weka.classifiers.trees.J48;
import weka.core.Instances;
import weka.core.Range;
import weka.experiment.CSVResultListener;
import weka.experiment.ClassifierSplitEvaluator;
import weka.experiment.CrossValidationResultProducer;
import weka.experiment.Experiment;
import weka.experiment.InstancesResultListener;
import weka.experiment.PairedCorrectedTTester;
import weka.experiment.PropertyNode;
import weka.experiment.ResultMatrixPlainText;

/** Weka's Experimenter (four learners, ten times ten folds, on the ARFF files given) and its own tables of verdicts. */
public class MakeResults {
    public static void main(String[] files) throws Exception {
        CSVResultListener comma = new CSVResultListener();
        comma.setOutputFile(new File("results.csv"));
        run(comma, files);
        InstancesResultListener arff = new InstancesResultListener();
        arff.setOutputFile(new File("results.arff"));
        run(arff, files);
        try (PrintWriter tables = new PrintWriter("tables.txt")) {
            for (String measure : new String[] {"Percent_correct", "Root_mean_squared_error", "Area_under_ROC"}) {
                for (int base = 0; base < 4; base++) {
                    tables.println(table(measure, base));
                }
            }
        }
    }

    static void run(CSVResultListener kept, String[] files) throws Exception {
        ClassifierSplitEvaluator evaluator = new ClassifierSplitEvaluator();
        CrossValidationResultProducer folds = new CrossValidationResultProducer();
        folds.setNumFolds(10);
        folds.setSplitEvaluator(evaluator);
        Experiment experiment = new Experiment();
        experiment.setUsePropertyIterator(true);
        experiment.setResultProducer(folds);
        experiment.setPropertyPath(new PropertyNode[] {
            new PropertyNode(evaluator,
                new PropertyDescriptor("splitEvaluator", CrossValidationResultProducer.class),
                CrossValidationResultProducer.class),
            new PropertyNode(evaluator.getClassifier(),
                new PropertyDescriptor("classifier", ClassifierSplitEvaluator.class),
                ClassifierSplitEvaluator.class),
        });
        experiment.setPropertyArray(new Classifier[] {new J48(), new NaiveBayes(), new IBk(1), new IBk(9)});
        experiment.setRunLower(1);
        experiment.setRunUpper(10);
        DefaultListModel<File> listed = new DefaultListModel<>();
        for (String file : files) {
            listed.addElement(new File(file));
        }
        experiment.setDatasets(listed);
        experiment.setResultListener(kept);
        experiment.initialize();
        experiment.runExperiment();
        experiment.postProcess();
    }

    static String table(String measure, int base) throws Exception {
        Instances results = new Instances(new BufferedReader(new FileReader("results.arff")));
        PairedCorrectedTTester tester = new PairedCorrectedTTester();
        tester.setInstances(results);
        tester.setDatasetKeyColumns(new Range("1"));
        tester.setRunColumn(results.attribute("Key_Run").index());
        tester.setFoldColumn(results.attribute("Key_Fold").index());
        tester.setResultsetKeyColumns(new Range("4,5,6"));
        tester.setSignificanceLevel(0.05);
        tester.setResultMatrix(new ResultMatrixPlainText());
        int column = results.attribute(measure).index();
        return tester.header(column) + tester.multiResultsetFull(base, column)
            + "\n" + tester.multiResultsetRanking(column);
    }
}
