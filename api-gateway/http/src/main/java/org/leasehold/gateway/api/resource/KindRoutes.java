package org.leasehold.gateway.api.resource;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;

import org.leasehold.gateway.api.http.FullPageQuery;
import org.leasehold.gateway.api.http.NextPageLink;
import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.api.resource.ResourceResponses.Kind;
import org.leasehold.gateway.api.resource.ResourceResponses.KindDetails;
import org.leasehold.gateway.api.resource.ResourceResponses.KindList;
import org.leasehold.readmodel.Page;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

import tools.jackson.databind.json.JsonMapper;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.Function;

@RestController
@Tag(name = "resources")
class KindRoutes {

    private final PluginFacade kinds;
    private final JsonMapper json;

    KindRoutes(PluginFacade kinds, JsonMapper json) {
        this.kinds = kinds;
        this.json = json;
    }

    @Operation(
            operationId = "listKinds",
            summary = "List kinds of resources",
            description =
                    "The kinds that the plug-ins of this engine provide, by name. The Link header"
                            + " with rel=next leads to the next page.")
    @GetMapping("/api/kinds")
    ResponseEntity<KindList> list(
            @NotNull @Valid FullPageQuery paging, HttpServletRequest request) {
        Page<Kind> page =
                Page.ofAll(kinds.kindNames(), Function.identity(), paging.marker(), paging.limit())
                        .map(Kind::new);
        return NextPageLink.response(request, page, KindList::new);
    }

    @Operation(
            operationId = "showKind",
            summary = "Show a kind of resource",
            description =
                    "Its parameters, as JSON Schemas from which a client can build a form. The"
                            + " answer has an entity tag: it changes only with the engine.")
    @GetMapping("/api/kinds/{kind}")
    ResponseEntity<KindDetails> show(@PathVariable("kind") String kind) {
        KindDetails details =
                kinds.description(kind)
                        .map(description -> KindDetails.of(kind, description))
                        .orElseThrow(() -> new ProblemException(Problem.notFound("kind")));
        return ResponseEntity.ok()
                .cacheControl(CacheControl.noCache().cachePrivate())
                .eTag(tag(details))
                .body(details);
    }

    private String tag(KindDetails details) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(json.writeValueAsBytes(details));
            return '"' + HexFormat.of().formatHex(digest, 0, Long.BYTES) + '"';
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
