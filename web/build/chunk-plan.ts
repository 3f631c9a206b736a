/// <reference types="node" />
import { gzipSync } from 'node:zlib'
import { build, type InlineConfig, type Rolldown } from 'vite'
import { groupParts, type Load, type Part } from './chunk-groups.ts'

/** The modules that a page starts with; a light page stands without the console's frame. */
export interface PageStart {
  readonly modules: readonly string[]
  readonly isLight: boolean
}

/** The light pages are the first that anyone sees. */
const lightWeight = 8
/** Most of what comes on demand comes while the browser is idle. */
const onDemandWeight = 0.01

const isChunk = (file: Rolldown.OutputChunk | Rolldown.OutputAsset): file is Rolldown.OutputChunk =>
  file.type === 'chunk'

type Chunks = ReadonlyMap<string, Rolldown.OutputChunk>

/** Adds to `found` the files with everything that they import. */
const startOf = (chunks: Chunks, files: Iterable<string>, found = new Set<string>()): Set<string> => {
  for (const file of files) {
    if (found.has(file)) continue
    found.add(file)
    startOf(chunks, chunks.get(file)?.imports ?? [], found)
  }
  return found
}

/** The files that are opened from these ones sooner or later, pages left out. */
const openedFrom = (chunks: Chunks, files: Iterable<string>, pages: ReadonlySet<string>): Set<string> => {
  const opened = new Set<string>()
  const visit = (file: string): void => {
    for (const next of chunks.get(file)?.dynamicImports ?? []) {
      if (opened.has(next) || pages.has(next)) continue
      opened.add(next)
      startOf(chunks, [next]).forEach(visit)
    }
  }
  for (const file of files) visit(file)
  return opened
}

/** Every page, and everything on demand on top of what all the pages have that open it. */
const loadsOf = (chunks: Chunks, pages: readonly PageStart[]): Load[] => {
  const fileOf = new Map([...chunks.values()].map(({ facadeModuleId, fileName }) => [facadeModuleId, fileName]))
  const starts = pages.map(({ modules, isLight }) => {
    const roots = modules.flatMap((id) => fileOf.get(id) ?? [])
    return { roots, files: startOf(chunks, roots), weight: isLight ? lightWeight : 1 }
  })
  const named = new Set(starts.flatMap(({ roots }) => roots))
  const onDemand = new Map<string, Load>()
  for (const { files, weight } of starts)
    for (const file of openedFrom(chunks, files, named)) {
      const other = onDemand.get(file)
      onDemand.set(file, {
        files: other ? new Set([...other.files].filter((name) => files.has(name))) : files,
        weight: Math.max(other?.weight ?? onDemandWeight, weight > 1 ? weight : 0),
      })
    }
  const opened = [...onDemand].map(([file, { files, weight }]) => ({
    files: startOf(chunks, [file], new Set(files)),
    weight,
  }))
  return [...starts, ...opened]
}

const partsOf = (output: Rolldown.RolldownOutput['output']): Part[] => {
  const sizes = new Map(output.map((file) => [file.fileName, gzipSync(isChunk(file) ? file.code : file.source).length]))
  return output.filter(isChunk).map(({ fileName, facadeModuleId, moduleIds, imports, viteMetadata }) => {
    const files = [fileName, ...(viteMetadata?.importedCss ?? [])]
    return {
      file: fileName,
      imports,
      modules: moduleIds,
      bytes: files.reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0),
      hasStyles: files.length > 1,
      isFixed: facadeModuleId !== null,
    }
  })
}

/**
 * The groups of modules that go into one file each. Left alone the bundler makes a file for every set of screens that share
 * something, most of them under a kilobyte, and a screen needs a hundred. So it builds once in memory to learn which files
 * are loaded together, and those are joined whose requests cost more than the bytes that some pages would load in vain.
 */
export const planChunks = async (
  config: InlineConfig,
  pages: readonly PageStart[],
): Promise<Rolldown.CodeSplittingGroup[]> => {
  const { output } = (await build({
    ...config,
    configFile: false,
    logLevel: 'error',
    build: { ...config.build, write: false, minify: false, reportCompressedSize: false },
  })) as Rolldown.RolldownOutput
  const chunks = new Map(output.filter(isChunk).map((chunk) => [chunk.fileName, chunk]))
  const groups = groupParts(partsOf(output), loadsOf(chunks, pages))
  const names = new Map(groups.flatMap((modules, index) => modules.map((id) => [id, `shared-${index}`])))
  // The bundler's own helpers are not among the modules of its output; the first group is loaded with everything.
  const nameOf = (id: string): string | null => (id.includes('rolldown/runtime') ? 'shared-0' : (names.get(id) ?? null))
  return [{ name: nameOf, debugName: 'shared', includeDependenciesRecursively: false }]
}
