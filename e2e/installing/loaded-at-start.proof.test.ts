import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import { startSite } from '../support/site.ts'

/** The packages that an idle server holds, since each package that it does not need costs every site memory and time at each start. */

const bundle = join(import.meta.dirname, '../../server/dist')

const ends: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Packages that may be loaded before a feature is used. Add one only after weighing its memory and time. */
const needed = ['@hono/node-server', '@noble/ciphers', 'hono', 'kysely', 'undici', 'zod']

/** Packages that must not be loaded: their features are off or unused. */
const optional = [
  // Its prices and facts are prepared when the bundle is built.
  '@pydantic/genai-prices',
  '@duckdb/node-api',
  '@opentelemetry/api',
  '@peculiar/x509',
  '@simplewebauthn/server',
  '@smithy/signature-v4',
  'gpt-tokenizer',
  'ioredis',
  'jose',
  'mysql2',
  'nodemailer',
  'openid-client',
  'pg',
  'prom-client',
  'ws',
]

/** Modules of Node that must not be loaded: its fetch, and HTTP/2. Together they take 6 MB and a seventh of a start. */
const optionalOfNode = ['internal/deps/undici/undici', 'internal/http2/core']

const packageOf = (path: string): string | undefined =>
  /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path.replaceAll('\\', '/'))?.[1]

const threadNames = (pid: number): readonly string[] =>
  readdirSync(`/proc/${pid}/task`).map((thread) => readFileSync(`/proc/${pid}/task/${thread}/comm`, 'utf8').trim())

it('loads no package that an idle server does not need, and begins no thread for reading', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-e2e-'))
  ends.push(() => rmSync(folder, { recursive: true, force: true }))
  const noted = join(folder, 'loads')
  const site = await startSite()
  ends.push(site.remove)
  await site.stop()
  const hook = join(import.meta.dirname, '../support/note-loads.mjs')
  const watched = await startSite({ NODE_OPTIONS: `--import ${hook}`, NOTED_LOADS: noted })
  ends.push(watched.remove)
  if (existsSync('/proc') && watched.process.pid !== undefined) {
    expect(threadNames(watched.process.pid).filter((name) => name === 'sqlite')).toEqual(['sqlite'])
  }
  await watched.stop()
  const names = [...new Set(readFileSync(noted, 'utf8').trim().split('\n'))]
  const builtIn = new Set(names.filter((name) => name.startsWith('NativeModule ')))
  expect(builtIn).toContain('NativeModule _http_server')
  expect(optionalOfNode.filter((name) => builtIn.has(`NativeModule ${name}`))).toEqual([])
  const loaded = names.filter((name) => name.startsWith('file:')).map((url) => fileURLToPath(url))
  const inFiles = JSON.parse(readFileSync(join(bundle, 'packages.json'), 'utf8')) as Record<string, string[]>
  const chunks = loaded.filter((path) => dirname(path) === bundle).map((path) => basename(path))
  expect(chunks).toContain('serve.js')
  const packages = new Set([
    ...chunks.flatMap((name) => inFiles[name] ?? []),
    ...loaded.map(packageOf).filter((name) => name !== undefined),
  ])
  expect(optional.filter((name) => packages.has(name))).toEqual([])
  expect([...packages].filter((name) => !needed.includes(name))).toEqual([])
})
