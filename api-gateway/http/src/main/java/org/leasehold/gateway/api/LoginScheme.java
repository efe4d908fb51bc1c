package org.leasehold.gateway.api;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;

import org.leasehold.gateway.security.AuthenticationSettings;

import java.util.Locale;

/** The security scheme of a description: how a caller of this installation logs in. */
final class LoginScheme {

    private LoginScheme() {}

    static void addTo(OpenAPI api, AuthenticationSettings.Method login) {
        String name = login.name().toLowerCase(Locale.ROOT);
        api.getComponents().addSecuritySchemes(name, scheme(login));
        api.addSecurityItem(new SecurityRequirement().addList(name));
    }

    private static SecurityScheme scheme(AuthenticationSettings.Method login) {
        SecurityScheme scheme = new SecurityScheme();
        return switch (login) {
            case BASIC -> scheme.type(SecurityScheme.Type.HTTP).scheme("basic");
            case KEYSTONE ->
                    scheme.type(SecurityScheme.Type.APIKEY)
                            .in(SecurityScheme.In.HEADER)
                            .name("X-Auth-Token");
        };
    }
}
