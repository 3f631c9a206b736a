import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

export interface Page {
  /** From the root of the repository, with `/`. */
  readonly path: string
  readonly text: string
}

const fenced = /^```[\s\S]*?^```/gm
const heading = /^#{1,6} +(.+?) *$/gm
const link = /\]\(([^)\s]+)\)/g

/** The anchor that renderers of Markdown make of a heading. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

const anchorsOf = (text: string): ReadonlySet<string> =>
  new Set([...text.replace(fenced, '').matchAll(heading)].map(([, title = '']) => anchorOf(title)))

/**
 * Links of pages to files or headings that are not there, as `page: link`. Addresses of other sites pass.
 * @param exists Whether the repository has a file or folder at this path.
 */
export const brokenLinks = (pages: readonly Page[], exists: (path: string) => boolean): string[] => {
  const anchors = new Map(pages.map(({ path, text }) => [path, anchorsOf(text)]))
  const isBroken = (from: string, target: string): boolean => {
    if (/^[a-z]+:/.test(target)) return false
    const [file = '', anchor] = target.split('#')
    const path = file === '' ? from : normalize(join(dirname(from), file))
    if (!exists(path)) return true
    const known = anchors.get(path)
    return anchor !== undefined && known !== undefined && !known.has(anchor)
  }
  return pages.flatMap(({ path, text }) =>
    [...text.replace(fenced, '').matchAll(link)].flatMap(([, target = '']) =>
      isBroken(path, target) ? [`${path}: ${target}`] : [],
    ),
  )
}

/** Every page of the documentation, and those at the root. */
export const readPages = (root: string): readonly Page[] =>
  [
    ...readdirSync(root),
    ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`),
  ]
    .filter((path) => path.endsWith('.md'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** Broken links of the repository at `root`. */
export const brokenLinksAt = (root: string): string[] =>
  brokenLinks(readPages(root), (path) => existsSync(join(root, path)))
