/**
 * What the demo shows: a small web shop. Everything that is generated, metrics now and other signals later, takes its
 * names and its traffic from here.
 */

export interface SceneService {
  readonly layer: string;
  readonly name: string;
  /** Empty for a database, which is seen only through its clients. */
  readonly instances: readonly string[];
  /** Of a database: the kinds of statements. */
  readonly endpoints: readonly SceneEndpoint[];
}

export interface SceneEndpoint {
  readonly name: string;
  /** Calls per minute at the busiest time of the day. */
  readonly calls: number;
  /** Typical response time in milliseconds. */
  readonly latency: number;
}

/** An endpoint that calls another one in a service further back. */
export interface SceneCall {
  readonly from: SceneNode;
  readonly to: SceneNode;
  /** Calls per call of the source. */
  readonly ratio: number;
}

export interface SceneNode {
  readonly service: SceneService;
  readonly endpoint: SceneEndpoint;
}

const GENERAL = 'GENERAL';
export const DATABASE = 'VIRTUAL_DATABASE';

export const SERVICES: readonly SceneService[] = [
  service(GENERAL, 'gateway', 2, {'GET:/': [420, 46], 'GET:/api/**': [1260, 62], 'POST:/api/**': [260, 128]}),
  service(GENERAL, 'storefront', 3, {
    'GET:/products': [640, 38],
    'GET:/products/{id}': [480, 31],
    'GET:/search': [220, 74],
    'GET:/account': [90, 27],
  }),
  service(GENERAL, 'catalog', 3, {
    'GET:/items': [860, 18],
    'GET:/items/{id}': [520, 9],
    'GET:/items/search': [220, 52],
  }),
  service(GENERAL, 'cart', 2, {
    'GET:/cart': [340, 11],
    'POST:/cart/items': [150, 17],
    'DELETE:/cart/items/{id}': [40, 14],
  }),
  service(GENERAL, 'checkout', 2, {'POST:/orders': [64, 96], 'GET:/orders/{id}': [110, 22]}),
  service(GENERAL, 'payment', 2, {'POST:/payments': [64, 58], 'GET:/payments/{id}': [70, 12]}),
  service(GENERAL, 'inventory', 2, {'GET:/stock/{id}': [700, 7], 'PUT:/stock/{id}': [64, 15]}),
  service(GENERAL, 'recommendation', 2, {'GET:/recommendations': [450, 43]}),
  service(DATABASE, 'orders-db:3306', 0, {select: [980, 4], insert: [130, 6], update: [130, 5]}),
];

export const CALLS: readonly SceneCall[] = [
  call('gateway GET:/api/**', 'storefront GET:/products', 0.5),
  call('gateway GET:/api/**', 'storefront GET:/search', 0.17),
  call('gateway GET:/api/**', 'cart GET:/cart', 0.27),
  call('gateway POST:/api/**', 'cart POST:/cart/items', 0.58),
  call('gateway POST:/api/**', 'checkout POST:/orders', 0.25),
  call('storefront GET:/products', 'catalog GET:/items', 1.2),
  call('storefront GET:/products', 'recommendation GET:/recommendations', 0.7),
  call('storefront GET:/products/{id}', 'catalog GET:/items/{id}', 1),
  call('storefront GET:/search', 'catalog GET:/items/search', 1),
  call('catalog GET:/items', 'inventory GET:/stock/{id}', 0.8),
  call('checkout POST:/orders', 'payment POST:/payments', 1),
  call('checkout POST:/orders', 'inventory PUT:/stock/{id}', 1),
  call('checkout POST:/orders', 'orders-db:3306 insert', 2),
  call('checkout GET:/orders/{id}', 'orders-db:3306 select', 1.5),
  call('payment POST:/payments', 'orders-db:3306 update', 2),
  call('inventory GET:/stock/{id}', 'orders-db:3306 select', 1),
];

export const STATEMENTS: readonly string[] = [
  'select * from orders where customer_id = ? order by created_at desc limit 50',
  'select sku, sum(quantity) from order_items group by sku having sum(quantity) > ?',
  'update payments set state = ? where order_id = ?',
  'insert into orders (id, customer_id, total, created_at) values (?, ?, ?, ?)',
  'select stock from inventory where sku = ? for update',
];

function service(
  layer: string,
  name: string,
  instances: number,
  endpoints: Readonly<Record<string, readonly [calls: number, latency: number]>>,
): SceneService {
  return {
    layer,
    name,
    instances: Array.from({length: instances}, (_, i) => `${name}-${i}`),
    endpoints: Object.entries(endpoints).map(([endpoint, [calls, latency]]) => ({name: endpoint, calls, latency})),
  };
}

function call(from: string, to: string, ratio: number): SceneCall {
  return {from: node(from), to: node(to), ratio};
}

/** The node written as `service endpoint`. */
function node(path: string): SceneNode {
  for (const each of SERVICES) {
    const endpoint = each.endpoints.find(({name}) => `${each.name} ${name}` === path);
    if (endpoint !== undefined) return {service: each, endpoint};
  }
  throw new Error(`the scene has no ${path}`);
}
