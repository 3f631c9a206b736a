import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { withoutFetch, withoutHttpImports } from './console/without-fetch.ts'
import { packagesFile, packagesOf } from './packages-of.ts'
import { prepareFacts } from './prepared-facts.ts'
import { preparePrices } from './prepared-prices.ts'
import { schemasWhenUsed } from './schemas/when-used.ts'
import { inAscii, withSourcePlaces } from './source-places.ts'
import { undiciParts, wholeUndici } from './undici-parts.ts'

const server = join(import.meta.dirname, '../../server')
const source = join(server, 'src')
const modules = join(server, '../modules')
const target = join(server, 'dist')

/** Files that are run or loaded by their names; their place is the bundle. */
const entries: Readonly<Record<string, string>> = {
  start: join(source, 'start.ts'),
  main: join(source, 'main.ts'),
  serve: join(source, 'serve.ts'),
}

/** Loaded only where they are used, with what they look for beside them. */
const apart = [/^pg$/, /^mysql2/, /^nodemailer$/, /^prom-client$/, /^@opentelemetry\//, /^@duckdb\//]

/**
 * Writes the server and its packages as a few files to `server/dist`, which start in half the time of some two thousand and take
 * less memory. Threads still run their sources, which load little. What is loaded when it is used first stays apart.
 */
const bundleServer = async (): Promise<void> => {
  const [prices, facts] = await Promise.all([preparePrices(), prepareFacts()])
  /** Modules of the server that others stand in for. */
  const preparedModules = new Map([
    [join(source, 'billing/book/prepared-lists.ts'), prices.module],
    [join(source, 'features/models/facts/prepared-facts.ts'), facts.module],
  ])
  const { entry: undici, ...undiciPlugin } = undiciParts(server)
  const build = await rolldown({
    input: { ...entries, [wholeUndici]: undici },
    cwd: server,
    platform: 'node',
    external: apart,
    logLevel: 'warn',
    plugins: [
      undiciPlugin,
      schemasWhenUsed(),
      withoutFetch(server),
      {
        name: 'prepared-modules',
        load: (module) => preparedModules.get(module),
      },
      {
        name: 'source-places',
        transform: (code, module) =>
          [source, modules].some((folder) => module.startsWith(folder)) &&
          !preparedModules.has(module) &&
          !Object.values(entries).includes(module)
            ? withSourcePlaces(code, module, target)
            : undefined,
      },
    ],
  })
  // Whoever starts meanwhile finds the files of before, or these.
  const fresh = `${target}-${process.pid}`
  mkdirSync(fresh)
  try {
    const { output } = await build.generate({ format: 'esm', comments: false, entryFileNames: '[name].js' })
    for (const { name, text } of [prices.file, facts.file]) writeFileSync(join(fresh, name), text)
    writeFileSync(join(fresh, packagesFile), `${JSON.stringify(packagesOf(output), null, 2)}\n`)
    // After the bundler, which prints texts with their own characters whatever a plugin has written.
    for (const file of output) {
      writeFileSync(
        join(fresh, file.fileName),
        file.type === 'chunk' ? inAscii(withoutHttpImports(file.code)) : file.source,
      )
    }
    rmSync(target, { recursive: true, force: true })
    try {
      renameSync(fresh, target)
    } catch (error) {
      // Another start has just put the same there.
      if (!existsSync(join(target, 'start.js'))) throw error
    }
  } finally {
    await build.close()
    rmSync(fresh, { recursive: true, force: true })
  }
}

await bundleServer()
