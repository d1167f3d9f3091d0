"""HTTP: OpenAPI documents and the gateway."""
