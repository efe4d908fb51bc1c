package org.leasehold.gateway.api;

import com.fasterxml.jackson.annotation.JsonInclude;

import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.parameters.HeaderParameter;
import io.swagger.v3.oas.models.responses.ApiResponse;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.audit.AuditResponses;
import org.leasehold.gateway.api.audit.PrivilegedReadResponses;
import org.leasehold.gateway.api.audit.SealResponses;
import org.leasehold.gateway.api.calendar.CalendarRequestBodies;
import org.leasehold.gateway.api.calendar.CalendarResponses;
import org.leasehold.gateway.api.capacity.CapacityResponses;
import org.leasehold.gateway.api.event.EventResponses;
import org.leasehold.gateway.api.http.EventLogHeaders;
import org.leasehold.gateway.api.http.FormerName;
import org.leasehold.gateway.api.lease.LeaseRequestBodies;
import org.leasehold.gateway.api.lease.LeaseResponses;
import org.leasehold.gateway.api.me.MeResponses;
import org.leasehold.gateway.api.operation.DefaultLeaseResponses;
import org.leasehold.gateway.api.operation.DriftResponses;
import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.query.ReadOperations;
import org.leasehold.gateway.api.refusal.RefusalResponses;
import org.leasehold.gateway.api.resource.ResourceRequestBodies;
import org.leasehold.gateway.api.resource.ResourceResponses;
import org.leasehold.gateway.api.usage.ChargeResponses;
import org.leasehold.gateway.api.usage.IdleResponses;
import org.leasehold.gateway.api.usage.UsageResponses;
import org.leasehold.gateway.api.webhook.WebhookRequestBodies;
import org.leasehold.gateway.api.webhook.WebhookResponses;
import org.leasehold.gateway.api.whatif.WhatIfRequestBodies;
import org.leasehold.gateway.api.whatif.WhatIfResponses;
import org.leasehold.gateway.security.AuthenticationSettings;
import org.leasehold.resource.Plugins;
import org.leasehold.wire.event.CloudEvent;
import org.leasehold.wire.lease.LeaseDocuments;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Adds to the OpenAPI document what the types of messages lack: the names of fields in JSON, null
 * fields, and the common parts of all requests. It also adds the parts that a file defines, and the
 * reservations and queries that the plug-ins describe.
 */
final class OpenApiSchemaCustomizer implements GlobalOpenApiCustomizer {

    private static final FieldDescriptions FIELD_DESCRIPTIONS = new FieldDescriptions();

    /** The component for problems that no operation lists. */
    private static final String OTHER = "Problem";

    private static final int MAX_CAPABILITIES = 100;
    private static final int MAX_CAPABILITY_LENGTH = 255;

    private final AuthenticationSettings.Method loginMethod;
    private final Plugins plugins;

    OpenApiSchemaCustomizer(AuthenticationSettings.Method login, Plugins plugins) {
        this.loginMethod = login;
        this.plugins = plugins;
    }

    @Override
    public void customise(OpenAPI api) {
        OpenAPI written = DescriptionFile.read("api.yaml");
        api.setInfo(written.getInfo());
        api.setServers(written.getServers());
        api.setTags(written.getTags());
        LoginScheme.addTo(api, loginMethod);
        describeMessages(api, plugins);
        ErrorResponses errors = new ErrorResponses(written);
        OperationExamples examples = new OperationExamples();
        ApiResponse other =
                Objects.requireNonNull(written.getComponents().getResponses().get(OTHER));
        addPositionHeaders(other);
        api.getComponents().addResponses(OTHER, other);
        api.getPaths()
                .forEach(
                        (path, item) -> {
                            if (path.startsWith("/api/")) {
                                item.readOperationsMap()
                                        .forEach(OpenApiSchemaCustomizer::describeOperation);
                                item.readOperations()
                                        .forEach(
                                                each -> {
                                                    errors.addTo(each, api.getComponents());
                                                    examples.addTo(each);
                                                });
                            }
                        });
    }

