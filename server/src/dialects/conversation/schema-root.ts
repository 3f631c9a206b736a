import type { AnswerFormat } from './conversation.ts'
import { isObject, type JsonObject, parsedJson, textIn } from './json.ts'

/**
 * Most providers accept only JSON schemas with an object root
 * (platform.openai.com/docs/guides/structured-outputs#root-objects-must-not-be-anyof). Other schemas become the property `value` of
 * an object, and the answer is unwrapped again.
 */

type Schema = Extract<AnswerFormat, { kind: 'schema' }>

const member = 'value'

const isObjectSchema = ({ type, properties }: JsonObject): boolean =>
  type === 'object' || (type === undefined && isObject(properties))

/** Definitions stay at the root; other references point below the new property. */
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

/** Schema names have the limits of tool names. */
const plainName = (name: string): string => name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'answer'

export interface RootedFormat {
  readonly format: Schema
  /** Creates the unwrapper for an answer; undefined if the schema was not wrapped. */
  readonly unwrap: (() => Unwrap) | undefined
}

/** The format with an object root, and how to unwrap answers. */
export const withObjectRoot = (format: Schema): RootedFormat => {
  const { word, ...fields } = format
  const named = { ...fields, name: plainName(format.name) }
  if (isObjectSchema(format.schema)) return { format: named, unwrap: undefined }
  return { format: { ...named, schema: inObject(format.schema) }, unwrap: word ? openWord : openUnwrap }
}

/** Unwraps text that arrives in pieces. */
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
  let phase: 'before' | 'inside' | 'unwrapped' = 'before'
  let held = ''

  /** Holds back trailing space and the last brace, which may be the wrapper's. */
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
      if (phase === 'unwrapped') return text
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
      phase = 'unwrapped'
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

/** For enum answers without quotes: emits the value at the end. */
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
