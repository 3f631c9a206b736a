import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'modules')

/** `some-name` as the name of an import: `someName`. */
const importName = (name: string): string => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

const head = '// Written by `npm run modules` from the folders of modules.\n'

interface Listed {
  readonly name: string
  /** As imports name it. */
  readonly as: string
}

const each = (modules: readonly Listed[], print: (module: Listed) => string): string => modules.map(print).join('')

/** Each list, with the file that makes a module part of it. */
const lists: readonly { list: string; file: string; print(modules: readonly Listed[]): string }[] = [
  {
    list: 'data.ts',
    file: 'module.ts',
    print: (modules) =>
      [
        "import type { ModuleData } from '../../contract/src/modules/module-data.ts'\n",
        each(modules, ({ name, as }) => `import { module as ${as} } from '../${name}/module.ts'\n`),
        `\nexport const moduleData: Readonly<Record<string, ModuleData>> = { ${modules.map(({ name, as }) => `'${name}': ${as}`).join(', ')} }`,
        `\nexport const moduleErrors = { ${modules.map(({ as }) => `...${as}.errors`).join(', ')} }\n`,
        `export const moduleAreas = [${modules.map(({ as }) => `...${as}.areas`).join(', ')}]\n`,
        `export const moduleLogEvents = { ${modules.map(({ as }) => `...${as}.logEvents`).join(', ')} }\n`,
      ].join(''),
  },
  {
    list: 'contracts.ts',
    file: 'contract.ts',
    print: (modules) =>
      [
        each(modules, ({ name, as }) => `import * as ${as} from '../${name}/contract.ts'\n`),
        '\n',
        each(modules, ({ name }) => `export * from '../${name}/contract.ts'\n`),
        `\nexport const moduleContracts = [${modules.map(({ as }) => as).join(', ')}]\n`,
      ].join(''),
  },
  {
    list: 'options.ts',
    file: 'options.ts',
    print: (modules) =>
      [
        each(modules, ({ name, as }) => `import { sections as ${as} } from '../${name}/options.ts'\n`),
        `\nexport const moduleSections = [${modules.map(({ as }) => `...${as}`).join(', ')}] as const\n`,
      ].join(''),
  },
  {
    list: 'servers.ts',
    file: 'server/join.ts',
    print: (modules) =>
      [
        "import type { JoinModule } from '../../server/src/app/modules/module-kit.ts'\n",
        each(modules, ({ name, as }) => `import { join as ${as} } from '../${name}/server/join.ts'\n`),
        `\nexport const serverModules: readonly JoinModule[] = [${modules.map(({ as }) => as).join(', ')}]\n`,
      ].join(''),
  },
  {
    list: 'commands.ts',
    file: 'server/commands.ts',
    print: (modules) =>
      [
        "import type { ModuleCommand } from '../../server/src/app/modules/module-command.ts'\n",
        each(modules, ({ name, as }) => `import { commands as ${as} } from '../${name}/server/commands.ts'\n`),
        `\nexport const moduleCommands: readonly ModuleCommand[] = [${modules.map(({ as }) => `...${as}`).join(', ')}]\n`,
      ].join(''),
  },
  {
    list: 'rights.ts',
    file: 'tests/rights.ts',
    print: (modules) =>
      [
        "import type { ModuleRights } from '../../server/test/rights/module-rights.ts'\n",
        each(modules, ({ name, as }) => `import { rights as ${as} } from '../${name}/tests/rights.ts'\n`),
        `\nexport const moduleRights: readonly ModuleRights[] = [${modules.map(({ as }) => as).join(', ')}]\n`,
      ].join(''),
  },
  {
    list: 'full-rows.ts',
    file: 'tests/full-rows.ts',
    print: (modules) =>
      [
        each(modules, ({ name, as }) => `import { rows as ${as} } from '../${name}/tests/full-rows.ts'\n`),
        `\nexport const moduleRows = { ${modules.map(({ as }) => `...${as}`).join(', ')} }\n`,
      ].join(''),
  },
  {
    list: 'parts.ts',
    file: 'web/parts.ts',
    print: (modules) =>
      [
        each(modules, ({ name, as }) => `import { parts as ${as} } from '../${name}/web/parts.ts'\n`),
        `\nexport const moduleParts = [${modules.map(({ as }) => `...${as}`).join(', ')}] as const\n`,
      ].join(''),
  },
  {
    list: 'security-parts.ts',
    file: 'web/security-parts.ts',
    print: (modules) =>
      [
        each(modules, ({ name, as }) => `import { securityParts as ${as} } from '../${name}/web/security-parts.ts'\n`),
        `\nexport const moduleSecurityParts = [${modules.map(({ as }) => `...${as}`).join(', ')}] as const\n`,
      ].join(''),
  },
  {
    list: 'sign-in-ways.ts',
    file: 'web/sign-in-ways.ts',
    print: (modules) =>
      [
        each(modules, ({ name, as }) => `import { signInWays as ${as} } from '../${name}/web/sign-in-ways.ts'\n`),
        `\nexport const moduleSignInWays = [${modules.map(({ as }) => `...${as}`).join(', ')}] as const\n`,
      ].join(''),
  },
  {
    list: 'organisation-tabs.ts',
    file: 'web/organisation-tabs.ts',
    print: (modules) =>
      [
        each(
          modules,
          ({ name, as }) => `import { organisationTabs as ${as} } from '../${name}/web/organisation-tabs.ts'\n`,
        ),
        `\nexport const moduleOrganisationTabs = [${modules.map(({ as }) => `...${as}`).join(', ')}] as const\n`,
      ].join(''),
  },
  {
    list: 'organisation-tasks.ts',
    file: 'web/organisation-tasks.ts',
    print: (modules) =>
      [
        each(
          modules,
          ({ name, as }) => `import { organisationTasks as ${as} } from '../${name}/web/organisation-tasks.ts'\n`,
        ),
        `\nexport const moduleOrganisationTasks = [${modules.map(({ as }) => `...${as}`).join(', ')}] as const\n`,
      ].join(''),
  },
  {
    list: 'wallet-parts.ts',
    file: 'web/wallet-parts.ts',
    print: (modules) =>
      [
        each(modules, ({ name, as }) => `import { walletParts as ${as} } from '../${name}/web/wallet-parts.ts'\n`),
        `\nexport const moduleWalletParts = [${modules.map(({ as }) => `...${as}`).join(', ')}] as const\n`,
      ].join(''),
  },
  {
    list: 'pages.ts',
    file: 'web/page.ts',
    print: (modules) => each(modules, ({ name }) => `export * from '../${name}/web/page.ts'\n`) || 'export {}\n',
  },
]

/** Names of the modules: the folders of `modules` that have a `module.ts`. */
export const moduleNames = (): readonly string[] =>
  readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'module.ts')))
    .toSorted()

/** The lists that contract, server and console import, by path from the root, as they ought to be. */
export const moduleLists = (): ReadonlyMap<string, string> =>
  new Map(
    lists.map(({ list, file, print }) => {
      const present = moduleNames().filter((name) => existsSync(join(folder, name, file)))
      return [`modules/lists/${list}`, head + print(present.map((name) => ({ name, as: importName(name) })))]
    }),
  )

/** The lists that are not as they ought to be. */
export const outdatedLists = (): readonly (readonly [path: string, text: string])[] =>
  [...moduleLists()].filter(([path, text]) => {
    const file = join(root, path)
    return !existsSync(file) || readFileSync(file, 'utf8') !== text
  })
