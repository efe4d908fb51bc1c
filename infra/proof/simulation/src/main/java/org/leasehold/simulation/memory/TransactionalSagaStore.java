package org.leasehold.simulation.memory;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.PropertyAccessor;

import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.modelling.saga.AssociationValue;
import org.axonframework.modelling.saga.AssociationValues;
import org.axonframework.modelling.saga.repository.SagaStore;
import org.axonframework.serialization.SerializedObject;
import org.axonframework.serialization.Serializer;
import org.axonframework.serialization.jackson3.Jackson3Serializer;
import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/** Sagas in their stored form. A rollback of a unit of work also rolls back its writes here. */
final class TransactionalSagaStore implements SagaStore<Object> {

    private final Serializer serializer =
            Jackson3Serializer.builder()
                    .jsonMapperBuilderCustomizer(
                            mapper ->
                                    mapper.changeDefaultVisibility(
                                            visibility ->
                                                    visibility.withVisibility(
                                                            PropertyAccessor.FIELD,
                                                            JsonAutoDetect.Visibility.ANY)))
                    .build();
    private final Map<String, Row> rows = new TreeMap<>();

    private record Row(
            Class<?> type, SerializedObject<byte[]> saga, Set<AssociationValue> associations) {}

    private record Loaded<S>(Set<AssociationValue> associationValues, S saga) implements Entry<S> {}

    @Override
    public Set<String> findSagas(Class<?> sagaType, AssociationValue associationValue) {
        Set<String> found = new LinkedHashSet<>();
        rows.forEach(
                (id, row) -> {
                    if (row.type().equals(sagaType)
                            && row.associations().contains(associationValue)) {
                        found.add(id);
                    }
                });
        return found;
    }

    @Override
    public <S> @Nullable Entry<S> loadSaga(Class<S> sagaType, String sagaIdentifier) {
        Row row = rows.get(sagaIdentifier);
        if (row == null) {
            return null;
        }
        S saga = serializer.deserialize(row.saga());
        return new Loaded<>(new HashSet<>(row.associations()), Objects.requireNonNull(saga));
    }

    @Override
    public void deleteSaga(
            Class<?> sagaType, String sagaIdentifier, Set<AssociationValue> associationValues) {
        put(sagaIdentifier, null);
    }

    @Override
    public void insertSaga(
            Class<?> sagaType,
            String sagaIdentifier,
            Object saga,
            Set<AssociationValue> associationValues) {
        put(sagaIdentifier, row(sagaType, saga, associationValues));
    }

    @Override
    public void updateSaga(
            Class<?> sagaType,
            String sagaIdentifier,
            Object saga,
            AssociationValues associationValues) {
        put(sagaIdentifier, row(sagaType, saga, associationValues.asSet()));
    }

    private Row row(Class<?> type, Object saga, Set<AssociationValue> associations) {
        return new Row(type, serializer.serialize(saga, byte[].class), new HashSet<>(associations));
    }

    private void put(String id, @Nullable Row row) {
        Row before = row == null ? rows.remove(id) : rows.put(id, row);
        CurrentUnitOfWork.get()
                .onRollback(
                        _ -> {
                            if (before == null) {
                                rows.remove(id);
                            } else {
                                rows.put(id, before);
                            }
                        });
    }
}
