import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const pageFiles = z.record(
  z.string().startsWith('/'),
  z.object({ scripts: z.array(z.string()), styles: z.array(z.string()), early: z.string().optional() }),
)

/** Files that a page loads beside those of every page; paths below the site, without a slash in front. */
export interface PageFiles {
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
  /** An inline script that requests the screen's first data. */
  readonly early?: string | undefined
}

export interface ConsolePages {
  /** The page's pattern, e.g. `/user/edit/$id`; undefined for a path that is none of the console's pages. */
  patternOf(path: string): string | undefined
  filesOf(pattern: string): PageFiles
}

const noFiles: PageFiles = { scripts: [], styles: [] }

/**
 * The console's pages; a final slash does not matter. Reads the list that the build writes
 * (web/build/page-files.ts), `$name` for one part of any text and a `$` at the end for all parts that follow; throws for one that cannot be
 * read. Without a build every path is a page, so that each of them says that the build is missing.
 */
export const readConsolePages = async (directory: string): Promise<ConsolePages> => {
  const list = await readFile(join(directory, '.vite/page-files.json'), 'utf8').catch(() => undefined)
  if (list === undefined) return { patternOf: (path) => path, filesOf: () => noFiles }
  const known = new Map(Object.entries(pageFiles.parse(JSON.parse(list))))
  const patterns = [...known.keys()].map((page) => page.split('/'))
  return {
    patternOf(path) {
      const parts = (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path).split('/')
      const found = patterns.find(
        (pattern) =>
          (pattern.length === parts.length || (pattern.at(-1) === '$' && pattern.length < parts.length)) &&
          pattern.every((part, index) => part === parts[index] || (part.startsWith('$') && parts[index] !== '')),
      )
      return found?.join('/')
    },
    filesOf: (pattern) => known.get(pattern) ?? noFiles,
  }
}
