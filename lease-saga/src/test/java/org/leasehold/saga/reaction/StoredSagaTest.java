package org.leasehold.saga.reaction;

import static org.assertj.core.api.Assertions.assertThat;

import org.axonframework.common.jdbc.DataSourceConnectionProvider;
import org.axonframework.modelling.saga.AssociationValue;
import org.axonframework.modelling.saga.AssociationValuesImpl;
import org.axonframework.modelling.saga.repository.SagaStore;
import org.axonframework.modelling.saga.repository.SagaStore.Entry;
import org.junit.jupiter.api.Test;
import org.leasehold.saga.fakes.Database;
import org.leasehold.saga.inventory.InventorySaga;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.util.Set;

import javax.sql.DataSource;

class StoredSagaTest {

    private static final String TYPE = "org.leasehold.saga.inventory.InventorySaga";

    private static final AssociationValue RESOURCE = new AssociationValue("resourceId", "7");

    private static final String STATE =
            """
            {"down":"it is down","kind":"physical:host",\
            "lacking":["00000000-0000-0000-0000-000000000001"],"name":"compute-7"}\
            """;

    private final DataSource database = Database.empty();
    private final JdbcClient jdbc = JdbcClient.create(database);
    private final SagaStore<Object> store =
            new ReactionConfiguration().sagaStore(new DataSourceConnectionProvider(database));

    @Test
    void a_saga_is_stored_under_a_fixed_type() {
        store.insertSaga(InventorySaga.class, "saga", new InventorySaga(), Set.of(RESOURCE));

        assertThat(column("saga_type FROM saga_entry")).isEqualTo(TYPE);
        assertThat(column("saga_type FROM association_value_entry")).isEqualTo(TYPE);
        assertThat(column("association_key FROM association_value_entry")).isEqualTo("resourceId");
    }

    @Test
    void an_open_saga_is_found_with_the_same_state() {
        jdbc.sql(
                        """
                        WITH saga AS (
                            INSERT INTO saga_entry (saga_id, saga_type, serialized_saga)
                            VALUES ('saga', :type, convert_to(:state, 'UTF8'))
                            RETURNING saga_id, saga_type)
                        INSERT INTO association_value_entry
                            (association_key, association_value, saga_type, saga_id)
                        SELECT 'resourceId', '7', saga_type, saga_id FROM saga
                        """)
                .param("type", TYPE)
                .param("state", STATE)
                .update();

        assertThat(store.findSagas(InventorySaga.class, RESOURCE)).containsExactly("saga");
        Entry<InventorySaga> found = store.loadSaga(InventorySaga.class, "saga");
        assertThat(found.associationValues()).containsExactly(RESOURCE);
        store.updateSaga(
                InventorySaga.class,
                "saga",
                found.saga(),
                new AssociationValuesImpl(found.associationValues()));
        assertThat(column("convert_from(serialized_saga, 'UTF8') FROM saga_entry"))
                .isEqualTo(STATE);
    }

    private String column(String column) {
        return jdbc.sql("SELECT " + column).query(String.class).single();
    }
}
