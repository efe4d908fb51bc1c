package org.leasehold.saga.scheduler;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.github.kagkarlsson.scheduler.serializer.Serializer;

import org.jspecify.annotations.Nullable;
import org.leasehold.vocabulary.StoredNames;

import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.NamedType;

/** The JSON format of timers and tasks. {@code type} contains the stored name of a subtype. */
public final class StoredJson implements Serializer {

    private final JsonMapper mapper;

    public StoredJson(Class<?>... sealedTypes) {
        // New fields without a value are not stored: earlier versions can read the rest.
        JsonMapper.Builder builder =
                JsonMapper.builder()
                        .changeDefaultPropertyInclusion(
                                _ ->
                                        JsonInclude.Value.construct(
                                                JsonInclude.Include.NON_NULL,
                                                JsonInclude.Include.ALWAYS));
        for (Class<?> sealedType : sealedTypes) {
            builder.addMixIn(sealedType, Named.class);
            StoredNames.ofMembers(sealedType)
                    .forEach((type, name) -> builder.registerSubtypes(new NamedType(type, name)));
        }
        mapper = builder.build();
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
