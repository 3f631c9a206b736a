import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin, Rolldown } from 'vite'
import { pagePaths } from '../src/lib/url/page-paths.ts'
import { earlyScript } from './early-scripts.ts'

const source = join(import.meta.dirname, '../src')
const pagesFile = join(source, 'shell/pages.ts')
const modulePages = join(source, '../../modules/lists/pages.ts')

/** What this needs of a page (web/src/components/page.ts). */
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
}

const isPage = (value: unknown): value is Page => typeof value === 'object' && value !== null && 'load' in value

/** The files that a list of `export * from` names. */
const reExported = (list: string): string[] =>
  [...readFileSync(list, 'utf8').matchAll(/^export \* from '(.+)'$/gm)].map(([, path = '']) =>
    join(dirname(list), path),
  )

/** All pages with the modules of their screens, read off the pages' own `load`. */
const readPages = async (): Promise<PageModule[]> => {
  const files = reExported(pagesFile).flatMap((file) => (file === modulePages ? reExported(file) : [file]))
  const modules = await Promise.all(
    files.map(async (file) => {
      const values: unknown[] = Object.values(await import(pathToFileURL(file).href))
      return values.filter(isPage).map((page) => {
        const path = /import\(['"](.+?)['"]\)/.exec(page.load.toString())?.[1]
        if (path === undefined) throw new Error(`the screen of ${page.path} is not imported in its load`)
        return { page, screen: join(dirname(file), path) }
      })
    }),
  )
  return modules.flat()
}

export interface PageFiles {
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
}

/**
 * Styles of the entry go into the page: its frame is painted without another request. The link stays, unused, since what
 * fetches the styles of later parts looks there for those that the page has.
 */
const inlineEntryStyles = (bundle: Rolldown.OutputBundle, { styles }: PageFiles): void => {
  const page = bundle['index.html']
  if (page?.type !== 'asset') throw new Error('the build has no index.html')
  page.source = styles.reduce((html, name) => {
    const sheet = bundle[name]
    if (sheet?.type !== 'asset') throw new Error(`the build has no ${name}`)
    return html.replace(
      new RegExp(`<link rel="stylesheet"[^>]*${name}">`),
      () => `<style>${String(sheet.source)}</style><link rel="stylesheet" href="/${name}" disabled>`,
    )
  }, String(page.source))
}

/** What these modules start with, each file once, the most general first. */
const filesOf = (bundle: Rolldown.OutputBundle, modules: readonly string[]): PageFiles => {
  const scripts = new Set<string>()
  const styles = new Set<string>()
  // Chunks may import each other in a circle.
  const visited = new Set<string>()
  const visit = (name: string): void => {
    const chunk = bundle[name]
    if (chunk?.type !== 'chunk' || visited.has(name)) return
    visited.add(name)
    chunk.imports.forEach(visit)
    scripts.add(name)
    for (const style of chunk.viteMetadata?.importedCss ?? []) styles.add(style)
  }
  for (const chunk of Object.values(bundle))
    if (chunk.type === 'chunk' && chunk.facadeModuleId !== null && modules.includes(chunk.facadeModuleId))
      visit(chunk.fileName)
  return { scripts: [...scripts], styles: [...styles] }
}

/**
 * Writes beside the build which files each page starts with, and the script that begins its first reads. The server puts both
 * into the page, so that the browser asks for all of them at once, instead of learning of each from the one before.
 */
export const pageFiles = (): Plugin => ({
  name: 'tollgate-page-files',
  apply: 'build',
  enforce: 'post',
  async generateBundle(_, bundle) {
    const pages = await readPages()
    const entry = filesOf(bundle, [join(source, '../index.html')])
    const isNew = ({ scripts, styles }: PageFiles): PageFiles => ({
      scripts: scripts.filter((file) => !entry.scripts.includes(file)),
      styles: styles.filter((file) => !entry.styles.includes(file)),
    })
    inlineEntryStyles(bundle, entry)
    const list = await Promise.all(
      pages.map(async ({ page, screen }) => {
        const isBare = page.access === 'bare'
        const files = isNew(filesOf(bundle, [...(isBare ? [] : [join(source, 'shell/frame.ts')]), screen]))
        const early = isBare ? undefined : await earlyScript(page, screen)
        return pagePaths([page]).map((path) => [path, { ...files, early }])
      }),
    )
    this.emitFile({
      type: 'asset',
      fileName: '.vite/page-files.json',
      source: JSON.stringify(Object.fromEntries(list.flat())),
    })
  },
})
