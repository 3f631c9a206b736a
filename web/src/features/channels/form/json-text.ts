import { isObject, parseJson } from '@tollgate/contract/json'
/** The object that text holds; empty for empty text, undefined when it is anything else. */
export const readObject = (text: string): Readonly<Record<string, unknown>> | undefined => {
  if (text.trim() === '') return {}
  const value = parseJson(text)
  return isObject(value) ? value : undefined
}

/** Indented JSON; nothing for an empty object, because an empty field means "not set". */
const printObject = (value: Readonly<Record<string, unknown>>): string =>
  Object.keys(value).length === 0 ? '' : JSON.stringify(value, null, 2)

/** Sets or (undefined) removes one member of the object in a text. */
export const withMember = (text: string, name: string, value: unknown): string => {
  const { [name]: _old, ...rest } = readObject(text) ?? {}
  return printObject(value === undefined ? rest : { ...rest, [name]: value })
}
