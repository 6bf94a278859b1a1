import { type Assay, ok } from "../client.js";

export async function trackingSystems(assay: Assay): Promise<void> {
  const callbackKey = process.env.ASHBY_API_KEY ?? "an-api-key-of-ashby";
  // sample: connectIntegration
  const connected = await ok(
    assay.PUT("/v1/integrations", { body: { partner: "ashby", callbackKey } }),
  );
  console.log("enter this address at Ashby:", connected.baseUrl);
  // end sample

  // sample: listIntegrations
  for (const { partner, connectedAt } of await ok(assay.GET("/v1/integrations"))) {
    console.log(partner, "is connected since", connectedAt);
  }
  // end sample

  const params = { path: { id: connected.id } };
  // sample: listIntegrationExchanges
  const exchanges = await ok(assay.GET("/v1/integrations/{id}/exchanges", { params }));
  for (const { direction, method, address, problem } of exchanges) {
    console.log(direction, method, address, problem ?? "succeeded");
  }
  // end sample

  // sample: disconnectIntegration
  await ok(assay.DELETE("/v1/integrations/{id}", { params }));
  // end sample
}
