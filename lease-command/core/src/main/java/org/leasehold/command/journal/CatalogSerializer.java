package org.leasehold.command.journal;

import org.axonframework.messaging.MetaData;
import org.axonframework.serialization.ChainingConverter;
import org.axonframework.serialization.Converter;
import org.axonframework.serialization.SerializationException;
import org.axonframework.serialization.SerializedObject;
import org.axonframework.serialization.SerializedType;
import org.axonframework.serialization.Serializer;
import org.axonframework.serialization.SimpleSerializedObject;
import org.axonframework.serialization.SimpleSerializedType;
import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import java.util.Map;

/** Serializes events under catalog names, and their metadata as a plain JSON object. */
public final class CatalogSerializer implements Serializer {

    private static final TypeReference<Map<String, Object>> ENTRIES = new TypeReference<>() {};

    private final EventCatalog catalog;
    private final JsonMapper json;
    private final Converter converter = new ChainingConverter();

    public CatalogSerializer(EventCatalog catalog, JsonMapper json) {
        this.catalog = catalog;
        this.json = json;
    }

    @Override
    public <T> SerializedObject<T> serialize(@Nullable Object object, Class<T> representation) {
        if (object == null) {
            throw new SerializationException("an event is never null");
        }
        try {
            String text = json.writeValueAsString(object);
            return new SimpleSerializedObject<>(
                    converter.convert(text, representation),
                    representation,
                    typeForClass(object.getClass()));
        } catch (JacksonException e) {
            throw new SerializationException("cannot write " + object.getClass().getName(), e);
        }
    }

    @Override
    public <T> boolean canSerializeTo(Class<T> representation) {
        return converter.canConvert(String.class, representation);
    }

    /** Casts without a check: Axon lets the caller choose the resulting type. */
    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    public <S, T> T deserialize(SerializedObject<S> serialized) {
        String text = converter.convert(serialized, String.class).getData();
        Class<?> type = classForType(serialized.getType());
        try {
            return (T)
                    (type.equals(MetaData.class)
                            ? MetaData.from(json.readValue(text, ENTRIES))
                            : json.readValue(text, type));
        } catch (JacksonException e) {
            throw new SerializationException("cannot read " + serialized.getType(), e);
        }
    }

    @Override
    public Class<?> classForType(SerializedType type) {
        if (type.getName().equals(MetaData.class.getName())) {
            return MetaData.class;
        }
        return catalog.of(type.getName(), Integer.parseInt(type.getRevision())).type();
    }

    @Override
    @SuppressWarnings("rawtypes")
    public SerializedType typeForClass(@Nullable Class type) {
        if (type == null) {
            return SimpleSerializedType.emptyType();
        }
        if (MetaData.class.isAssignableFrom(type)) {
            return new SimpleSerializedType(MetaData.class.getName(), null);
        }
        EventCatalog.Entry entry = catalog.of(type);
        return new SimpleSerializedType(entry.name(), Integer.toString(entry.version()));
    }

    @Override
    public Converter getConverter() {
        return converter;
    }
}
