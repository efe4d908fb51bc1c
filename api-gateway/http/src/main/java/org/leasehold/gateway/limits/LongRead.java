package org.leasehold.gateway.limits;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A handler whose statements may take seconds, as it reads the past, or much at once. All such
 * requests together get half of the connections that requests may have.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface LongRead {

    /** The query parameter that makes the read long; empty if it always is. */
    String with() default "";
}
