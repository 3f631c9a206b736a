export type JsonObject = Readonly<Record<string, unknown>>

/** True for objects with named members: no array, no null. Narrows parsed JSON. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value of a JSON text; undefined where it cannot be read. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The object that a JSON text holds; empty where it holds none or cannot be read. */
export const parseObject = (text: string): JsonObject => {
  const value = parseJson(text)
  return isObject(value) ? value : {}
}
