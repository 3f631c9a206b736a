import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Conversation, DialectName, Part, Role, Tool } from '../../src/dialects/conversation/conversation.ts'
import { budgetOf } from '../../src/dialects/conversation/effort.ts'
import { InexpressibleError } from '../../src/dialects/conversation/gaps/inexpressible.ts'
import { isObject, type JsonObject, parsedJson } from '../../src/dialects/conversation/json.ts'
import { createUnsupportedFields } from '../../src/dialects/conversation/unsupported-fields.ts'
import { AppError } from '../../src/lib/app-error.ts'
import { conversation } from '../support/dialects/conversations.ts'
import { speakers } from '../support/dialects/speakers.ts'
import { spoiled } from '../support/dialects/spoiled.ts'

/** Every field of a request survives translation into every other dialect, or is listed as unsupported. */

/** One thing that was asked, and the loss that excuses its absence. */
interface Fact {
  readonly fact: string
  readonly loss: RegExp
}

const fact = (loss: RegExp, ...values: readonly unknown[]): Fact => ({ fact: JSON.stringify(values), loss })

/** Free text is the one argument of tools that take objects. */
const argumentsOf = (text: string, custom: boolean): unknown => {
  const value = parsedJson(text)
  return isObject(value) && !custom ? value : { input: text }
}

/** Gemini takes results as objects only. */
const resultOf = (content: readonly Part[]): unknown => {
  const text = content.map((part) => (part.kind === 'text' ? part.text : '')).join('')
  const value = parsedJson(text) ?? text
  if (!isObject(value)) return value
  const [name = '', ...more] = Object.keys(value)
  return more.length === 0 && (name === 'result' || name === 'error') ? value[name] : value
}

/** Types of files are guessed where a dialect does not name them. */
const sourceOf = (part: Part): unknown => {
  if (!('source' in part)) return undefined
  const { source } = part
  if (source.kind === 'url') return source.url
  return source.kind === 'base64' ? source.data : source
}

const partFacts = (part: Part, dialect: DialectName): Fact[] => {
  const mark =
    'cache' in part && part.cache !== undefined ? [fact(/cache_control|^messages\./, 'cache', part.cache.ttl)] : []
  switch (part.kind) {
    case 'image':
    case 'audio':
    case 'video':
      return [...mark, fact(new RegExp(`^messages\\.${part.kind}`), part.kind, sourceOf(part))]
    case 'document':
      return part.source.kind === 'text' ? mark : [...mark, fact(/^messages\.document/, sourceOf(part))]
    case 'thinking': {
      const own = part.by === dialect && (part.signature ?? part.encrypted) !== undefined
      return [...mark, ...(own ? [fact(/^messages\.thinking/, 'thought', part.signature ?? part.encrypted)] : [])]
    }
    case 'tool_call':
      return [...mark, fact(/never/, 'call', part.id, part.name, argumentsOf(part.arguments, part.custom === true))]
    case 'tool_result':
      return [
        ...mark,
        fact(/never/, 'result', part.id, resultOf(part.content)),
        ...(part.isError ? [fact(/is_error/, 'error', part.id)] : []),
        ...part.content.flatMap((inner) => partFacts(inner, dialect)),
      ]
    default:
      return mark
  }
}

/** Claude wants objects closed. */
const shape = ({ additionalProperties: _, ...schema }: JsonObject): JsonObject => schema

const toolFacts = (tool: Tool): Fact[] => {
  if (tool.kind === 'built_in') return []
  if (tool.kind === 'custom') return [fact(/never/, 'tool', tool.name, tool.description)]
  const { name, description, parameters = { type: 'object', properties: {} }, strict = false, cache } = tool
  return [
    fact(/never/, 'tool', name, description),
    fact(/never/, 'parameters', name, shape(parameters)),
    ...(strict ? [fact(/^tools\.strict/, 'strict', name)] : []),
    ...(cache === undefined ? [] : [fact(/cache_control/, 'tool cache', name, cache)]),
  ]
}

const wireName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const settings = ['maxTokens', 'topK', 'seed', 'stop', 'topLogprobs', 'user', 'serviceTier', 'verbosity'] as const
/** Values that mean the same as an absent field. */
const usual: readonly (readonly [keyof Conversation, unknown])[] = [
  ['temperature', 1],
  ['topP', 1],
  ['n', 1],
  ['logprobs', false],
  ['parallelToolCalls', true],
  ['frequencyPenalty', 0],
  ['presencePenalty', 0],
]

const thinks = ({ reasoning }: Conversation): boolean => reasoning !== undefined && budgetOf(reasoning) !== 0

/** OpenAI has no word for as much as the model likes: it is what happens anyway. */
const isOpen = ({ reasoning }: Conversation): boolean => (reasoning?.budget ?? 0) < 0

const callsTools = ({ tools, toolChoice }: Conversation): boolean =>
  toolChoice?.kind !== 'none' && tools.some(({ kind }) => kind === 'function')

