import { subscribe } from "node:diagnostics_channel";

const requests = new Set<string>();

/** Notes the requests that fetch makes from now on, whatever client makes them. */
export function observe(): void {
  subscribe("undici:request:create", (message) => {
    const { request } = message as { request: { method: string; path: string } };
    requests.add(`${request.method} ${request.path.replace(/\?.*/, "")}`);
  });
}

/** How many operations the contract has; throws if one of them was not called. */
export async function count(baseUrl: string): Promise<number> {
  const contract = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as {
    paths: Record<string, object>;
  };
  const operations = Object.entries(contract.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const missing = operations.filter((operation) => {
    const pattern = new RegExp(`^${operation.replace(/\{\w+\}/g, "[^/]+")}$`);
    return !requests.has(operation) && ![...requests].some((request) => pattern.test(request));
  });
  if (missing.length > 0) throw new Error(`not called: ${missing.join(", ")}`);
  return operations.length;
}
