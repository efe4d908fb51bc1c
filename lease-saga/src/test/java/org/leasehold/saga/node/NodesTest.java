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

class NodesTest {

    private static final List<String> PROCESSORS = List.of("processes", "waiting", "inventory");

    private final DataSource database = Database.empty();
    private final JdbcClient jdbc = JdbcClient.create(database);

    @Test
    void a_node_that_knows_of_no_other_has_all() {
        Nodes alone = node("node-1");

        assertThat(alone.share("processes", 4)).isEqualTo(4);
        alone.beat();
        assertThat(alone.share("processes", 4)).isEqualTo(4);
    }

    @Test
    void whatever_their_number_the_shares_are_even_and_add_up() {
        for (int count = 1; count <= 6; count++) {
            List<Nodes> nodes =
                    IntStream.rangeClosed(1, count).mapToObj(i -> node("node-" + i)).toList();
            // The first nodes see the others with their next heartbeat.
            nodes.forEach(Nodes::beat);
            nodes.forEach(Nodes::beat);

            for (String processor : PROCESSORS) {
                List<Integer> shares =
                        nodes.stream().map(node -> node.share(processor, 4)).sorted().toList();
                assertThat(shares.stream().mapToInt(i -> i).sum()).isEqualTo(4);
                assertThat(shares.getLast() - shares.getFirst()).isLessThanOrEqualTo(1);
            }
        }
    }

    @Test
    void a_node_that_is_silent_counts_no_more_until_it_speaks_again() {
        Nodes awake = node("node-1");
        Nodes asleep = node("node-2");
        Stream.of(awake, asleep, awake).forEach(Nodes::beat);
        assertThat(awake.working()).containsExactly("node-1", "node-2");

        jdbc.sql("UPDATE node SET seen_at = now() - interval '11 s' WHERE name = 'node-2'")
                .update();
        awake.beat();
        assertThat(awake.working()).containsExactly("node-1");

        asleep.beat();
        awake.beat();
        assertThat(awake.working()).containsExactly("node-1", "node-2");
    }

    @Test
    void a_node_that_stops_is_missed_at_once() {
        Nodes staying = node("node-1");
        Nodes leaving = node("node-2");
        leaving.start();
        staying.beat();

        leaving.stop();
        staying.beat();

        assertThat(leaving.isRunning()).isFalse();
        assertThat(staying.working()).containsExactly("node-1");
    }

    private Nodes node(String name) {
        return new Nodes(
                new Node(name, true),
                jdbc,
                new TransactionTemplate(new DataSourceTransactionManager(database)));
    }
}
