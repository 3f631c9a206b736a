type Json = Record<string, unknown>
type Path = readonly (string | number)[]

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

const isNothing = (value: unknown): boolean =>
  value === null ||
  value === 0 ||
  value === '' ||
  value === false ||
  (isObject(value) && Object.values(value).every(isNothing))

export interface Change {
  readonly what: 'member' | 'tier' | 'tool'
  /** Names from the outermost to the one that changes. */
  readonly path: Path
}

const membersIn = (value: unknown, path: Path): Change[] => {
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, inner]): Change[] => {
    if (isNothing(inner)) return []
    const here = [...path, Array.isArray(value) ? Number(name) : name]
    const changes = membersIn(inner, here)
    return Array.isArray(value) ? changes : [{ what: 'member', path: here }, ...changes]
  })
}

/** Members that repeat what the usage says, or parts of it. */
const copies: ReadonlySet<string> = new Set(['provider_metadata', 'trace', 'usage_breakdown', 'x_groq'])

const tierNames: ReadonlySet<string> = new Set(['service_tier', 'serviceTier', 'trafficType'])

/** Every name in an answer, or in an event of one, that money may depend on. `containers` hold usage. */
export const changesIn = (value: unknown, containers: ReadonlySet<string>, path: Path = []): Change[] => {
  if (!isObject(value) || path.length > 8) return []
  return Object.entries(value).flatMap(([name, inner]): Change[] => {
    const here = [...path, Array.isArray(value) ? Number(name) : name]
    if (tierNames.has(name) && typeof inner === 'string' && inner !== '') return [{ what: 'tier', path: here }]
    const isTool =
      (name === 'type' &&
        typeof inner === 'string' &&
        /_(?:search|interpreter|generation)_call$/.test(inner) &&
        value.id !== undefined) ||
      (name === 'name' && value.type === 'server_tool_use')
    if (isTool) return [{ what: 'tool', path: here }]
    const tiers = isObject(inner) && !copies.has(name) ? changesIn(inner, containers, here) : []
    return containers.has(name) && isObject(inner) ? [...membersIn(inner, here), ...tiers] : tiers
  })
}

/** A copy in which the name or the text at a path is another one. */
const changedAt = (value: unknown, path: Path, { what, to }: { what: Change['what']; to: string }): unknown => {
  const [first, ...rest] = path
  if (first === undefined || !isObject(value)) return value
  if (Array.isArray(value))
    return (value as unknown[]).map((each, at) => (at === first ? changedAt(each, rest, { what, to }) : each))
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (name !== first) return [name, inner]
      if (rest.length > 0) return [name, changedAt(inner, rest, { what, to })]
      return what === 'member' ? [to, inner] : [name, to]
    }),
  )
}

/** A tool is named again in other events. */
const renamed = (value: unknown, from: unknown, to: string): unknown => {
  if (!isObject(value)) return value
  if (Array.isArray(value)) return (value as unknown[]).map((each) => renamed(each, from, to))
  const tells = value.type === 'server_tool_use' ? 'name' : 'type'
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === tells && inner === from ? to : renamed(inner, from, to),
    ]),
  )
}

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value)

/** The answer with one name of it replaced by `to`. */
export const mutated = (payloads: readonly unknown[], { what, path }: Change, to: string): readonly unknown[] => {
  if (what !== 'tool') return payloads.map((payload) => changedAt(payload, path, { what, to }))
  const from = payloads.map((payload) => valueAt(payload, path)).find((name) => typeof name === 'string')
  return payloads.map((payload) => renamed(payload, from, to))
}