    private static void describeMessages(OpenAPI api, Plugins plugins) {
        Map<String, Schema<?>> schemas = new TreeMap<>();
        api.getComponents().getSchemas().forEach((name, schema) -> schemas.put(name, schema));
        ModelConverters.getInstance(true)
                .readAll(new AnnotatedType(Problem.class))
                .forEach((name, schema) -> schemas.putIfAbsent(name, schema));
        Stream.of(
                        LeaseRequestBodies.class,
                        ResourceRequestBodies.class,
                        CalendarRequestBodies.class,
                        WebhookRequestBodies.class,
                        WhatIfRequestBodies.class)
                .flatMap(forms -> Stream.of(forms.getDeclaredClasses()))
                .forEach(form -> describeRequestBody(form, schemas));
        Stream.concat(
                        Stream.of(
                                        LeaseDocuments.class,
                                        LeaseResponses.class,
                                        MeResponses.class,
                                        ResourceResponses.class,
                                        DriftResponses.class,
                                        DefaultLeaseResponses.class,
                                        EventResponses.class,
                                        CalendarResponses.class,
                                        CapacityResponses.class,
                                        WhatIfResponses.class,
                                        ChargeResponses.class,
                                        UsageResponses.class,
                                        IdleResponses.class,
                                        RefusalResponses.class,
                                        AuditResponses.class,
                                        PrivilegedReadResponses.class,
                                        SealResponses.class,
                                        WebhookResponses.class)
                                .flatMap(answers -> Stream.of(answers.getDeclaredClasses())),
                        Stream.of(
                                CloudEvent.class,
                                Problem.class,
                                Problem.FieldError.class,
                                Problem.Shortfall.class))
                .forEach(answer -> describeResponse(answer, schemas));
        schemas.values().forEach(OpenApiSchemaCustomizer::renameToJsonNames);
        schemas.putAll(ReservationSchemas.of(plugins, schemas.keySet()));
        schemas.forEach(OpenApiSchemaCustomizer::describeFields);
        schemas.putAll(AvailabilitySchemas.of(schemas));
        api.getComponents().setSchemas(new TreeMap<>(schemas));
    }

    private static void describeRequestBody(Class<?> form, Map<String, Schema<?>> schemas) {
        Schema<?> schema = schemas.get(schemaName(form));
        if (schema == null) {
            return;
        }
        schema.setAdditionalProperties(false);
        if (form == LeaseRequestBodies.ChangedReservation.class) {
            schema.addProperty("parameters", new Schema<>().$ref("ReservationParameterChanges"));
        }
        for (Schema<?> property : schema.getProperties().values()) {
            if (property.getAdditionalProperties() instanceof Schema<?> value) {
                property.setMaxProperties(MAX_CAPABILITIES);
                value.setMaxLength(MAX_CAPABILITY_LENGTH);
            }
        }
    }

    /** Requires all fields of a response; a field may be null if its type is {@code Nullable}. */
    private static void describeResponse(Class<?> answer, Map<String, Schema<?>> schemas) {
        Schema<?> schema = schemas.get(schemaName(answer));
        if (schema == null) {
            return;
        }
        for (RecordComponent component : answer.getRecordComponents()) {
            boolean leavesNullsOut =
                    answer.isAnnotationPresent(JsonInclude.class)
                            || component.getAccessor().isAnnotationPresent(JsonInclude.class);
            Schema<?> property =
                    Objects.requireNonNull(schema.getProperties().get(component.getName()));
            boolean nullable = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
            if (nullable && !leavesNullsOut) {
                Set<String> types = new LinkedHashSet<>(property.getTypes());
                types.add("null");
                property.setTypes(types);
            }
            if (!nullable || !leavesNullsOut) {
                schema.addRequiredItem(component.getName());
            }
            addFormerName(schema, component, property);
            if (isFreeForm(property) && property.getDescription() == null) {
                property.setDescription(
                        "Free-form JSON: what is in it depends on the kind of the resource, or of"
                                + " the event.");
            }
        }
    }

