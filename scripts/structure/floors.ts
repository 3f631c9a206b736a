import type { Module } from './modules.ts'

/** A folder of the tree, or a file, and what stands below it. */
export interface Floor {
  /** From the root of the repository; a `*` at the end stands for each folder in it, and those never import each other. */
  readonly path: string
  /** Allowed imports beside its own files: folders, files, or the files of a folder without its folders (`folder/*.ts`). */
  readonly below: readonly string[]
}

const contract = 'contract/src'
const moduleLists = 'modules/lists'
const server = (...paths: readonly string[]): readonly string[] => [
  ...paths.map((path) => `server/src/${path}`),
  contract,
]
const web = (...paths: readonly string[]): readonly string[] => [...paths.map((path) => `web/src/${path}`), contract]

/** Every source file stands on the floor with the longest path that fits. Types of ports may come from above. */
export const floors: readonly Floor[] = [
  { path: contract, below: [moduleLists] },
  // A module knows the kernel and the kit; only the lists know modules.
  {
    path: moduleLists,
    below: [
      'modules',
      'contract/src/modules/module-data.ts',
      'server/src/app/modules/module-command.ts',
      'server/src/app/modules/module-kit.ts',
      'server/test/rights/module-rights.ts',
    ],
  },
  {
    path: 'modules/*',
    below: [
      ...server(
        ...[
          'ledger',
          'reports',
          'verification',
          'mail',
          'relay',
          'dialects',
          'providers',
          'billing',
          'limits',
          'db',
          'http',
          'lib',
        ],
        ...['jobs', 'features', 'gateway/ports.ts', 'telemetry', 'config/version.ts'],
        ...[
          'gateway/module-calls.ts',
          'gateway/module-side.ts',
          'gateway/deadlines',
          'gateway/own-calls',
          'gateway/stored/background-calls.ts',
        ],
        ...['app/modules/module-command.ts', 'app/modules/module-kit.ts', 'app/modules/stored-site.ts'],
      ),
      ...web('components', 'lib'),
    ],
  },
  { path: 'server/src/lib', below: server() },
  { path: 'server/src/db', below: server('lib') },
  { path: 'server/src/db/migrations', below: server('db', 'billing/tables', 'lib') },
  { path: 'server/src/billing', below: server('lib') },
  { path: 'server/src/journal', below: server('lib', 'billing', 'relay/ports.ts') },
  { path: 'server/src/ledger', below: server('db', 'billing', 'lib', 'journal', 'relay/ports.ts') },
  // Reads the entries and sums that the ledger writes, and writes nothing.
  { path: 'server/src/reports', below: server('ledger/speed', 'ledger/usage', 'db', 'lib') },
  { path: 'server/src/limits', below: server('lib') },
  { path: 'server/src/dialects', below: server('billing', 'limits', 'lib') },
  {
    path: 'server/src/providers/*',
    below: server('providers/*.ts', 'providers/dialects', 'dialects', 'billing', 'lib'),
  },
  { path: 'server/src/providers', below: server('dialects', 'billing', 'lib') },
  { path: 'server/src/relay', below: server('providers', 'dialects', 'billing', 'limits', 'lib') },
  { path: 'server/src/http', below: server('lib') },
  { path: 'server/src/telemetry', below: server('relay', 'lib', 'gateway/ports.ts') },
  {
    path: 'server/src/telemetry/monitoring.ts',
    below: server('telemetry', 'app/parts.ts', 'gateway/ports.ts', 'journal', 'config', 'lib'),
  },
  { path: 'server/src/gateway', below: server('relay', 'dialects', 'providers', 'billing', 'limits', 'http', 'lib') },
  { path: 'server/src/verification', below: server('db', 'lib') },
  { path: 'server/src/mail', below: server('lib') },
  { path: 'server/src/jobs', below: server('db', 'lib') },
  { path: 'server/src/backup', below: server('ledger/epoch', 'jobs', 'config', 'db', 'lib') },
  { path: 'server/src/rotation', below: server('features/receipts', 'config', 'db', 'lib') },
  { path: 'server/src/upgrade', below: server('backup', 'telemetry/live', 'config', 'db', 'lib') },
  { path: 'server/src/neighbours', below: server('jobs', 'db', 'lib') },
  {
    path: 'server/src/workers',
    below: server('features/accounts/throttle.ts', 'telemetry', 'ledger', 'journal', 'limits', 'config', 'lib'),
  },
  {
    path: 'server/src/features/*',
    below: server(
      ...[
        'ledger',
        'reports',
        'verification',
        'mail',
        'relay',
        'dialects',
        'providers',
        'billing',
        'limits',
        'db',
        'http',
      ],
      ...['lib', 'jobs', 'gateway/ports.ts', 'telemetry', 'config/version.ts', 'app/noun-types.ts', 'app/parts.ts'],
    ),
  },
  // Commands that people run are entries like main: they may name everything.
  { path: 'server/src/ledger/epoch/new-epoch-command.ts', below: ['server/src', contract] },
  { path: 'server/src/ledger/refused/refused-command.ts', below: ['server/src', contract] },
  { path: 'server/src/ledger/verify/verify-command.ts', below: ['server/src', contract] },
  { path: 'server/src', below: [moduleLists, contract] },
  { path: 'server/bench', below: ['server/src', 'e2e/support', contract] },
  { path: 'server/test', below: ['server/src', moduleLists, contract] },
  { path: 'web/src/languages', below: [] },
  { path: 'web/src/lib', below: web('languages') },
  { path: 'web/src/components', below: web('lib') },
  { path: 'web/src/components/parts', below: [...web('components', 'lib'), moduleLists] },
  { path: 'web/src/features/*', below: web('components', 'lib') },
  { path: 'web/src/shell', below: [...web('features', 'components', 'lib', 'styles', 'theme.ts'), moduleLists] },
  { path: 'web/src/test', below: web('lib', 'theme.ts') },
  { path: 'web/src', below: [moduleLists, contract] },
  { path: 'web/build', below: web('lib') },
  { path: 'e2e/support', below: ['server/test/support/lib/free-port.ts', contract] },
  { path: 'e2e', below: ['server/src', 'server/test', 'server/bench/many-logs.ts', contract] },
  { path: 'scripts', below: ['e2e', moduleLists, 'server/src', 'server/test', contract] },
]

