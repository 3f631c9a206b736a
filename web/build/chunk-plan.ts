/// <reference types="node" />
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { build, type InlineConfig, type Rolldown } from 'vite'

/** A file of the unplanned build, with those that cannot start without it. */
interface Part {
  readonly modules: readonly string[]
  readonly gzipBytes: number
  /** Loaded with the first script of every page. */
  readonly inMain: boolean
  /** Loaded with the frame of the console. */
  readonly inShell: boolean
  /** Pages before the console that load it, and what comes on them. */
  readonly entrances: number
  /** Loaded with the login page, which is the lightest. */
  readonly inLogin: boolean
  /** The names of the screens of the console that load it. */
  readonly screens: readonly string[]
  /** The table itself. */
  readonly isTable: boolean
  /** Loaded by screens with a table, and by no others. */
  readonly onlyLists: boolean
  /** What comes on demand and loads it. */
  readonly onDemand: number
  /** The same set of loaders has the same name. */
  readonly loaders: string
}

const isMain = (id: string): boolean => /(index\.html|src\/main\.tsx)$/.test(id)
const isShell = (id: string): boolean => /src\/shell\/frame\.ts$/.test(id)
/** Screens before the console, and what comes on them. */
const isEntrance = (id: string): boolean =>
  /features\/(join|login|register|reset|oauth-callback)\/|components\/sign-in\/(pitch|third-party)/.test(id)
const isScreen = (id: string): boolean =>
  !isEntrance(id) && /(features|\/modules\/[\w-]+\/web)\/(.*\/)?(screen|redirect)\.tsx$/.test(id)

/** Of `…/features/users/user-page/screen.tsx`: `users-user-page-screen`. */
const nameOfScreen = (id: string): string =>
  id
    .replace(/^.*\/features\/|^.*\/modules\/|\.tsx$/g, '')
    .replace('/web/', '/')
    .replaceAll('/', '-')

/** What makes a screen a list. */
const isTable = (id: string): boolean => id.endsWith('components/data-table/data-table.tsx')

const featureOf = (module: string): string | undefined =>
  /(?:web\/src\/features|\/modules)\/([\w-]+)\//.exec(module)?.[1]

/** The one feature that all modules belong to. */
const featureOfAll = ({ modules }: Part): string | undefined => {
  const features = new Set(modules.map(featureOf))
  return features.size === 1 ? [...features][0] : undefined
}

/**
 * A part costs every visit what it weighs, gzip before it is minified, and a file of its own costs the screens that need it
 * a request: up to so many bytes for each of these screens it goes where all find it.
 */
const bytesPerScreen = 270
const tinyBytes = 800
/** What one screen alone starts with, and what opens on others, too, is part of the screen's file up to this. */
const smallBytes = 4000
/** From so many screens on, nearly every visit needs it: inputs, figures, states. */
const commonScreens = 14
/** What menus, sheets and dialogs stand on is used by nearly all that opens. */
const commonOnDemand = 40
/** What so many parts on demand share is one file for all of them; what fewer share is one for each set of them. */
const sharedOnDemand = 5
/** Helpers up to this weight are one file, if they stand on nothing that floats. */
const plainBytes = 2000

/** The group of a part; undefined leaves it to the bundler, which makes a file of it. */
export const groupOf = (part: Part): string | undefined => {
  const { inMain, inShell, inLogin, entrances, screens, onlyLists, onDemand, loaders, gzipBytes } = part
  const inConsole = inShell || screens.length > 0
  if (inMain) return 'base'
  if (inLogin && inConsole) return 'common'
  // The page on which a login provider ends goes on to the console.
  if (entrances > 0 && inConsole) return inShell ? 'console' : undefined
  if (entrances > 1 && inLogin) return 'entrance'
  // What the others share is not for the lightest of them.
  if (entrances > 1) return undefined
  // What makes a list weighs too much for a page without one, however many lists there are.
  if (!inShell && onlyLists && part.isTable) return 'table'
  if (inShell || screens.length >= commonScreens) return 'console'
  const feature = featureOfAll(part)
  // Pages about one thing look alike; no other screen needs what they share.
  if (screens.length > 1 && screens.every((name) => name.endsWith('-page-screen'))) return 'shared-pages'
  if (screens.length > 1) {
    if (onlyLists && gzipBytes < bytesPerScreen * screens.length) return 'table'
    // What the same few screens share is one file.
    return gzipBytes < bytesPerScreen * screens.length ? 'console' : `shared-${screens.join('-')}`
  }
  if (screens.length === 1 && feature !== undefined) return `screen-${screens[0]}`
  if (screens.length === 1 && gzipBytes < tinyBytes) return 'console'
  // What comes on demand elsewhere and needs it, too, would load the screen with it: too much for a library.
  if (screens.length === 1) return gzipBytes < smallBytes ? `screen-${screens[0]}` : undefined
  if (onDemand < 2) return undefined
  if (feature !== undefined) return `opened-${feature}`
  if (onDemand >= commonOnDemand) return 'floating'
  return onDemand >= sharedOnDemand || gzipBytes < tinyBytes ? 'opened' : `opened-by-${loaders}`
}

