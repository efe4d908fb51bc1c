package org.leasehold.resource;

import java.util.function.Supplier;

/**
 * A right that the engine's user needs in a plug-in's cloud.
 *
 * @param name for operators: the service, and the action there
 * @param trial tries it, and removes what it creates. It changes no resource that may be leased
 */
public record RequiredRight(String name, Supplier<CloudCheck> trial) {}
