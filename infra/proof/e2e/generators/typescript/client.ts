// Leases a host with types that openapi-typescript generated: client.js URL USER PASSWORD
import createClient from "openapi-fetch";
import type { components, paths } from "./leasehold.js";

declare const process: { argv: string[] };

const [url = "", user = "", password = ""] = process.argv.slice(2);
const api = createClient<paths>({ baseUrl: url, headers: { Authorization: "Basic " + btoa(user + ":" + password) } });

type LeaseRequest = components["schemas"]["LeaseRequest"];
const lease: LeaseRequest = {
  name: "typescript client",
  end: new Date(Date.now() + 3 * 3600_000).toISOString(),
  reservations: [{ kind: "physical:host", parameters: { min: 1, max: 1 } }],
};

// @ts-expect-error: the name of a parameter is wrong.
const typo: LeaseRequest = { ...lease, reservations: [{ kind: "physical:host", parameters: { mim: 1, max: 1 } }] };
void typo;

const made = await api.POST("/api/leases", { body: lease });
if (!made.data) throw new Error(JSON.stringify(made.error));
const path = { id: made.data.id };
const shown = await api.GET("/api/leases/{id}", { params: { path } });
if (shown.data?.name !== lease.name) throw new Error(JSON.stringify(shown.error ?? shown.data));
const refused = await api.GET("/api/leases", { params: { query: { limit: 0 } } });
if (refused.error?.errors?.[0]?.field !== "limit") throw new Error(JSON.stringify(refused));
const deleted = await api.DELETE("/api/leases/{id}", { params: { path } });
if (deleted.response.status !== 204) throw new Error(JSON.stringify(deleted.error));
console.log(made.data.id);
