package org.leasehold.gateway.api;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Says of a question that it is answered from read models that follow the events. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface StandsOn {

    /** The read models' names. */
    String[] value();
}