    private static void addFormerName(
            Schema<?> schema, RecordComponent component, Schema<?> property) {
        FormerName former = component.getAnnotation(FormerName.class);
        if (former == null) {
            return;
        }
        // Only values of simple types were renamed.
        Schema<?> same = new Schema<>();
        same.setTypes(new LinkedHashSet<>(property.getTypes()));
        same.setFormat(property.getFormat());
        same.setDeprecated(true);
        same.setDescription(
                "The same as %s. Deprecated since %s."
                        .formatted(JsonProblems.toJsonName(component.getName()), FormerName.SINCE));
        schema.addProperty(former.value(), same);
        List<String> required = schema.getRequired();
        if (required != null && required.contains(component.getName())) {
            schema.addRequiredItem(former.value());
        }
    }

    /**
     * Returns the published name: the class's, unless an annotation {@code Schema} sets another.
     */
    private static String schemaName(Class<?> message) {
        return ModelConverters.getInstance(true)
                .resolveAsResolvedSchema(new AnnotatedType(message))
                .schema
                .getName();
    }

    private static void describeFields(String message, Schema<?> schema) {
        if (schema.getProperties() != null) {
            schema.getProperties()
                    .forEach(
                            (field, property) -> {
                                if (property.getDescription() == null) {
                                    property.setDescription(FIELD_DESCRIPTIONS.of(message, field));
                                }
                            });
        }
    }

    private static boolean isFreeForm(Schema<?> property) {
        return property.getAdditionalProperties() instanceof Schema<?> value
                && value.getTypes() == null
                && value.get$ref() == null;
    }

    @SuppressWarnings("rawtypes")
    private static void renameToJsonNames(Schema<?> schema) {
        Map<String, Schema> renamed = new LinkedHashMap<>();
        Map<String, Schema> properties = schema.getProperties();
        if (properties == null) {
            return;
        }
        properties.forEach(
                (name, property) -> renamed.put(JsonProblems.toJsonName(name), property));
        schema.setProperties(renamed);
        List<String> required = schema.getRequired();
        if (required != null) {
            // Setting them would skip names that are not properties yet.
            List<String> names = required.stream().map(JsonProblems::toJsonName).sorted().toList();
            schema.setRequired(names);
        }
    }

    private static void describeOperation(PathItem.HttpMethod method, Operation operation) {
        operation.getResponses().values().forEach(OpenApiSchemaCustomizer::addPositionHeaders);
        operation.getResponses().addApiResponse("default", new ApiResponse().$ref(OTHER));
        if (ReadOperations.isRead(method.name(), operation.getOperationId())) {
            operation.addParametersItem(header(EventLogHeaders.POSITION));
        } else {
            operation.addParametersItem(header("Idempotency-Key"));
            operation.addParametersItem(header("Leasehold-Reason"));
        }
        if (operation.getParameters() != null) {
            operation
                    .getParameters()
                    .forEach(
                            parameter -> {
                                parameter.setDescription(
                                        FIELD_DESCRIPTIONS.of(
                                                operation.getOperationId(), parameter.getName()));
                                writeDurationAsText(parameter.getSchema());
                            });
        }
    }

    private static void addPositionHeaders(ApiResponse response) {
        response.addHeaderObject(
                EventLogHeaders.POSITION,
                numberHeader("The position of the last event that the answer is sure to include"));
        response.addHeaderObject(
                EventLogHeaders.EPOCH,
                numberHeader(
                        "The number of the database's epoch. It grows when the database has lost"
                                + " events, for example after a backup was restored"));
    }

    /** Replaces a default of type {@link Duration}, which the library would write as a number. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static void writeDurationAsText(Schema schema) {
        if (schema.getDefault() instanceof Duration duration) {
            schema.setDefault(duration.toString());
        }
    }

    private static Header numberHeader(String description) {
        return new Header().description(description).schema(typed("integer"));
    }

    private static HeaderParameter header(String name) {
        HeaderParameter header = new HeaderParameter();
        header.name(name).required(false);
        header.setSchema(typed("string"));
        return header;
    }

    private static Schema<?> typed(String type) {
        Schema<?> schema = new Schema<>();
        schema.addType(type);
        return schema;
    }
}
