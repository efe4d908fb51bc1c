package org.leasehold.resource;

import java.util.function.Supplier;

/**
 * Something that the engine's user must be allowed to do in a plugin's cloud.
 *
 * @param name for operators: the service, and what is done there
 * @param trial tries it, and removes what it makes. It changes no resource that may be leased
 */
public record Right(String name, Supplier<CloudCheck> trial) {}
