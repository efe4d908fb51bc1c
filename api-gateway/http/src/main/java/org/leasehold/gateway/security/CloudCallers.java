package org.leasehold.gateway.security;

import jakarta.servlet.http.HttpServletRequest;

import org.leasehold.gateway.request.error.RequestId;
import org.leasehold.resource.RequestCompleter.Asker;
import org.leasehold.vocabulary.ProjectId;

/** Identities under which the engine queries the cloud about a request. */
public final class CloudCallers {

    private CloudCallers() {}

    /** Returns the identity of a caller who requests something for their own project. */
    public static Asker of(Caller caller, HttpServletRequest request) {
        return of(caller, request, caller.project());
    }

    /** Returns the identity for a project; their token is valid in their own project only. */
    public static Asker of(Caller caller, HttpServletRequest request, ProjectId project) {
        // A token next to a password is not verified.
        boolean isTheirs =
                caller.authentication().equals(TokenFilter.AUTHENTICATION_METHOD)
                        && caller.project().equals(project);
        return new Asker(
                project,
                isTheirs ? request.getHeader(TokenFilter.TOKEN) : null,
                RequestId.of(request).value());
    }
}
