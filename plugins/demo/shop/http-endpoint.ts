/** The two parts of an endpoint that is named `GET:/products`. */
export function httpEndpoint(name: string): {readonly method: string; readonly path: string} {
  const colon = name.indexOf(':');
  return {method: name.slice(0, colon), path: name.slice(colon + 1)};
}
