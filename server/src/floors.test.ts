import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = dirname(fileURLToPath(import.meta.url))

/** What a floor may stand on beside itself and the contract (docs/architecture.md). Types of ports may come from above. */
const floors: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  db: ['lib'],
  billing: ['lib'],
  journal: ['lib', 'relay/ports.ts', 'billing'],
  ledger: ['db', 'billing', 'lib', 'journal', 'relay/ports.ts'],
  dialects: ['billing', 'lib'],
  providers: [],
  relay: ['providers', 'dialects', 'billing', 'lib'],
  http: ['lib'],
  gateway: ['relay', 'dialects', 'providers', 'billing', 'http', 'lib'],
  verification: ['db', 'lib'],
  mail: ['lib'],
  jobs: ['lib'],
  features: [
    'ledger',
    'verification',
    'mail',
    'relay',
    'dialects',
    'providers',
    'billing',
    'db',
    'http',
    'lib',
    'gateway/ports.ts',
  ],
}

// Commands that people run are entries like main: they may name everything.
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|-command\.ts$/.test(path))
  .map((path) => path.split(sep).join('/'))

const importsOf = (path: string): string[] =>
  [...readFileSync(join(root, path), 'utf8').matchAll(/from '(\.[^']+)'/g)].map(([, target = '']) =>
    relative(root, join(root, dirname(path), target))
      .split(sep)
      .join('/'),
  )

const room = (path: string): string => {
  const [floor = '', name = ''] = path.split('/')
  return floor === 'features' || (floor === 'providers' && path.split('/').length > 2) ? `${floor}/${name}` : floor
}

const mayImport = (from: string, to: string): boolean => {
  const [floor = ''] = from.split('/')
  const allowed = floors[floor]
  if (allowed === undefined || room(from) === room(to)) return true
  if (from === 'providers/index.ts') return to.startsWith('providers/')
  if (floor === 'providers') return /^(lib\/|billing\/|dialects\/|providers\/dialects\/|providers\/[^/]+$)/.test(to)
  return allowed.some((entry) => to === entry || to.startsWith(`${entry}/`))
}

it('keeps every import pointing down', () => {
  const upward = sources.flatMap((from) =>
    importsOf(from)
      .filter((to) => !mayImport(from, to))
      .map((to) => `${from} → ${to}`),
  )
  expect(upward).toEqual([])
})
