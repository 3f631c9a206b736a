import { ownMember } from '@tollgate/contract/own-member'
import { shortText } from '../../lib/bounded-text.ts'
import { statedCount } from '../reported/counts.ts'
import type { Meaning, UnknownKind, UsageDialect } from './meanings.ts'
import { type DeclaredValues, declaredMembers, declaredValues } from './members.ts'

/** A figure of a usage object that no table declares, so its price is unknown. */
export interface UnknownFigure {
  readonly kind: UnknownKind
  readonly dialect: UsageDialect
  /** The path of the member; with `=value` where the value and not the member is unknown. */
  readonly name: string
  /** As it was reported; a text is shortened. */
  readonly value: number | string
  /** Tokens or calls that it may stand for; 0 for texts. */
  readonly count: number
}

interface Node {
  readonly members: Map<string, Node>
  /** True where everything below is declared. */
  whole: boolean
  values: DeclaredValues | undefined
  /** Undefined for a member that only holds others. */
  meaning: Meaning | undefined
  /** Unit that readers count the member in; undefined if it is no count. */
  counts: 'tokens' | 'calls' | undefined
  readonly isList: boolean
}

/** Members whose value is a list of objects; everywhere else readers look for an object. */
const lists = /^(?:iterations|models|cacheDetails|statistics|[a-z]+[a-zA-Z]*Tokens?Details)$/
const ofTokens =
  /^billed as (?:input(?! or)|output|reasoning|cache_|explicit_cache_read$|audio_|image_|video_)|^part of (?:the sum|cacheWriteInputTokens)$/
const ofCalls = /^billed as (?:tool (?!by )|queries|picture)/

const emptyNode = (name: string): Node => ({
  members: new Map(),
  whole: false,
  values: undefined,
  meaning: undefined,
  counts: undefined,
  isList: lists.test(name),
})

const declare = (node: Node, meaning: Meaning): void => {
  node.meaning = meaning
  if (ofTokens.test(meaning)) node.counts = 'tokens'
  else if (ofCalls.test(meaning)) node.counts = 'calls'
}

const nodeAt = (root: Node, path: string): Node => {
  let node = root
  for (const name of path.split('.')) {
    if (name === '*') {
      node.whole = true
      return node
    }
    const next = node.members.get(name) ?? emptyNode(name)
    node.members.set(name, next)
    node = next
  }
  return node
}

const compiled = (dialect: UsageDialect): Node => {
  const root = emptyNode('')
  for (const { members } of declaredMembers[dialect])
    for (const [path, meaning] of Object.entries(members)) declare(nodeAt(root, path), meaning)
  for (const [path, values] of Object.entries(declaredValues[dialect])) nodeAt(root, path).values = values
  return root
}

const trees: Readonly<Record<UsageDialect, Node>> = {
  openai: compiled('openai'),
  'responses-tools': compiled('responses-tools'),
  anthropic: compiled('anthropic'),
  gemini: compiled('gemini'),
  bedrock: compiled('bedrock'),
  cohere: compiled('cohere'),
  ollama: compiled('ollama'),
  predict: compiled('predict'),
  titan: compiled('titan'),
  sound: compiled('sound'),
  drawn: compiled('drawn'),
}

/** Most figures that one answer is marked with by name, and the longest name and value; they come from outside. */
const mostFigures = 16
/** The figure of a kind that holds the counts of all members beyond these, so that none is left out of the bill. */
export const furtherMembers = '…'
const longestName = 120
const longestValue = 60
const deepest = 6

/** Members that hold lifetimes of cache writes. */
const ofCache = /^(?:cache_creation|cacheDetails)\.|\.(?:cache_creation|cache_write_tokens_details)\./
/** Members that count calls of tools at the provider. */
const ofTools =
  /(?:^|\.)(?:server_tool_use|server_tool_use_details|server_side_tool_usage_details|serverToolUsage|tool_usage|tool_usage_details|plugins)\./
const tokensOf = /token/i

const kindOf = (dialect: UsageDialect, path: string): UnknownKind => {
  if (ofCache.test(path)) return 'cache'
  if (tokensOf.test(path)) return 'usage'
  return dialect === 'responses-tools' || ofTools.test(path) ? 'tool' : 'usage'
}

const countOf = (value: unknown): number => {
  const count = statedCount(value)
  return typeof count === 'number' && count > 0 ? Math.ceil(Math.min(count, Number.MAX_SAFE_INTEGER)) : 0
}

