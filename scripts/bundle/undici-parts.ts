import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The parts that every call upstream needs. */
const always = {
  Agent: 'dispatcher/agent',
  Pool: 'dispatcher/pool',
  ProxyAgent: 'dispatcher/proxy-agent',
  Socks5ProxyAgent: 'dispatcher/socks5-proxy-agent',
}

/** Functions and classes of webhooks, identity providers and realtime sessions: loaded with the rest of the package when they are used. */
const whenUsed = { functions: ['fetch', 'ping', 'request'], classes: ['WebSocket'] }

/** The name of the bundle's file with the whole package. */
export const wholeUndici = 'undici-whole'

/** Folder of the installed package. */
const packageOf = (server: string): string => dirname(createRequire(join(server, 'src/main.ts')).resolve('undici'))

const partsOf = (folder: string): string => {
  const path = (name: string): string => JSON.stringify(join(folder, 'lib', `${name}.js`))
  return [
    `import { createRequire } from 'node:module'`,
    `import Dispatcher from ${path('dispatcher/dispatcher')}`,
    `import api from ${path('api/index')}`,
    ...Object.entries(always).map(([name, file]) => `import ${name} from ${path(file)}`),
    // As the package's own index does.
    'Object.assign(Dispatcher.prototype, api)',
    'const load = createRequire(import.meta.url)',
    `const whole = () => load('./${wholeUndici}.js').default`,
    `export { ${Object.keys(always).join(', ')} }`,
    ...whenUsed.functions.map((name) => `export const ${name} = (...given) => whole().${name}(...given)`),
    // `new` gives the object that a constructor returns in place of its own.
    ...whenUsed.classes.map(
      (name) => `export const ${name} = function (...given) { return new (whole().${name})(...given) }`,
    ),
  ].join('\n')
}

/** Loads Node's HTTP/2, 2 MB, which upstreams of calls never speak; in the bundle the first connection that does loads it. */
const withHttp2 = `const connectH2 = require('./client-h2.js')`

const partsName = '\0undici-parts'

/**
 * Puts what every call needs of undici into the server's bundle, and the whole package, with its fetch, WebSocket, caches and
 * mocks, into a file of its own that is loaded when something else of it is used first. Its second parser of HTTP, an experiment
 * that is off, is left out, as it is in Node itself.
 */
export const undiciParts = (server: string) => {
  const folder = packageOf(server)
  const source = join(server, 'src')
  return {
    name: 'undici-parts',
    resolveId: (name: string, importer: string | undefined): string | undefined =>
      name === 'undici' && importer?.startsWith(source) ? partsName : undefined,
    load: (module: string): string | undefined => (module === partsName ? partsOf(folder) : undefined),
    transform: (code: string, module: string): string | undefined => {
      if (module === join(folder, 'lib/dispatcher/client-h1.js')) {
        return code.replaceAll(`typeof esbuildDetection === 'undefined'`, 'false')
      }
      if (module !== join(folder, 'lib/dispatcher/client.js')) return undefined
      if (!code.includes(withHttp2)) throw new Error(`undici holds no ${withHttp2}: see scripts/bundle/undici-parts.ts`)
      return code.replace(withHttp2, `const connectH2 = (...given) => require('./client-h2.js')(...given)`)
    },
    entry: join(folder, 'index.js'),
  }
}
