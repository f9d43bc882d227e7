/** The usual port of each listener, and its distance from the first where the first is chosen. */
const LISTENERS = {
  metrics: {port: 9090, offset: 0},
  traces: {port: 3200, offset: 1},
  diagnostics: {port: 17_913, offset: 2},
  ingest: {port: 9411, offset: 3},
  admin: {port: 9464, offset: 4},
  console: {port: 9470, offset: 5},
  otlp: {port: 4318, offset: 6},
} as const;

/** The last first port with which all listeners have one. */
export const HIGHEST_PORT_BASE = 65_535 - Math.max(...Object.values(LISTENERS).map(({offset}) => offset));

/** The `listeners` of the configuration. `portBase`: the port of the first; 0 for any free ports. */
export function listenersFrom(portBase: number | undefined): unknown {
  const listeners = Object.entries(LISTENERS).map(([name, {port, offset}]) => {
    const moved = portBase === 0 ? 0 : (portBase ?? 0) + offset;
    return [name, {host: '127.0.0.1', port: portBase === undefined ? port : moved}];
  });
  return Object.fromEntries(listeners);
}
