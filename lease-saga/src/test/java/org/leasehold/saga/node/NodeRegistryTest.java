package org.leasehold.saga.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.saga.fakes.Database;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.sql.DataSource;

class NodeRegistryTest {

    private static final List<String> PROCESSORS = List.of("processes", "waiting", "inventory");

    private final DataSource database = Database.empty();
    private final JdbcClient jdbc = JdbcClient.create(database);

    @Test
    void a_single_node_gets_the_whole_share() {
        NodeRegistry alone = node("node-1");

        assertThat(alone.segmentShare("processes", 4)).isEqualTo(4);
        alone.sendHeartbeat();
        assertThat(alone.segmentShare("processes", 4)).isEqualTo(4);
    }

    @Test
    void the_shares_of_nodes_are_even_and_add_up_to_the_total() {
        for (int count = 1; count <= 6; count++) {
            List<NodeRegistry> nodes =
                    IntStream.rangeClosed(1, count).mapToObj(i -> node("node-" + i)).toList();
            // The first nodes see the others with their next heartbeat.
            nodes.forEach(NodeRegistry::sendHeartbeat);
            nodes.forEach(NodeRegistry::sendHeartbeat);

            for (String processor : PROCESSORS) {
                List<Integer> shares =
                        nodes.stream()
                                .map(node -> node.segmentShare(processor, 4))
                                .sorted()
                                .toList();
                assertThat(shares.stream().mapToInt(i -> i).sum()).isEqualTo(4);
                assertThat(shares.getLast() - shares.getFirst()).isLessThanOrEqualTo(1);
            }
        }
    }

    @Test
    void a_silent_node_is_excluded_until_the_next_heartbeat() {
        NodeRegistry awake = node("node-1");
        NodeRegistry asleep = node("node-2");
        Stream.of(awake, asleep, awake).forEach(NodeRegistry::sendHeartbeat);
        assertThat(awake.workingNodes()).containsExactly("node-1", "node-2");

        jdbc.sql("UPDATE node SET seen_at = now() - interval '11 s' WHERE name = 'node-2'")
                .update();
        awake.sendHeartbeat();
        assertThat(awake.workingNodes()).containsExactly("node-1");

        asleep.sendHeartbeat();
        awake.sendHeartbeat();
        assertThat(awake.workingNodes()).containsExactly("node-1", "node-2");
    }

    @Test
    void a_stopped_node_is_excluded_at_once() {
        NodeRegistry staying = node("node-1");
        NodeRegistry leaving = node("node-2");
        leaving.start();
        staying.sendHeartbeat();

        leaving.stop();
        staying.sendHeartbeat();

        assertThat(leaving.isRunning()).isFalse();
        assertThat(staying.workingNodes()).containsExactly("node-1");
    }

    private NodeRegistry node(String name) {
        return new NodeRegistry(
                new Node(name, true),
                jdbc,
                new TransactionTemplate(new DataSourceTransactionManager(database)));
    }
}
