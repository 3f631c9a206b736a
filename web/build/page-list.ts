import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import { pagePaths } from '../src/lib/url/page-paths.ts'

type Pages = Readonly<Record<string, Parameters<typeof pagePaths>[0][number]>>

/** Loaded while the build runs, so that the configuration does not bundle the screens. */
const pagesFile = pathToFileURL(join(import.meta.dirname, '../src/shell/pages.ts')).href

/** Writes the list of pages beside the build: the server answers them with the console, and every other path with 404. */
export const pageList = (): Plugin => ({
  name: 'tollgate-page-list',
  apply: 'build',
  async generateBundle() {
    const pages = (await import(pagesFile)) as Pages
    this.emitFile({
      type: 'asset',
      fileName: '.vite/pages.json',
      source: JSON.stringify(pagePaths(Object.values(pages))),
    })
  },
})
