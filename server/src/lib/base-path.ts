/**
 * The base path of a site is the path below which browsers and clients reach it, such as `/gw`. It begins with a slash and has none at
 * its end; it is empty for a site at the root of its host.
 */

/** A path or an address of this site as outsiders reach it. Addresses of other sites stay. */
export const belowBasePath = (basePath: string, target: string): string =>
  basePath !== '' && /^\/(?![/\\])/.test(target) ? basePath + target : target

/** The site's address with its base path, where the address does not end with it already. An empty address stays empty. */
export const withBasePath = (basePath: string, address: string): string =>
  address === '' || address.replace(/\/+$/, '').endsWith(basePath) ? address : address.replace(/\/+$/, '') + basePath

/** First parts of paths of the gateway and of the console's pages. A base path that begins with one could be read in two ways. */
const ownFirstParts: ReadonlySet<string> = new Set([
  ...[
    'anthropic',
    'api',
    'assets',
    'dashboard',
    'hooks',
    'kling',
    'mj',
    'model',
    'models',
    'openai',
    'p',
    'pg',
    'scim',
    'suno',
    'ws',
  ],
  ...['v1', 'v1alpha', 'v1beta', 'v1beta1', 'v2', 'healthz', 'livez', 'metrics', 'readyz'],
  ...[
    'about',
    'agents',
    'audit',
    'background',
    'batches',
    'channel',
    'chat',
    'chat2link',
    'correction',
    'detail',
    'explore',
    'identity-provider',
  ],
  ...[
    'inspector',
    'invited',
    'join',
    'limit',
    'live',
    'log',
    'login',
    'midjourney',
    'oauth',
    'organisation',
    'payment',
    'personal',
  ],
  ...['playground', 'pricing', 'reconciliation', 'redemption', 'register', 'reset', 'route', 'sessions', 'setting'],
  ...['site-import', 'statement', 'task', 'today', 'token', 'topup', 'unknown-usage', 'user', 'videos'],
])

const longest = 200

/** A base path as an operator wrote it: with a slash in front and none at the end, empty for the root; or why it cannot be one. */
export const readBasePath = (written: string): { readonly path: string } | { readonly problem: string } => {
  const path = written.replace(/\/+$/, '')
  if (path === '') return { path }
  if (path.length > longest || !/^(?:\/[\w~-][\w.~-]*)+$/.test(path))
    return { problem: `"${written}" is not a path such as /gw` }
  const [, first = ''] = path.split('/')
  if (ownFirstParts.has(first)) return { problem: `the site has paths of its own below /${first}` }
  return { path }
}
