import java.beans.PropertyDescriptor;
import java.io.File;
import javax.swing.DefaultListModel;
import weka.classifiers.Classifier;
import weka.classifiers.bayes.NaiveBayes;
import weka.classifiers.lazy.IBk;
import weka.classifiers.rules.ZeroR;
import weka.classifiers.trees.J48;
import weka.experiment.CSVResultListener;
import weka.experiment.ClassifierSplitEvaluator;
import weka.experiment.CrossValidationResultProducer;
import weka.experiment.Experiment;
import weka.experiment.PropertyNode;

/** Weka's Experimenter: four learners, ten times ten folds, on the ARFF files given; prints the seconds it took. */
public class TwoThousandFits {
    public static void main(String[] arguments) throws Exception {
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
        experiment.setPropertyArray(new Classifier[] {new ZeroR(), new NaiveBayes(), new J48(), new IBk(1)});
        experiment.setRunLower(1);
        experiment.setRunUpper(10);

        DefaultListModel files = new DefaultListModel();
        for (int i = 1; i < arguments.length; i++) {
            files.addElement(new File(arguments[i]));
        }
        experiment.setDatasets(files);
        CSVResultListener kept = new CSVResultListener();
        kept.setOutputFile(new File(arguments[0]));
        experiment.setResultListener(kept);

        long started = System.nanoTime();
        experiment.initialize();
        experiment.runExperiment();
        experiment.postProcess();
        System.out.println("seconds " + (System.nanoTime() - started) / 1e9);
    }
}