/**
 * Further imports that tests may have. Those of the console have their helpers and may go through its router; those of the server join
 * real parts, which only the floors above know.
 */
const tests: readonly Floor[] = [
  { path: 'server/src', below: ['server/src', 'server/test', 'scripts', contract] },
  { path: 'web/src', below: [...web('test', 'routes.tsx'), 'scripts/structure'] },
  { path: 'modules', below: ['server/src', 'server/test', ...web('test', 'routes.tsx')] },
]

/** Tests and the helpers that stand beside them. */
const isTest = (path: string): boolean => /\.test\.tsx?$|\/(testing|test)-[^/]+$|^modules\/[\w-]+\/tests\//.test(path)

/** The folder that a floor is for this path: `web/src/features/*` is `web/src/features/logs`. Undefined where it is not on it. */
const folderOn = ({ path }: Floor, file: string): string | undefined => {
  if (!path.endsWith('/*')) return file === path || file.startsWith(`${path}/`) ? path : undefined
  const base = path.slice(0, -1)
  const [name = '', ...rest] = file.slice(base.length).split('/')
  return file.startsWith(base) && rest.length > 0 ? `${base}${name}` : undefined
}

const floorOf = (file: string): { floor: Floor; folder: string } | undefined =>
  floors
    .flatMap((floor) => {
      const folder = folderOn(floor, file)
      return folder === undefined ? [] : [{ floor, folder }]
    })
    .toSorted((left, right) => right.folder.length - left.folder.length)[0]

const covers = (entry: string, file: string): boolean => {
  if (!entry.endsWith('/*.ts')) return file === entry || file.startsWith(`${entry}/`)
  const base = entry.slice(0, -'*.ts'.length)
  return file.startsWith(base) && !file.slice(base.length).includes('/')
}

/** Imports that go up or sideways, as `from → to`; files that stand on no floor are named alone. */
export const upwardImports = (modules: readonly Module[]): readonly string[] =>
  modules.flatMap(({ path, imports }) => {
    const place = floorOf(path)
    if (place === undefined) return [path]
    const ofTests = isTest(path) ? tests.filter((floor) => folderOn(floor, path) !== undefined) : []
    const below = [place.folder, ...place.floor.below, ...ofTests.flatMap((floor) => floor.below)]
    return imports
      .filter((target) => !below.some((entry) => covers(entry, target)))
      .map((target) => `${path} → ${target}`)
  })

const named = (path: string): string => (path === contract ? 'contract' : path)

/** The table of floors in Markdown, for docs/architecture/floors.md. The contract may be imported everywhere and is left out. */
export const floorsTable = (): string =>
  [
    '| floor | may import beside itself |',
    '|---|---|',
    ...floors.map(({ path, below }) => {
      const others = below
        .filter((entry) => entry !== contract)
        .map((entry) => `\`${entry.replace(/^(server|web)\/src\//, '')}\``)
      const inside = floors.some((floor) => floor.path.startsWith(`${path}/`) && floor.path !== `${path}/*`)
      const all = [...(inside ? ['everything in it'] : []), ...others]
      return `| \`${named(path)}\` | ${all.length === 0 ? '—' : all.join(' ')} |`
    }),
  ].join('\n')
