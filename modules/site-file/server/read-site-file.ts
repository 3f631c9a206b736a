import { readFileSync, statSync } from 'node:fs'
import { type Document, isMap, isNode, isScalar, LineCounter, type ParsedNode, parseDocument } from 'yaml'
import type { z } from 'zod'
import { type SiteFile, siteFile } from './site-file.ts'
import { type FilePath, type FileProblem, SiteFileError } from './site-file-error.ts'

const mostBytes = 20_000_000
const mostProblems = 20

/** A site file that has been read, with the places of its parts for what is found out later. */
export interface ReadSiteFile {
  readonly path: string
  readonly content: SiteFile
  /** @throws SiteFileError where there is any. */
  refuse(problems: readonly FileProblem[]): void
}

/** Start of a part of the file, or of the nearest part around it. */
const offsetOf = (document: Document.Parsed<ParsedNode>, path: FilePath): number => {
  const last = path.at(-1)
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true)
  if (isMap(parent)) {
    const key = parent.items.find((item) => isScalar(item.key) && String(item.key.value) === String(last))?.key
    if (isNode(key) && key.range) return key.range[0]
  }
  const node = document.getIn(path, true)
  if (isNode(node) && node.range) return node.range[0]
  return path.length > 1 ? offsetOf(document, path.slice(0, -1)) : 0
}

const problemsOf = (error: z.ZodError): FileProblem[] =>
  error.issues.flatMap((issue): FileProblem[] => {
    const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)))
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ path: [...path, key], message: 'There is no such field' }))
    return [{ path, message: issue.message }]
  })

/** `virtual_models[0].steps` */
const nameOf = (path: FilePath): string =>
  path.map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${part}`)).join('')

/**
 * Reads a site file.
 * @throws SiteFileError with a line for each problem, Error where the file cannot be read.
 */
export const readSiteFile = (path: string): ReadSiteFile => {
  if (statSync(path).size > mostBytes) throw new Error(`${path} is larger than ${mostBytes / 1_000_000} MB.`)
  const lines = new LineCounter()
  const document = parseDocument(readFileSync(path, 'utf8'), { lineCounter: lines, prettyErrors: false })
  const at = (offset: number): string => `${path}:${lines.linePos(offset).line}`
  const refuse = (problems: readonly FileProblem[]): void => {
    if (problems.length === 0) return
    const shown = problems
      .slice(0, mostProblems)
      .map((problem) => `${at(offsetOf(document, problem.path))}: ${nameOf(problem.path)}: ${problem.message}`)
    const more = problems.length - shown.length
    throw new SiteFileError(more > 0 ? [...shown, `… and ${more} more`] : shown)
  }
  if (document.errors.length > 0)
    throw new SiteFileError(document.errors.map(({ pos, message }) => `${at(pos[0])}: ${message}`))
  const parsed = siteFile.safeParse(document.toJS() ?? {})
  if (!parsed.success) refuse(problemsOf(parsed.error))
  return { path, content: siteFile.parse(parsed.data), refuse }
}

/** Problems that a schema finds in a part of the file. */
export const problemsAt = (path: FilePath, error: z.ZodError): FileProblem[] =>
  problemsOf(error).map((problem) => ({ ...problem, path: [...path, ...problem.path] }))