const isChunk = (file: Rolldown.OutputChunk | Rolldown.OutputAsset): file is Rolldown.OutputChunk =>
  file.type === 'chunk'

/** Everything that a file starts with: itself and what it imports. */
const startOf = (file: Rolldown.OutputChunk, all: ReadonlyMap<string, Rolldown.OutputChunk>): Set<string> => {
  const files = new Set<string>()
  const visit = (name: string): void => {
    const chunk = all.get(name)
    if (!chunk || files.has(name)) return
    files.add(name)
    chunk.imports.forEach(visit)
  }
  visit(file.fileName)
  return files
}

const partOf = (chunk: Rolldown.OutputChunk, by: readonly string[], lists: ReadonlySet<string>): Part => {
  const screens = by.filter(isScreen)
  const isNamed = (id: string): boolean => isMain(id) || isShell(id) || isEntrance(id) || isScreen(id)
  return {
    modules: chunk.moduleIds,
    gzipBytes: gzipSync(chunk.code).length,
    inMain: by.some(isMain),
    inShell: by.some(isShell),
    entrances: by.filter(isEntrance).length,
    inLogin: by.some((id) => id.endsWith('features/login/screen.tsx')),
    screens: screens.map(nameOfScreen).toSorted(),
    isTable: chunk.moduleIds.some(isTable),
    onlyLists: screens.every((screen) => lists.has(screen)),
    onDemand: by.filter((id) => !isNamed(id)).length,
    loaders: createHash('sha256').update(by.toSorted().join()).digest('hex').slice(0, 8),
  }
}

const ofEveryPage = ['base', 'common', 'console']

/** What is loaded with every page must not load, for the sake of a small part, what only some need. */
const withoutDetours = (
  group: string | undefined,
  { screens, gzipBytes }: Part,
  needed: readonly (string | undefined)[],
): string | undefined => {
  const standsOn = (names: readonly string[]): boolean =>
    needed.every((name) => name !== undefined && names.includes(name))
  if (group === 'console' && !standsOn(ofEveryPage)) {
    if (standsOn([...ofEveryPage, 'table'])) return 'table'
    return screens.length === 1 ? `screen-${screens[0]}` : undefined
  }
  if (group === 'opened' && gzipBytes < plainBytes && standsOn([...ofEveryPage, 'opened'])) return 'plain'
  return group
}

/**
 * Which file each module goes into. Left alone the bundler makes a file for every set of screens that share something,
 * most of them under a kilobyte, and a screen needs a hundred. So it builds once in memory to learn what is shared by
 * whom, and the parts are then put together by that.
 */
export const planChunks = async (config: InlineConfig): Promise<ReadonlyMap<string, string>> => {
  const built = (await build({
    ...config,
    configFile: false,
    logLevel: 'error',
    build: { ...config.build, write: false, minify: false, reportCompressedSize: false },
  })) as Rolldown.RolldownOutput
  const chunks = built.output.filter(isChunk)
  const all = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const loaders = new Map<string, string[]>(chunks.map(({ fileName }) => [fileName, []]))
  for (const root of chunks.filter((chunk) => chunk.isEntry || chunk.isDynamicEntry))
    for (const file of startOf(root, all)) loaders.get(file)?.push(root.facadeModuleId ?? '')
  const table = chunks.find(({ moduleIds }) => moduleIds.some(isTable))
  const lists = new Set(table && loaders.get(table.fileName))
  const parts = new Map(
    chunks.map((chunk) => [chunk.fileName, partOf(chunk, loaders.get(chunk.fileName) ?? [], lists)]),
  )
  const wanted = new Map([...parts].map(([file, part]) => [file, groupOf(part)]))
  const isRoot = new Set(chunks.flatMap(({ facadeModuleId }) => facadeModuleId ?? []))
  const groups = chunks.flatMap((chunk) => {
    const needed = [...startOf(chunk, all)].map((file) => (parts.get(file)?.inShell ? 'console' : wanted.get(file)))
    const part = parts.get(chunk.fileName)
    const group = part && withoutDetours(wanted.get(chunk.fileName), part, needed)
    // What is imported by name of its own keeps a file of its own, under which the manifest lists it.
    const modules = chunk.moduleIds.filter((id) => !isRoot.has(id) && !isMain(id))
    return group === undefined ? [] : modules.map((id): [string, string] => [id, group])
  })
  return new Map(groups)
}

/** What everything stands on first: a group also takes what its modules import, unless an earlier one has it. */
const order = ['base', 'common', 'entrance', 'console', 'table', 'plain', 'floating', 'opened']

/** The plan as groups of the bundler. */
export const chunkGroups = (plan: ReadonlyMap<string, string>): Rolldown.CodeSplittingGroup[] => {
  const names = [...new Set([...order, ...[...plan.values()].toSorted()])]
  return names.map((name, index) => ({
    name,
    priority: names.length - index,
    // The bundler's own helpers are not among the modules of the plan.
    test: (id) => (id.includes('rolldown/runtime') ? name === 'base' : plan.get(id) === name),
    includeDependenciesRecursively: false,
  }))
}
