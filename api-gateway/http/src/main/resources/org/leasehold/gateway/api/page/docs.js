// No validator: it would send the document to another server.
window.SwaggerUIBundle({
  dom_id: "#documentation",
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  url: new URLSearchParams(window.location.search).get("api") === "blazar" ? "openapi-blazar.json" : "openapi.json",
});
