package org.leasehold.gateway.api.http;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The former name of a field of a response. The response has the value under both names. The API
 * description marks the former one as deprecated.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.METHOD, ElementType.FIELD})
public @interface FormerName {

    /** The date from which the name is deprecated. */
    String SINCE = "2026-11-29";

    /** Returns the name in JSON. */
    String value();
}
