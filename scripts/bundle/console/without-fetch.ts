import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const own = import.meta.dirname

/** The listener's code that names classes of the web or of HTTP/2, and the same without. Each must stand there once or more. */
const changes: readonly (readonly [from: RegExp, to: string])[] = [
  [/globalThis\.Headers\b/g, 'Headers'],
  [/\bglobal\.Request\b/g, 'Request'],
  [/\bglobal\.Response\b/g, 'Response'],
  // Nothing here speaks HTTP/2, whose module takes 2 MB.
  [
    /import \{ Http2ServerRequest, constants \} from ['"](?:node:)?http2['"];?/g,
    'const constants = {}; class Http2ServerRequest {}',
  ],
  // In one case with the names beside it, as answers of Node's own class have it.
  [/header\["Content-Length"\] = length/g, 'header["content-length"] = length'],
  // Of its WebSockets, which are not used.
  [/globalThis\.(?:CloseEvent|ErrorEvent) \?\?/g, ''],
]

const ending = 'export { Response$1 as LightResponse };'

/** The listener's module with our classes in place of Node's. @throws Error where a newer version reads otherwise. */
export const listenerWithoutFetch = (code: string): string => {
  const changed = changes.reduce((text, [from, to]) => {
    if (text.search(from) < 0) throw new Error(`@hono/node-server holds no ${from}: see scripts/bundle/console`)
    return text.replaceAll(from, to)
  }, code)
  if (!/\bclass Response\$1\b/.test(changed)) throw new Error('@hono/node-server has no class of answers of its own')
  return `import { Headers, Request, Response } from ${JSON.stringify(join(own, 'web-classes.ts'))};\n${changed}\n${ending}\n`
}

const asProperties = (names: string): string => names.replaceAll(/\s+as\s+/g, ': ')

/**
 * Imports of `node:http` as members of the module itself. An import reads every export, and one of them is the WebSocket
 * of Node's fetch.
 */
export const withoutHttpImports = (code: string): string =>
  code.replaceAll(
    /^import \{([^}]+)\} from ["']node:http["'];?$/gm,
    (_, names: string) => `const {${asProperties(names)}} = process.getBuiltinModule('node:http');`,
  )

/** Answers of the console and of modules without Node's fetch; it is loaded when something is fetched. */
export const withoutFetch = (server: string) => {
  const source = join(server, 'src')
  const listener = join(dirname(createRequire(join(source, 'main.ts')).resolve('@hono/node-server')), 'index.mjs')
  const http = join(source, 'http')
  const ofModule = /[\\/]modules[\\/][\w-]+[\\/]server[\\/]/
  return {
    name: 'without-fetch',
    transform: (code: string, module: string): string | undefined => {
      if (module === listener) return listenerWithoutFetch(code)
      const isAnswering = (module.startsWith(http) || ofModule.test(module)) && /\bnew Response\(/.test(code)
      return isAnswering ? `import { Response } from ${JSON.stringify(join(own, 'answer.ts'))}\n${code}` : undefined
    },
  }
}
