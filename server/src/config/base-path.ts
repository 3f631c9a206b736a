import { ConfigError } from './environment.ts'

/** First parts of paths of the gateway and of the console's pages. A base path that begins with one could be read in two ways. */
const ownFirstParts: ReadonlySet<string> = new Set([
  ...['anthropic', 'api', 'assets', 'dashboard', 'mj', 'model', 'models', 'openai', 'p', 'pg', 'scim', 'suno', 'ws'],
  ...['v1', 'v1alpha', 'v1beta', 'v1beta1', 'v2', 'healthz', 'livez', 'metrics', 'readyz'],
  ...[
    'about',
    'agents',
    'audit',
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
  ...['site-import', 'statement', 'task', 'token', 'topup', 'unknown-usage', 'user'],
])

const longest = 200

/**
 * The path below which the site is reached: with a slash in front and none at the end, empty for the root.
 * @throws ConfigError for one that is no plain path, or that begins like a path of the gateway's own.
 */
export const basePath = (name: string, written: string = ''): string => {
  const path = written.replace(/\/+$/, '')
  if (path === '') return ''
  if (path.length > longest || !/^(?:\/[\w~-][\w.~-]*)+$/.test(path))
    throw new ConfigError(name, `"${written}" is not a path such as /gw`)
  const [, first = ''] = path.split('/')
  if (ownFirstParts.has(first)) throw new ConfigError(name, `the site has paths of its own below /${first}`)
  return path
}
