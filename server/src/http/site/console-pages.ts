import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const pageList = z.array(z.string().startsWith('/'))

/**
 * Answers whether a path is one of the console's pages; a final slash does not matter. Reads the list that the build writes
 * (web/build/page-list.ts), `$name` for one part of any text and a
 * `$` at the end for all parts that follow; throws for a list that cannot be read. Without a build every path
 * counts, so that each of them says that the build is missing.
 */
export const readConsolePages = async (directory: string): Promise<(path: string) => boolean> => {
  const text = await readFile(join(directory, '.vite', 'pages.json'), 'utf8').catch(() => undefined)
  if (text === undefined) return () => true
  const patterns = pageList.parse(JSON.parse(text)).map((page) => page.split('/'))
  return (path) => {
    const parts = (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path).split('/')
    return patterns.some(
      (pattern) =>
        (pattern.length === parts.length || (pattern.at(-1) === '$' && pattern.length < parts.length)) &&
        pattern.every((part, index) => part === parts[index] || (part.startsWith('$') && parts[index] !== '')),
    )
  }
}
