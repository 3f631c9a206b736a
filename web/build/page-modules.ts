import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PageStart } from './chunk-plan.ts'

const source = join(import.meta.dirname, '../src')
const pagesFile = join(source, 'shell/pages.ts')
const frame = join(source, 'shell/frame.ts')
const modulePages = join(source, '../../modules/lists/pages.ts')

/** Fields of a page (web/src/components/page.ts) that are read here. */
interface Page {
  readonly path: string
  readonly access: string
  readonly sheets?: readonly string[]
  readonly load: () => unknown
}

interface PageModule {
  readonly page: Page
  /** The module of its screen. */
  readonly screen: string
  /** That module with the frame around it, which bare pages do without. */
  readonly modules: readonly string[]
}

const isPage = (value: unknown): value is Page => typeof value === 'object' && value !== null && 'load' in value

/** The files that a list of `export * from` names. */
const reExported = (list: string): string[] =>
  [...readFileSync(list, 'utf8').matchAll(/^export \* from '(.+)'$/gm)].map(([, path = '']) =>
    join(dirname(list), path),
  )

/** All pages with the modules of their screens, read off the pages' own `load`. */
export const readPages = async (): Promise<PageModule[]> => {
  const files = reExported(pagesFile).flatMap((file) => (file === modulePages ? reExported(file) : [file]))
  const modules = await Promise.all(
    files.map(async (file) => {
      const values: unknown[] = Object.values(await import(pathToFileURL(file).href))
      return values.filter(isPage).map((page) => {
        const path = /import\(['"](.+?)['"]\)/.exec(page.load.toString())?.[1]
        if (path === undefined) throw new Error(`the screen of ${page.path} is not imported in its load`)
        const screen = join(dirname(file), path)
        return { page, screen, modules: page.access === 'bare' ? [screen] : [frame, screen] }
      })
    }),
  )
  return modules.flat()
}

/** The module that every page starts with. */
export const entry = join(source, '../index.html')

export const readPageStarts = async (): Promise<PageStart[]> =>
  (await readPages()).map(({ page, modules }) => ({ modules: [entry, ...modules], isLight: page.access === 'bare' }))
