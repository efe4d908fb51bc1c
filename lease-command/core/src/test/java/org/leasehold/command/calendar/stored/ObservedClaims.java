package org.leasehold.command.calendar.stored;

import org.leasehold.command.calendar.claim.Claims;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;

/** Claims whose calls a test observes. */
public final class ObservedClaims {

    private ObservedClaims() {}

    /** Receives a call after it was answered. */
    @FunctionalInterface
    public interface Observer {
        void observe(String method, List<?> arguments, Object answer);
    }

    public static Claims of(Claims claims, Observer observer) {
        InvocationHandler observing =
                (_, method, arguments) -> {
                    Object answer = method.invoke(claims, arguments);
                    observer.observe(
                            method.getName(),
                            arguments == null ? List.of() : Arrays.asList(arguments),
                            answer);
                    return answer;
                };
        return (Claims)
                Proxy.newProxyInstance(
                        Claims.class.getClassLoader(), new Class<?>[] {Claims.class}, observing);
    }
}
