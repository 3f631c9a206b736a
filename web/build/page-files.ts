import type { Plugin, Rolldown } from 'vite'
import { pagePaths } from '../src/lib/url/page-paths.ts'
import { earlyScript } from './early-scripts.ts'
import { entry, readPages } from './page-modules.ts'

export interface PageFiles {
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
}

/**
 * Styles of the entry go into the page: its frame is painted without another request. The link stays, unused, since what
 * fetches the styles of later parts looks there for those that the page has. Files are named from the root of the host, where the server
 * may put a base path in front, since the page is served at addresses of any depth.
 */
const inlineEntryStyles = (bundle: Rolldown.OutputBundle, { styles }: PageFiles): void => {
  const page = bundle['index.html']
  if (page?.type !== 'asset') throw new Error('the build has no index.html')
  page.source = styles.reduce(
    (html, name) => {
      const sheet = bundle[name]
      if (sheet?.type !== 'asset') throw new Error(`the build has no ${name}`)
      const folder = name.slice(0, name.lastIndexOf('/') + 1)
      // Addresses in a sheet are relative to it.
      const content = String(sheet.source).replace(
        /\burl\((["']?)(?:\.\/)?(?![a-z]+:|[/#])/gi,
        (_, quote: string) => `url(${quote}/${folder}`,
      )
      return html.replace(
        new RegExp(`<link rel="stylesheet"[^>]*${name}">`),
        () => `<style>${content}</style><link rel="stylesheet" href="/${name}" disabled>`,
      )
    },
    String(page.source).replace(/\b(href|src)="\.\//g, '$1="/'),
  )
}

/** Files that these modules load at their start, each once, the most general first. */
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
 * Writes beside the build the list of the pages, which the server answers with the console and every other path with 404, with
 * the files that each of them starts with, and the script that begins its first reads. The server puts both
 * into the page, so that the browser asks for all of them at once, instead of learning of each from the one before.
 */
export const pageFiles = (): Plugin => ({
  name: 'tollgate-page-files',
  apply: 'build',
  enforce: 'post',
  async generateBundle(_, bundle) {
    const pages = await readPages()
    const everywhere = filesOf(bundle, [entry])
    const isNew = ({ scripts, styles }: PageFiles): PageFiles => ({
      scripts: scripts.filter((file) => !everywhere.scripts.includes(file)),
      styles: styles.filter((file) => !everywhere.styles.includes(file)),
    })
    inlineEntryStyles(bundle, everywhere)
    const list = await Promise.all(
      pages.map(async ({ page, screen, modules }) => {
        const files = isNew(filesOf(bundle, modules))
        const early = page.access === 'bare' ? undefined : await earlyScript(page, screen)
        return pagePaths([page]).map((path): [string, object] => [path, { ...files, early }])
      }),
    )
    this.emitFile({
      type: 'asset',
      fileName: '.vite/page-files.json',
      source: JSON.stringify(Object.fromEntries(list.flat().toSorted(([a], [b]) => (a < b ? -1 : 1)))),
    })
  },
})
