import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.opensearch.analysis.common.CommonAnalysisPlugin;
import org.opensearch.common.logging.LogConfigurator;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.painless.PainlessPlugin;
import org.opensearch.transport.Netty4Plugin;

/**
 * Runs one OpenSearch node until the process is ended. The first argument is the folder of log4j2.properties; the others are
 * settings, name=value, where a value with commas is a list.
 *
 * <p>The server's own launcher wants modules as unpacked zip files, which no registry has; a Node takes the classes of its
 * plugins as they are on the class path.
 */
public final class ServerNode extends Node {
    private ServerNode(Environment env) {
        super(env, List.of(Netty4Plugin.class, CommonAnalysisPlugin.class, PainlessPlugin.class), false);
    }

    public static void main(String[] args) throws Exception {
        Settings.Builder settings = Settings.builder();
        for (String arg : List.of(args).subList(1, args.length)) {
            String[] pair = arg.split("=", 2);
            if (pair[1].contains(",")) {
                settings.putList(pair[0], pair[1].split(","));
            } else {
                settings.put(pair[0], pair[1]);
            }
        }
        Environment env = InternalSettingsPreparer.prepareEnvironment(settings.build(), Map.of(), Path.of(args[0]), () -> "node");
        LogConfigurator.setNodeName(Node.NODE_NAME_SETTING.get(env.settings()));
        LogConfigurator.configure(env);
        ServerNode node = new ServerNode(env);
        CountDownLatch ended = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                node.close();
            } catch (Exception e) {
                e.printStackTrace();
            }
            ended.countDown();
        }));
        node.start();
        ended.await();
    }
}
