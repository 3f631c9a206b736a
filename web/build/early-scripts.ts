import { join } from 'node:path'
import { build, type Plugin, type Rolldown } from 'vite'
import { contractModule } from './contract-module.ts'
import { optionsModule } from './options-module.ts'

const entry = 'virtual:early-script'
const early = join(import.meta.dirname, '../src/lib/loading/early-page.ts')

/** Fields of a page (web/src/components/page.ts) that are read here. */
interface EarlyPage {
  readonly path: string
  readonly access: string
}

/** Packages and styles: what reads first draws nothing, so nothing of them may be left. */
const isOutside = (source: string): boolean =>
  source.endsWith('.css') || (/^[a-z@]/i.test(source) && !/^(virtual:|@tollgate\/)/.test(source))

/** The script's own module, with everything that it does not stand on left out. */
const lean = (source: string): Plugin => ({
  name: 'tollgate-early-script',
  enforce: 'pre',
  resolveId: (id) =>
    id === entry ? `\0${entry}` : isOutside(id) ? { id, external: true, moduleSideEffects: false } : undefined,
  resolveDynamicImport: () => false,
  load: (id) => (id === `\0${entry}` ? source : undefined),
})

/** Calls at the top of modules whose results the first reads do not use. */
const pureCalls = [
  'createContext',
  'createStore',
  'defineMessages',
  'forwardRef',
  'lazy',
  'memo',
  'onDemand',
  'onDemandWithin',
]

/**
 * The script by which a page asks for what its screen reads first, before the console's scripts have come: the screen's own
 * `firstRead` and what computes its queries, two kilobytes. Undefined for a screen that has none. Throws where a package would be needed.
 */
export const earlyScript = async (page: EarlyPage, screen: string): Promise<string | undefined> => {
  const source = [
    `import * as screen from ${JSON.stringify(screen)}`,
    `import { beginEarlyReads } from ${JSON.stringify(early)}`,
    'const read = screen.firstRead ?? screen.earlyRead',
    `if (read) beginEarlyReads(${JSON.stringify(page.path)}, ${JSON.stringify(page.access)}, read)`,
  ].join('\n')
  const built = (await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [lean(source), contractModule(), optionsModule()],
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: {
        input: entry,
        treeshake: { moduleSideEffects: false, manualPureFunctions: pureCalls },
        output: { format: 'iife', codeSplitting: false },
      },
    },
  })) as Rolldown.RolldownOutput
  const [chunk] = built.output
  const code = chunk.code.trim()
  if (!code.startsWith('(function()')) throw new Error(`the first reads of ${page.path} need ${chunk.imports}`)
  if (/<\/script|<!--/i.test(code)) throw new Error(`the first reads of ${page.path} would end their script`)
  return code.includes('fetch(') ? code : undefined
}
