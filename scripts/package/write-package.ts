import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { inJavaScript, withJavaScriptNames } from './in-javascript.ts'

const root = join(import.meta.dirname, '../..')
const contract = '@tollgate/contract'

const packages = z.record(z.string(), z.string()).default({})
const manifest = z.object({
  version: z.string(),
  description: z.string().default(''),
  license: z.string(),
  engines: packages,
  dependencies: packages,
  optionalDependencies: packages,
})

const manifestOf = (folder: string): z.output<typeof manifest> =>
  manifest.parse(JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')))

/** Copies modules without their types, and all other files as they are; tests stay here. */
const copyModules = (from: string, to: string, wanted: (path: string) => boolean = () => true): void => {
  for (const name of readdirSync(from, { recursive: true, encoding: 'utf8', withFileTypes: true })) {
    if (!name.isFile() || name.name.endsWith('.test.ts')) continue
    const source = join(name.parentPath, name.name)
    if (!wanted(source.slice(from.length + 1))) continue
    const target = join(to, source.slice(from.length)).replace(/\.ts$/, '.js')
    mkdirSync(dirname(target), { recursive: true })
    if (name.name.endsWith('.ts')) writeFileSync(target, inJavaScript(readFileSync(source, 'utf8')))
    else cpSync(source, target)
  }
}

/** Files of the product's modules that the server needs: their screens are part of the built console. */
const isServed = (path: string): boolean =>
  !/^lists\/(pages|rights|full-rows)\.ts$|^[\w-]+\/(web|texts|tests)\//.test(path.replaceAll('\\', '/'))

/** Files of them that the contract needs. */
const isContract = (path: string): boolean =>
  /^lists\/(data|contracts|options)\.ts$|^[\w-]+\/(module|contract|options)(\.ts$|\/)/.test(path.replaceAll('\\', '/'))

/** The bundle, which names the modules that threads and commands run, with the data beside it. */
const copyBundle = (from: string, to: string): void => {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) {
    if (name.endsWith('.js')) writeFileSync(join(to, name), withJavaScriptNames(readFileSync(join(from, name), 'utf8')))
    else if (name.endsWith('.json')) cpSync(join(from, name), join(to, name))
  }
}

const writeJson = (path: string, value: object): void => writeFileSync(path, `${JSON.stringify(value, undefined, 2)}\n`)

/** Program that `tollgate serve` loads: nothing has to be built here. */
const start = `import { guardStandardStreams } from '../server/src/lib/standard-output.js'
guardStandardStreams()
await import('../server/dist/start.js')
`

/**
 * Writes `tollgate-<version>.tgz` into a folder and answers its path: the built server and console, the modules that threads and
 * commands run, in JavaScript, and the contract within. Console and server must have been built.
 */
export const writePackage = (folder: string): string => {
  const own = manifestOf('.')
  const [server, shared] = [manifestOf('server'), manifestOf('contract')]
  const staged = mkdtempSync(join(tmpdir(), 'tollgate-package-'))
  const into = (...path: readonly string[]): string => join(staged, ...path)
  try {
    copyModules(join(root, 'server/src'), into('server/src'))
    copyModules(join(root, 'scripts/tollgate'), into('scripts/tollgate'))
    copyModules(join(root, 'modules'), into('modules'), isServed)
    copyBundle(join(root, 'server/dist'), into('server/dist'))
    cpSync(join(root, 'web/dist'), into('web/dist'), { recursive: true })
    for (const name of ['LICENSE', 'README.md', 'CHANGELOG.md']) cpSync(join(root, name), into(name))
    cpSync(join(root, 'scripts/need-node.mjs'), into('scripts/need-node.mjs'))
    writeFileSync(into('scripts/start.js'), start)
    const bin = into('scripts/tollgate/bin.mjs')
    writeFileSync(bin, withJavaScriptNames(readFileSync(bin, 'utf8')))

    const inner = into('node_modules', contract)
    // As far from each other as here, for the imports between them.
    copyModules(join(root, 'contract/src'), join(inner, 'contract/src'))
    copyModules(join(root, 'modules'), join(inner, 'modules'), isContract)
    writeJson(join(inner, 'package.json'), {
      name: contract,
      version: shared.version,
      license: shared.license,
      type: 'module',
      exports: { '.': './contract/src/index.js', './*': './contract/src/*.js' },
    })
    writeJson(into('package.json'), {
      name: 'tollgate',
      version: own.version,
      description: own.description,
      license: own.license,
      type: 'module',
      engines: own.engines,
      bin: { tollgate: 'scripts/tollgate/bin.mjs' },
      dependencies: { ...shared.dependencies, ...server.dependencies },
      imports: { '#server/*': './server/src/*' },
      bundleDependencies: [contract],
      optionalDependencies: { ...own.optionalDependencies, ...server.optionalDependencies },
    })
    const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], { cwd: staged })
    const [{ filename } = { filename: '' }] = z
      .array(z.object({ filename: z.string() }))
      .parse(JSON.parse(packed.toString()))
    return join(folder, filename)
  } finally {
    rmSync(staged, { recursive: true, force: true })
  }
}
