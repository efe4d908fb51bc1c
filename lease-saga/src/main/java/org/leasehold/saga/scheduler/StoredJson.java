package org.leasehold.saga.scheduler;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.github.kagkarlsson.scheduler.serializer.Serializer;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.NamedType;

import java.util.Arrays;

/**
 * How the data of timers and tasks is stored: JSON in which sealed types are told by simple names.
 */
public final class StoredJson implements Serializer {

    private final JsonMapper mapper;

    public StoredJson(Class<?>... sealedTypes) {
        // What is new and not said is not stored: earlier versions can read it.
        JsonMapper.Builder builder =
                JsonMapper.builder()
                        .changeDefaultPropertyInclusion(
                                _ ->
                                        JsonInclude.Value.construct(
                                                JsonInclude.Include.NON_NULL,
                                                JsonInclude.Include.ALWAYS));
        for (Class<?> sealedType : sealedTypes) {
            builder.addMixIn(sealedType, Named.class);
            register(builder, sealedType);
        }
        mapper = builder.build();
    }

    private static void register(JsonMapper.Builder builder, Class<?> sealedType) {
        Arrays.stream(sealedType.getPermittedSubclasses())
                .forEach(
                        type -> {
                            if (type.isSealed()) {
                                register(builder, type);
                            } else {
                                builder.registerSubtypes(new NamedType(type, type.getSimpleName()));
                            }
                        });
    }

    @Override
    public byte[] serialize(@Nullable Object data) {
        return mapper.writeValueAsBytes(data);
    }

    @Override
    public <T> T deserialize(Class<T> type, byte[] stored) {
        return mapper.readValue(stored, type);
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    private interface Named {}
}
