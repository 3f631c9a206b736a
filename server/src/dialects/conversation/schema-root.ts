import type { AnswerFormat } from './conversation.ts'
import { isObject, type JsonObject, parsedJson, textIn } from './json.ts'

/**
 * Most providers bind answers to objects only (platform.openai.com/docs/guides/structured-outputs#root-objects-must-not-be-anyof):
 * a list or a word is asked for as the one member of an object, and taken out of it again.
 */

type Schema = Extract<AnswerFormat, { kind: 'schema' }>

const member = 'value'

const isObjectSchema = ({ type, properties }: JsonObject): boolean =>
  type === 'object' || (type === undefined && isObject(properties))

/** Definitions stay at the root; whatever else is referred to has moved. */
const movedReference = (reference: string): string => {
  if (/^#\/(\$defs|definitions)\//.test(reference)) return reference
  return reference.startsWith('#') ? `#/properties/${member}${reference.slice(1)}` : reference
}

const moved = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(moved)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === '$ref' && typeof member === 'string' ? movedReference(member) : moved(member),
    ]),
  )
}

const inObject = (schema: JsonObject): JsonObject => {
  const { $defs, definitions, $schema: _, ...rest } = moved(schema) as JsonObject
  return {
    type: 'object',
    properties: { [member]: rest },
    required: [member],
    additionalProperties: false,
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
  }
}

/** Names of schemas are as short and plain as those of tools. */
const plainName = (name: string): string => name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'answer'

export interface RootedFormat {
  readonly format: Schema
  /** Takes an answer out of its object; undefined where it is none. */
  readonly unwrap: (() => Unwrap) | undefined
}

/** The format with a schema that providers take who only take objects. */
export const withObjectRoot = (format: Schema): RootedFormat => {
  const { word, ...fields } = format
  const named = { ...fields, name: plainName(format.name) }
  if (isObjectSchema(format.schema)) return { format: named, unwrap: undefined }
  return { format: { ...named, schema: inObject(format.schema) }, unwrap: word ? openWord : openUnwrap }
}

/** Unwraps text that comes in pieces. */
export interface Unwrap {
  /** Adds a piece and returns the text that is certain so far. */
  push(text: string): string
  /** The remaining text after the last piece. */
  rest(): string
}

const opening = new RegExp(`^\\s*\\{\\s*"${member}"\\s*:\\s*`)
const opened = `{"${member}":`

const mayOpen = (text: string): boolean => {
  const compact = text.replaceAll(/\s/g, '')
  return opened.startsWith(compact)
}

const openUnwrap = (): Unwrap => {
  let phase: 'before' | 'inside' | 'as it is' = 'before'
  let held = ''

  /** The brace that ends everything is the last one. */
  const inside = (text: string): string => {
    const all = held + text
    const end = all.trimEnd()
    const body = (end.endsWith('}') ? end.slice(0, -1) : end).trimEnd()
    held = all.slice(body.length)
    return body
  }

  return {
    push(text) {
      if (phase === 'inside') return inside(text)
      if (phase === 'as it is') return text
      const all = held + text
      const [whole] = opening.exec(all) ?? []
      if (whole !== undefined) {
        held = ''
        const rest = all.slice(whole.length)
        // More space may follow.
        if (rest === '') {
          held = all
          return ''
        }
        phase = 'inside'
        return inside(rest)
      }
      if (mayOpen(all)) {
        held = all
        return ''
      }
      phase = 'as it is'
      held = ''
      return all
    },
    rest() {
      const left = phase === 'inside' && held.trimStart().startsWith('}') ? '' : held
      held = ''
      return left
    },
  }
}

/** Where the client wants the bare word, it is told when it is whole. */
export const openWord = (): Unwrap => {
  let all = ''
  return {
    push(text) {
      all += text
      return ''
    },
    rest() {
      const json = parsedJson(all)
      const word = isObject(json) ? textIn(json[member]) : textIn(json)
      return word ?? all
    },
  }
}
