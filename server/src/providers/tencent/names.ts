import { isObject } from '../../dialects/conversation/json.ts'

const renamed = (value: unknown, rename: (name: string) => string): unknown => {
  if (Array.isArray(value)) return value.map((entry) => renamed(entry, rename))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [rename(name), renamed(inner, rename)]))
}

/** `tool_calls` → `ToolCalls`, through all levels. */
export const pascal = (value: unknown): unknown =>
  renamed(value, (name) => name.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()))

/** `ToolCalls` → `tool_calls`, through all levels. */
export const snake = (value: unknown): unknown =>
  renamed(value, (name) => name.replace(/(?!^)([A-Z])/g, '_$1').toLowerCase())
