package org.leasehold.gateway.api.query;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The read models that answer a query; they follow the event log. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface AnsweredFrom {

    /** Returns the read models' names. */
    String[] value();

    /** Returns the query parameter that needs them; empty if each query does. */
    String with() default "";
}
