package org.leasehold.gateway.security;

import jakarta.servlet.http.HttpServletRequest;

import org.leasehold.gateway.request.RequestId;
import org.leasehold.lease.ProjectId;
import org.leasehold.resource.Completing.Asker;

/** As whom the cloud is asked about a wish. */
public final class Askers {

    private Askers() {}

    /** Somebody who wishes something for their project. */
    public static Asker of(Caller caller, HttpServletRequest request) {
        return of(caller, request, caller.project());
    }

    /** Somebody who wishes something for a project; their token is good in their own alone. */
    public static Asker of(Caller caller, HttpServletRequest request, ProjectId project) {
        // Beside a password a token is anybody's word.
        boolean isTheirs =
                caller.authentication().equals(TokenFilter.AUTHENTICATION)
                        && caller.project().equals(project);
        return new Asker(
                project,
                isTheirs ? request.getHeader(TokenFilter.TOKEN) : null,
                RequestId.of(request).value());
    }
}
