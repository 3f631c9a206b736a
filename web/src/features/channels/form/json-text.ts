import { isObject, parseJson } from '@tollgate/contract/json'
import { ownMember } from '@tollgate/contract/own-member'

/** The object that text holds; empty for empty text, undefined when it is anything else. */
export const readObject = (text: string): Readonly<Record<string, unknown>> | undefined => {
  if (text.trim() === '') return {}
  const value = parseJson(text)
  return isObject(value) ? value : undefined
}

/** Indented JSON; nothing for an empty object, because an empty field means "not set". */
const printObject = (value: Readonly<Record<string, unknown>>): string =>
  Object.keys(value).length === 0 ? '' : JSON.stringify(value, null, 2)

/** A member of the object in a text; undefined where it has none, or the text is something else. */
export const memberIn = (text: string, name: string): unknown => {
  const object = readObject(text)
  return object && ownMember(object, name)
}

/** Sets or (undefined) removes one member of the object in a text. */
export const withMember = (text: string, name: string, value: unknown): string => {
  const { [name]: _old, ...rest } = readObject(text) ?? {}
  return printObject(value === undefined ? rest : { ...rest, [name]: value })
}
