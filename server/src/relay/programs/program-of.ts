import type { IncomingHttpHeaders } from 'node:http'
import { memoize } from '../../lib/memoize.ts'
import { applications, languages, libraries } from './known-programs.ts'

/** UTF-16 units of a `User-Agent` that are looked at: programs stand first, and what is remembered stays short. */
const lookedAt = 256
const longestName = 40
const remembered = 1000

interface Found {
  /** Empty where the header names nothing. */
  readonly name: string
  /** True where it is the name of a program that people use: no other header knows better. */
  readonly isApplication: boolean
}

const nothing: Found = { name: '', isApplication: false }

const inLanguage = (name: string, word: string | undefined): string => {
  const language = languages.get(word?.toLowerCase() ?? '')
  return language === undefined ? name : `${name} (${language})`
}

/** The first product, without its version and without what could be anything but a name. */
const firstProduct = (agent: string): string =>
  (/^[^\s/(;,]+/.exec(agent)?.[0] ?? '').replace(/[^\w.+-]/g, '').slice(0, longestName)

const inAgent = memoize(remembered, (agent: string): Found => {
  const application = applications.find((one) => one.agent.test(agent))
  if (application !== undefined) return { name: application.name, isApplication: true }
  for (const { name, agent: pattern } of libraries) {
    const match = pattern.exec(agent)
    if (match !== null) return { name: inLanguage(name, match[1]), isApplication: false }
  }
  return { name: firstProduct(agent), isApplication: false }
})

const byTitle: ReadonlyMap<string, string> = new Map(
  applications.flatMap(({ title, name }) => (title === undefined ? [] : [[title, name]])),
)

const only = (value: string | readonly string[] | undefined): string => (typeof value === 'string' ? value : '')

/** Programs that say who they are beside the library's `User-Agent`. */
const inHeaders = (headers: IncomingHttpHeaders): string | undefined => {
  if (headers['x-app'] === 'cli' || headers['x-claude-code-session-id'] !== undefined) return 'Claude Code'
  if (only(headers.originator).startsWith('codex')) return 'Codex'
  if (headers['x-opencode-session'] !== undefined) return 'OpenCode'
  const title = headers['x-title']
  return title === undefined ? undefined : byTitle.get(only(title).slice(0, longestName).toLowerCase())
}

/** Libraries whose `User-Agent` a browser or the program has put another in the place of. */
const inLibraryHeaders = (headers: IncomingHttpHeaders): string => {
  const stainless = headers['x-stainless-lang']
  if (stainless !== undefined) {
    const maker = headers['anthropic-version'] === undefined ? 'OpenAI SDK' : 'Anthropic SDK'
    return inLanguage(maker, only(stainless))
  }
  const google = headers['x-goog-api-client']
  return google === undefined ? '' : inAgent(only(google).slice(0, lookedAt)).name
}

/**
 * The program that made a call, by what it sends of itself: a known name such as `Claude Code` or `OpenAI SDK (Python)`, else
 * the first product of its `User-Agent`; at most 40 characters. undefined where nothing is sent. Anybody can send anything:
 * it is for people to read, never to decide by.
 */
export const programOf = (headers: IncomingHttpHeaders): string | undefined => {
  const agent = headers['user-agent']
  const found = agent === undefined ? nothing : inAgent(agent.slice(0, lookedAt))
  if (found.isApplication) return found.name
  return (inHeaders(headers) ?? (found.name || inLibraryHeaders(headers))) || undefined
}

const isLibrary = memoize(remembered, (name: string): boolean =>
  libraries.some((library) => name === library.name || name.startsWith(`${library.name} (`)),
)

/** The same program, where its headers name only the library it is made with, by how its instructions begin. */
export const programByInstructions = (program: string | undefined, instructions: () => string): string | undefined => {
  if (program !== undefined && !isLibrary(program)) return program
  const text = instructions()
  if (text === '') return program
  return applications.find(({ instructs }) => instructs?.test(text))?.name ?? program
}