/** True for the value of a declared member that its readers take for nothing although it is something. */
const isUnread = ({ counts, members, meaning }: Node, value: unknown): boolean => {
  if (counts === undefined) return meaning === undefined && members.size > 0
  const count = statedCount(value)
  if (typeof count !== 'number') return true
  return counts === 'tokens' && count > 0 && Number.isFinite(count) && !Number.isInteger(count)
}

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === 0 || value === '' || value === false

class Search {
  readonly found: UnknownFigure[] = []
  private readonly dialect: UsageDialect

  constructor(dialect: UsageDialect) {
    this.dialect = dialect
  }

  visit(node: Node, value: object, path: string, depth: number): void {
    for (const [name, inner] of Object.entries(value)) {
      if (isNothing(inner)) continue
      const child = node.members.get(name)
      if (child === undefined) this.note(inner, path + name, depth)
      else if (child.values !== undefined) this.check(child.values, inner, path + name, value)
      else if (child.whole) continue
      else if (typeof inner === 'object') this.visitInner(child, inner as object, path + name, depth)
      else if (isUnread(child, inner)) this.note(inner, path + name, depth)
    }
  }

  private visitInner(node: Node, inner: object, path: string, depth: number): void {
    if (depth >= deepest) return
    // A list where its readers look for an object, or the other way round: they find nothing in it.
    if (Array.isArray(inner) !== node.isList) this.note(inner, path, depth)
    else if (!Array.isArray(inner)) this.visit(node, inner, `${path}.`, depth + 1)
    else
      for (const each of inner as unknown[])
        if (isObject(each)) this.visit(node, each, `${path}.`, depth + 1)
        else this.note(each, path, depth)
  }

  /** All leaves of a member that is not declared. */
  private note(value: unknown, path: string, depth: number): void {
    if (isNothing(value)) return
    if (Array.isArray(value)) {
      if (depth < deepest) for (const each of value as unknown[]) this.note(each, path, depth + 1)
      else if (value.length > 0) this.add(kindOf(this.dialect, path), path, '[…]', 0)
    } else if (isObject(value)) {
      if (depth >= deepest) this.add(kindOf(this.dialect, path), path, '{…}', 0)
      else for (const [name, inner] of Object.entries(value)) this.note(inner, `${path}.${name}`, depth + 1)
    } else {
      const stated = statedCount(value)
      this.add(kindOf(this.dialect, path), path, typeof stated === 'number' ? stated : String(value), countOf(value))
    }
  }

  private check({ kind, known, count }: DeclaredValues, value: unknown, path: string, beside: object): void {
    if (known.includes(value)) return
    const text = typeof value === 'object' ? '{…}' : String(value)
    const tokens = count === undefined ? 0 : countOf(ownMember(beside as Readonly<Record<string, unknown>>, count))
    if (count !== undefined && tokens === 0) return
    const calls = kind === 'tool' ? 1 : tokens
    this.add(kind, `${path}=${shortText(text, longestValue)}`, count === undefined ? text : tokens, calls)
  }

  private add(kind: UnknownKind, path: string, value: number | string, count: number): void {
    const name = shortText(path, longestName)
    const shown = typeof value === 'string' ? shortText(value, longestValue) : value
    const at = this.found.findIndex((figure) => figure.kind === kind && figure.name === name)
    const before = this.found[at]
    if (before === undefined) {
      if (this.found.length >= mostFigures && name !== furtherMembers) {
        this.add(kind, furtherMembers, shown, count)
        return
      }
      this.found.push({ kind, dialect: this.dialect, name, value: shown, count })
      return
    }
    // Members of several entries of a list add up.
    const sum = typeof before.value === 'number' && typeof shown === 'number' ? before.value + shown : before.value
    this.found[at] = { ...before, value: sum, count: before.count + count }
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/**
 * The figures of a usage object that are neither declared nor zero; undefined where there are none, as in almost all answers. One
 * pass over the members, each looked up in a map.
 */
export const unknownMembers = (dialect: UsageDialect, usage: unknown): readonly UnknownFigure[] | undefined => {
  if (!isObject(usage)) return undefined
  const search = new Search(dialect)
  search.visit(trees[dialect], usage, '', 0)
  return search.found.length === 0 ? undefined : search.found
}