const settingFacts = (request: Conversation, dialect: DialectName): Fact[] => [
  ...settings.flatMap((name) =>
    request[name] === undefined ? [] : [fact(new RegExp(`^${wireName(name)}$`), name, request[name])],
  ),
  ...usual.flatMap(([name, value]) =>
    request[name] === undefined || request[name] === value || (name === 'parallelToolCalls' && !callsTools(request))
      ? []
      : [fact(new RegExp(`^${wireName(name)}$`), name, request[name])],
  ),
  ...(request.format === undefined
    ? []
    : [
        fact(
          /^response_format/,
          'format',
          request.format.kind,
          request.format.kind === 'schema' ? shape(request.format.schema) : null,
        ),
      ]),
  ...(isOpen(request) && dialect.startsWith('openai')
    ? []
    : [fact(request.reasoning === undefined ? /./ : /^reasoning/, 'thinks', thinks(request))]),
]

const choiceFacts = ({ toolChoice, tools }: Conversation): Fact[] => {
  const [only] = toolChoice?.kind === 'allowed' ? toolChoice.names : []
  if (toolChoice === undefined || tools.every(({ kind }) => kind !== 'function')) return []
  const isOne = toolChoice.kind === 'allowed' && toolChoice.names.length === 1 && toolChoice.required
  const same = isOne && only !== undefined ? { kind: 'tool', name: only } : toolChoice
  return [fact(/^tool_choice/, 'choice', same)]
}

const factsOf = (request: Conversation, dialect: DialectName): Fact[] => [
  ...request.messages.flatMap(({ parts }) => parts.flatMap((part) => partFacts(part, dialect))),
  ...request.tools.flatMap(toolFacts),
  ...settingFacts(request, dialect),
  ...choiceFacts(request),
]

const isOf = (role: Role, kind: 'system' | 'user' | 'assistant'): boolean =>
  kind === 'system' ? role === 'system' || role === 'developer' : role === kind

const textsOf = ({ messages }: Conversation, kind: 'system' | 'user' | 'assistant'): string[] =>
  messages
    .filter(({ role }) => isOf(role, kind))
    .flatMap(({ parts }) =>
      parts.flatMap((part) => {
        if (part.kind === 'text') return [part.text]
        return part.kind === 'document' && part.source.kind === 'text' ? [part.source.text] : []
      }),
    )

/** True if the texts stand in `whole` one behind the other. */
const standIn = (texts: readonly string[], whole: string): boolean => {
  let at = 0
  return texts.every((text) => {
    const found = whole.indexOf(text, at)
    at = found + text.length
    return found >= 0
  })
}

/** undefined for a request that the dialect refuses because nothing of what it asks can be said there. */
const writtenOrRefused = (write: () => JsonObject): JsonObject | undefined => {
  try {
    return write()
  } catch (error) {
    expect(error).toBeInstanceOf(InexpressibleError)
    return undefined
  }
}

const overTheWire = (body: JsonObject): JsonObject => JSON.parse(JSON.stringify(body))

describe.each(speakers)('a conversation in $name', ({ name, client, upstream }) => {
  it('keeps what was asked, or says what was lost', () => {
    fc.assert(
      fc.property(conversation, (request) => {
        const unsupported = createUnsupportedFields()
        const written = writtenOrRefused(() => upstream.writeRequest(request, unsupported))
        const lost = unsupported.list()
        if (written === undefined) {
          expect(lost.some((field) => field.startsWith('messages.') || field.startsWith('tools'))).toBe(true)
          return
        }
        const again = client.readRequest(overTheWire(written), request)
        const found = new Set(factsOf(again, name).map((one) => one.fact))
        const missing = factsOf(request, name).filter(
          (one) => !found.has(one.fact) && !lost.some((field) => one.loss.test(field)),
        )
        expect({ missing: missing.map((one) => one.fact), lost }).toEqual({ missing: [], lost })
        for (const kind of ['system', 'user', 'assistant'] as const)
          expect(standIn(textsOf(request, kind), textsOf(again, kind).join('\n'))).toBe(true)
        expect(request.own.dialect === name ? again.own.members : lost).toEqual(
          request.own.dialect === name
            ? expect.objectContaining(request.own.members)
            : expect.arrayContaining(Object.keys(request.own.members)),
        )
      }),
      { numRuns: 500 },
    )
  })

  it('whose values are of another kind than they should be is read without a fall', () => {
    const lie = conversation
      .map((request) => writtenOrRefused(() => upstream.writeRequest(request, createUnsupportedFields())))
      .filter((body) => body !== undefined)
      .map(overTheWire)
      .chain(spoiled)
    fc.assert(
      fc.property(lie, (body) => {
        if (!isObject(body)) return
        try {
          const read = client.readRequest(body, { model: 'm', stream: false })
          for (const other of speakers) other.upstream.writeRequest(read, createUnsupportedFields())
        } catch (error) {
          expect(error).toBeInstanceOf(AppError)
        }
      }),
      { numRuns: 500 },
    )
  })
})
